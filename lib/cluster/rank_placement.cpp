#include "cluster/rank_placement.hpp"

#include <sched.h>

#include <algorithm>

#include "job/exchanged_values.hpp"
#include "json/members.hpp"
#include "topology/binding.hpp"
#include "topology/cpu_set.hpp"

namespace railgauge::cluster {
namespace {

using results::Failure;

/// Where a rank is, and why.
struct Placed {
  int numa_node = -1;
  results::RankPlacement placement{};

  RAILGAUGE_FIELDS(numa_node, placement)
};

/// The NUMA node that the calling thread runs on now; -1 if the kernel does not tell.
int numa_node_of_caller() {
  unsigned processor = 0;
  unsigned node = 0;
  return ::getcpu(&processor, &node) == 0 ? static_cast<int>(node) : -1;
}

/// Where `own`, the rank of that number among `mates` of its host, belongs.
topology::Placement wanted_place(const LocalHost& host, const std::string& mode_or_file,
                                 const results::Rank& own, int mates) {
  std::vector<topology::Nic> nics;
  for (const results::RankRail& rail : own.rails) {
    nics.push_back({.device = rail.device, .port = rail.port, .rail = rail.rail});
  }
  const auto mode = topology::placement_mode(mode_or_file);
  try {
    const auto placed =
        mode ? topology::place(host.map, nics, mates, *mode)
             : topology::load_placement(mode_or_file, host.map,
                                        static_cast<int>(topology::rails_of(nics)), mates);
    return placed.at(static_cast<std::size_t>(own.local_rank));
  } catch (const std::invalid_argument& error) {
    throw job::RunFailure(Failure::Kind::usage,
                          "--placement " + mode_or_file + ": " + error.what());
  }
}

/// Why ranks of one host, which may use these cpus each, are not bound; "" if they can be.
std::string why_unbound(const std::vector<topology::CpuSet>& allowed, std::size_t cpus) {
  if (std::ranges::count(allowed, allowed.front()) < std::ssize(allowed)) {
    return "not bound: the launcher bound the ranks of this host apart already, and there they "
           "stay (mpirun --bind-to none leaves it to --placement)";
  }
  if (allowed.size() <= cpus) return "";
  return "not bound: " + std::to_string(allowed.size()) + " ranks share " + std::to_string(cpus) +
         (cpus == 1 ? " cpu" : " cpus");
}

/// Where the ranks of this one's host run, or may, and which of them this one is.
std::pair<std::size_t, std::vector<topology::CpuSet>> cpus_of_mates(
    job::Communicator& communicator, const topology::CpuSet& own,
    const std::vector<results::Rank>& ranks) {
  const auto everybody = communicator.all_gather_text(topology::cpu_list(own));
  std::vector<topology::CpuSet> allowed;
  std::size_t self = 0;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank].host != ranks[communicator.rank()].host) continue;
    if (rank == communicator.rank()) self = allowed.size();
    allowed.push_back(topology::parse_cpu_list(everybody[rank]).value_or(topology::CpuSet{}));
  }
  return {self, allowed};
}

void add_remark(std::string& remark, const std::string& more) {
  if (!more.empty()) remark += (remark.empty() ? "" : "; ") + more;
}

}  // namespace

topology::Placement place_ranks(job::Communicator& communicator, const LocalHost& own,
                                const std::string& mode_or_file,
                                std::vector<results::Rank>& ranks) {
  const results::Rank& self = ranks[communicator.rank()];
  const auto allowed = cpus_of_mates(communicator, own.map.allowed, ranks).second;
  topology::Placement wanted =
      wanted_place(own, mode_or_file, self, static_cast<int>(allowed.size()));
  const bool by_file = !topology::placement_mode(mode_or_file);
  const std::string unbound = by_file ? "" : why_unbound(allowed, own.map.allowed.size());
  if (!wanted.cpus.empty() && !unbound.empty()) {
    wanted = {.rails = wanted.rails, .remark = unbound};
  }
  for (const std::string& undone : topology::bind_here(wanted)) add_remark(wanted.remark, undone);
  const results::RankPlacement placement{.mode = by_file ? "file" : mode_or_file,
                                         .rails = wanted.rails,
                                         .cpus = topology::cpu_list(wanted.cpus),
                                         .memory_node = wanted.memory_node,
                                         .verified = std::nullopt,
                                         .remark = wanted.remark};
  const auto everybody =
      job::all_gather_values(communicator, Placed{numa_node_of_caller(), placement});
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    ranks[rank].numa_node = everybody[rank].numa_node;
    ranks[rank].placement = everybody[rank].placement;
  }
  return wanted;
}

OwnProcessors own_processors(job::Communicator& communicator, const topology::CpuSet& own,
                             const std::vector<topology::CpuSet>& cores,
                             const std::vector<results::Rank>& ranks) {
  const auto [self, allowed] = cpus_of_mates(communicator, own, ranks);
  return {topology::has_to_share(self, allowed), topology::share_of_cores(self, allowed, cores)};
}

void verify_placement(job::Communicator& communicator, const topology::Placement& wanted,
                      std::span<const std::span<const std::byte>> buffers,
                      std::vector<results::Rank>& ranks) {
  std::set<int> nodes;
  if (wanted.memory_node >= 0) {
    for (const auto buffer : buffers) nodes.merge(topology::nodes_of_memory(buffer));
  }
  std::string wrong;
  if (!wanted.cpus.empty()) {
    for (const std::string& one : topology::misplaced(wanted, topology::where_am_i(), nodes)) {
      add_remark(wrong, one);
    }
  }
  const auto everybody = communicator.all_gather_text(wrong);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    results::RankPlacement& placement = ranks[rank].placement;
    if (placement.cpus.empty() || placement.verified == false) continue;
    placement.verified = everybody[rank].empty();
    add_remark(placement.remark, everybody[rank]);
  }
}

}  // namespace railgauge::cluster
