#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <string>

namespace railgauge::verbs {

/// Whence a queue pair has the UDP source port, by which switches choose among equal paths. No verb
/// tells which it is.
enum class SourcePort : std::uint8_t {
  by_driver,  ///< it was asked for none
  assumed,    ///< it follows from the flow label, if the driver keeps to the kernel's rule
  set,        ///< the device was told
};

/// A call of a driver's library that is not one of verbs, and that need not be installed:
/// mlx5dv_modify_qp_udp_sport() (mlx5dv_modify_qp_udp_sport(3)), found at run time.
class SourcePortCall {
 public:
  explicit SourcePortCall(const std::string& library = "libmlx5.so.1");

  /// Whether the library is there, and has it (rdma-core 33).
  [[nodiscard]] bool found() const noexcept { return call_ != nullptr; }
  /// Of a pair of an mlx5 device that is ready to send. 0 or an errno value: EOPNOTSUPP if it was
  /// not found, or the device's firmware cannot.
  int operator()(ibv_qp& pair, std::uint16_t port) const noexcept;

 private:
  struct Close {
    void operator()(void* library) const noexcept;
  };

  std::unique_ptr<void, Close> library_;
  int (*call_)(ibv_qp*, std::uint16_t) = nullptr;
};

/// Whether the kernel's driver of the device is mlx5's: the call may look into nothing else.
[[nodiscard]] bool is_mlx5(const ibv_device& device);

/// Gives a pair that is ready to send the source port of its flow label, if it is of an mlx5 device
/// that can; the label alone does otherwise. Label 0 asks for no port.
SourcePort set_source_port(ibv_qp& pair, std::uint32_t flow_label);

}  // namespace railgauge::verbs
