#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace railgauge::transport {

/// Which sizes of packets a queue pair is known to have carried: tells a path that loses large
/// packets (a black hole: an MTU on the way that is smaller than both ends') from one that is dead.
/// Sizes are of payload in one packet, and writes are numbered from 1 in the order in which they
/// are posted, acknowledged, and fail.
class PacketSizes {
 public:
  /// A write of so many bytes goes out, in packets of at most `mtu_bytes`.
  void posted(std::uint64_t write, std::uint32_t bytes, std::uint32_t mtu_bytes) noexcept {
    const std::uint32_t packet = bytes < mtu_bytes ? bytes : mtu_bytes;
    if (packet > largest_) note(write, packet);
  }

  /// What arrived, and what did not.
  struct Limit {
    std::uint32_t passes = 0;  // 0: only messages without payload
    std::uint32_t lost = 0;
  };
  /// If this write, the first that was not acknowledged, has the first packets of their size, and
  /// writes before it did arrive. Empty otherwise: nothing ever arrived, or packets as large have.
  [[nodiscard]] std::optional<Limit> limit(std::uint64_t failed_write) const;

 private:
  /// A write whose packets were larger than any before.
  struct Larger {
    std::uint64_t write = 0;
    std::uint32_t packet = 0;
  };
  void note(std::uint64_t write, std::uint32_t packet) noexcept;

  std::array<Larger, 16> larger_{};  // the last is overwritten when there are more
  std::size_t count_ = 0;
  std::uint32_t largest_ = 0;
};

}  // namespace railgauge::transport
