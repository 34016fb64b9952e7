#include "runner/collective/cross_rail.hpp"

#include "executor/channels.hpp"

namespace railgauge::runner {

std::optional<schedule::Rank> find_cross_rail_send(
    const schedule::Schedule& schedule, schedule::Rank rank, std::span<const RailSet> rails,
    const std::function<bool(schedule::Rank)>& by_memory) {
  for (const auto& channel : executor::channels_of(schedule, rank, {})) {
    if (!by_memory(channel.peer) && rails[channel.peer] != rails[rank]) return channel.peer;
  }
  return std::nullopt;
}

}  // namespace railgauge::runner
