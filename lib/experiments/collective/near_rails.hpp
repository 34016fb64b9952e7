#pragma once

#include <span>
#include <string>
#include <vector>

#include "executor/channels.hpp"
#include "experiments/collective/rail_choice.hpp"
#include "results/rank.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// The NUMA nodes of a rank and of the NICs that it drives; -1: not known.
struct RankNodes {
  std::string host{};
  int node = -1;
  bool bound = false;         // its memory is bound to that node
  std::vector<int> planes{};  // [plane] of the NIC

  [[nodiscard]] bool is_near(unsigned plane) const { return planes[plane] == node; }
};

/// Of all ranks, with the rails that each drives.
[[nodiscard]] std::vector<RankNodes> nodes_of(std::span<const results::Rank> ranks,
                                              std::span<const RailSet> driven);

/// Whether each NIC of each host has a rank on its node.
[[nodiscard]] bool every_nic_has_a_rank_near(std::span<const RankNodes> nodes);

/// Which rails ranks take so that data do not pass between NUMA nodes of a host, where every rail
/// has a rank near it: two ranks take those that both are near, if these are the same; other pairs
/// take all. As NCCL does, whose channels enter and leave a host at the GPU near their NIC.
class NearRails {
 public:
  /// Every pair takes all rails unless the memory of every rank is bound to a node, each NIC of
  /// every host has a rank on its node, and all ranks are near equally many of several: a number
  /// that divides that of all.
  explicit NearRails(std::vector<RankNodes> nodes);

  [[nodiscard]] bool any() const { return !near_.empty(); }
  [[nodiscard]] executor::FewerRails of(schedule::Rank rank) const;

  /// The most progress threads, up to `wished`, among which the near rails of every rank can be
  /// divided (executor::RailShare::part_of()).
  [[nodiscard]] unsigned threads(unsigned wished) const;

  /// Whether each step of the schedule loads the NICs of the rank's host equally, in and out. If
  /// not, as with a tree whose ranks near some NICs are idle while others send, all rails to every
  /// peer are faster. Ranks of a host may exchange data by memory.
  [[nodiscard]] bool load_equally(const schedule::Schedule& schedule, schedule::Rank of_host,
                                  bool by_memory) const;

 private:
  class Load;

  std::vector<RankNodes> nodes_;
  std::vector<std::vector<unsigned>> near_{};  // [rank] its planes; empty: none has any
};

}  // namespace railgauge::runner
