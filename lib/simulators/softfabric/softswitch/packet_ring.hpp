#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

// lib/simulators/softfabric/softswitch is the program: it moves frames between netdevs and the
// model, and answers its control socket. It must not know what a switch does with a packet.

namespace railgauge::softfabric {

/// An AF_PACKET socket on all netdevs of this network namespace, and a ring in memory that the
/// kernel copies what they receive to: it takes no system call per packet, and holds more than a
/// socket of an unprivileged user may. Not what they send.
class PacketRing {
 public:
  /// Room for so many frames of so many bytes. Throws std::system_error that says what failed;
  /// EPERM: it takes CAP_NET_RAW, root's or that of the user namespace that owns the network
  /// namespace.
  PacketRing(std::size_t frames, std::size_t frame_bytes);
  ~PacketRing();
  PacketRing(const PacketRing&) = delete;
  PacketRing& operator=(const PacketRing&) = delete;

  struct Frame {
    int netdev = 0;  ///< its index
    std::span<const std::byte> bytes{};
    std::chrono::nanoseconds came{};  ///< by the clock of CLOCK_REALTIME
  };
  /// The oldest frame, until pop(); nothing if there is none.
  [[nodiscard]] std::optional<Frame> front() const;
  void pop();

  /// Frames that there was no room for, since the last call.
  std::uint64_t take_lost();
  /// To send by, to any netdev, and to wait for frames.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  void configure();
  void map();
  [[nodiscard]] std::byte* slot() const;

  int descriptor_ = -1;
  std::size_t slot_bytes_;
  std::size_t block_bytes_;
  std::size_t slots_;
  std::byte* memory_ = nullptr;
  std::size_t next_ = 0;
};

}  // namespace railgauge::softfabric
