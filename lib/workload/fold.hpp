#pragma once

#include <string>
#include <vector>

#include "workload/job.hpp"

namespace railgauge::workload {

/// What is left of a group: of its largest instance.
struct FoldedGroup {
  std::string name{};
  Rank members = 0;  // fewer than two: it does nothing
  Rank of = 0;       // as many in the world
};

/// Some ranks of a job by themselves.
struct FoldedJob {
  Job job{};
  std::vector<Rank> kept{};  // [rank] which rank of the world it does as
  std::vector<FoldedGroup> groups{};
  double sent_percent = 100;  // bytes that they send in a step, of those in the world
};

/// The job of a larger world as `ranks` of it do it, which has to be at least one and fewer than
/// the world's. A group has the members that are kept; an operation that has lost all others is
/// left out, and what waited for it waits for what it waited for. What a member contributes, or has
/// for another, stays as large: an all-reduce stays, an all-gather of half of the members is of
/// half of the bytes. Computes stay. Kept are ranks at equal distances, from 0 on: of the distances
/// that divide the world's share the one at which they send most, and of these the largest.
///
/// Closed forms are of the world: they are left out. Throws std::invalid_argument for a part of a
/// mix none of whose ranks is kept.
[[nodiscard]] FoldedJob folded(const Job& world, Rank ranks);

}  // namespace railgauge::workload
