#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "benchmarks/options.hpp"
#include "benchmarks/own_host.hpp"
#include "benchmarks/world.hpp"
#include "results/rank.hpp"
#include "topology/placement.hpp"

namespace railgauge::benchmarks {

/// Collective: binds this rank, its threads and its memory, to where --placement wants it on its
/// host. To be called before there are buffers. Never widens what a launcher or a container allows.
/// Nothing is bound if the ranks of the host were bound apart already, or are more than the
/// processors they may use. What became of it is in every rank's `placement` and `numa_node`.
/// Returns where this rank belongs; no cpus: it is not bound. Throws RunFailure (usage) if
/// --placement is neither a mode nor a file that places the ranks.
topology::Placement place_ranks(World& world, const OwnHost& own, const Options& options,
                                std::vector<results::Rank>& ranks);

/// Collective: looks whether every rank is where it belongs: its threads, and the pages of its
/// buffers. Once found elsewhere, a rank stays unverified.
void verify_placement(World& world, const topology::Placement& wanted,
                      std::span<const std::span<const std::byte>> buffers,
                      std::vector<results::Rank>& ranks);

}  // namespace railgauge::benchmarks
