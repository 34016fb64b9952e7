#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cluster/local_host.hpp"
#include "job/communicator.hpp"
#include "results/rank.hpp"
#include "topology/placement.hpp"

namespace railgauge::cluster {

/// Collective: binds this rank, its threads and its memory, to where --placement wants it on its
/// host. To be called before there are buffers. Never widens what a launcher or a container allows.
/// Nothing is bound if the ranks of the host were bound apart already, or are more than the
/// processors they may use. What became of it is in every rank's `placement` and `numa_node`.
/// Returns where this rank belongs; no cpus: it is not bound. Throws job::RunFailure (usage) if
/// --placement is neither a mode nor a file that places the ranks.
topology::Placement place_ranks(job::Communicator& communicator, const LocalHost& own,
                                const std::string& mode_or_file, std::vector<results::Rank>& ranks);

/// What a rank has of its host's processors.
struct OwnProcessors {
  /// It shares one with another rank of its host: there are more of them than processors.
  bool shared = false;
  /// That it has to itself, if the ranks of its host that may run there share them evenly.
  std::size_t cores = 1;
};

/// Collective: of this rank, which runs on `own`.
OwnProcessors own_processors(job::Communicator& communicator, const topology::CpuSet& own,
                             const std::vector<topology::CpuSet>& cores,
                             const std::vector<results::Rank>& ranks);

/// Collective: looks whether every rank is where it belongs: its threads, and the pages of its
/// buffers. Once found elsewhere, a rank stays unverified.
void verify_placement(job::Communicator& communicator, const topology::Placement& wanted,
                      std::span<const std::span<const std::byte>> buffers,
                      std::vector<results::Rank>& ranks);

}  // namespace railgauge::cluster
