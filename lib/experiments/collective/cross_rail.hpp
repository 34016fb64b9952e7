#pragma once

#include <functional>
#include <optional>
#include <span>

#include "executor/channels.hpp"
#include "experiments/collective/rail_choice.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// The first peer with which the schedule would make `rank` exchange messages between a port on one
/// rail and a port on another, whichever of the two sends data: grants go the other way. Empty if
/// it never does. `rails` are those that each rank drives; data to a peer for which `by_memory` is
/// true use no rail. On a rail-optimised fabric such a message crosses the spine; between separate
/// fabrics there is no path.
[[nodiscard]] inline std::optional<schedule::Rank> find_cross_rail_send(
    const schedule::Schedule& schedule, schedule::Rank rank, std::span<const RailSet> rails,
    const std::function<bool(schedule::Rank)>& by_memory) {
  for (const auto& channel : executor::channels_of(schedule, rank, {})) {
    if (!by_memory(channel.peer) && rails[channel.peer] != rails[rank]) return channel.peer;
  }
  return std::nullopt;
}

}  // namespace railgauge::runner
