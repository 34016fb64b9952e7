#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/collective/rail_choice.hpp"
#include "results/rank.hpp"

namespace railgauge::runner {

/// The share of the bytes that ranks send which passes from a rank's NUMA node to a NIC of another:
/// over the link between sockets, which all ranks of a host share. `rails` are those that each rank
/// drives; every rank spreads its data evenly over them. Ranks and NICs whose node is not known
/// (software devices) are left out; empty if that leaves none.
[[nodiscard]] std::optional<double> share_between_nodes(std::span<const results::Rank> ranks,
                                                        std::span<const RailSet> rails);

/// What to say of it before a run, with what would avoid it; "" where nothing crosses.
[[nodiscard]] std::string cross_node_note(std::span<const results::Rank> ranks,
                                          std::span<const RailSet> rails);

}  // namespace railgauge::runner
