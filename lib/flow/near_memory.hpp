#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace railgauge::flow {

/// The NUMA node of a device, from `sysfs`; empty if the kernel does not say.
[[nodiscard]] std::optional<unsigned> numa_node_of(
    const std::string& device, const std::string& sysfs = "/sys/class/infiniband");

/// Zeroed pages on a NUMA node: what a NIC reads and writes does not cross sockets, whichever
/// processor drives it. Where the node has no room, is not known, or the kernel refuses, they are
/// on that of the thread that makes them.
class NearMemory {
 public:
  /// Throws std::system_error.
  NearMemory(std::size_t bytes, std::optional<unsigned> node);
  ~NearMemory();
  NearMemory(const NearMemory&) = delete;
  NearMemory& operator=(const NearMemory&) = delete;

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

}  // namespace railgauge::flow
