#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "executor/channels.hpp"
#include "experiments/collective/near_rails.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// What ranks send over NICs, counted from a schedule's ops; the unit is a block's part on one
/// rail. Ranks and NICs whose node is not known (software devices) are left out.
struct CrossNode {
  std::uint64_t sent = 0;
  /// Of it, from memory of one NUMA node to a NIC of another: over the link between sockets, which
  /// all ranks of a host share.
  std::uint64_t far = 0;
};

/// Of one rank. Ranks of a host may exchange data by memory.
[[nodiscard]] CrossNode cross_node_of(const schedule::Schedule& schedule, schedule::Rank rank,
                                      const executor::Stripes& stripes,
                                      std::span<const RankNodes> nodes, bool by_memory);

/// What to say of it, of all ranks together; "" where nothing crosses.
[[nodiscard]] std::string cross_node_note(const std::string& algorithm, const CrossNode& all,
                                          std::span<const RankNodes> nodes);

/// Whether any crossing can be told from the nodes that are known.
[[nodiscard]] bool knows_nodes(std::span<const RankNodes> nodes);

}  // namespace railgauge::runner
