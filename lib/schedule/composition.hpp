#pragma once

#include <functional>
#include <vector>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// Ranks first, first + stride, ... among more.
struct Group {
  Rank first = 0;
  Rank stride = 1;

  [[nodiscard]] Rank rank(Rank number) const { return first + number * stride; }
};

/// Where the blocks of a part lie among those of the whole. Block b of the part is, for every
/// k < times, the blocks from first + b * pitch + k * stride on, `size` of them.
struct Spread {
  Block first = 0;
  Block pitch = 1;
  Block size = 1;
  Block times = 1;
  Block stride = 0;
};

/// Where a rank belongs in a part: its group, its number in it, its blocks.
struct SubgroupRank {
  Group group;
  Rank number = 0;
  Spread spread;
};

/// One part of a composition: all ranks are in groups of one size, which do the same side by side.
struct Part {
  Schedule schedule;  // of one group
  std::function<SubgroupRank(Rank)> subgroup_rank;
};

/// All ranks as one group, with the blocks as they are.
[[nodiscard]] Part all_ranks(Schedule schedule);

/// The parts one after the other; those of groups of one rank are left out where others remain.
/// `whole` has all but steps, cost and rule. Its cost is the sum of the parts': an upper bound,
/// since who is busiest in one part may not be in another. Throws std::invalid_argument for a part
/// with scratch, or with separate buffers: all parts work on the whole's blocks only.
[[nodiscard]] Schedule compose(Schedule whole, std::vector<Part> parts);

}  // namespace railgauge::schedule
