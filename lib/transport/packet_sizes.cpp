#include "transport/packet_sizes.hpp"

#include <algorithm>

namespace railgauge::transport {

void PacketSizes::note(std::uint64_t write, std::uint32_t packet) noexcept {
  largest_ = packet;
  count_ = std::min(count_ + 1, larger_.size());
  larger_[count_ - 1] = {write, packet};
}

std::optional<PacketSizes::Limit> PacketSizes::limit(std::uint64_t failed_write) const {
  if (failed_write <= 1) return std::nullopt;
  Limit limit;
  for (std::size_t i = 0; i < count_; ++i) {
    if (larger_[i].write < failed_write) limit.passes = larger_[i].packet;
    if (larger_[i].write == failed_write) limit.lost = larger_[i].packet;
  }
  if (limit.lost == 0) return std::nullopt;
  return limit;
}

}  // namespace railgauge::transport
