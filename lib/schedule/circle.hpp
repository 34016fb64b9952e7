#pragma once

#include <algorithm>
#include <stdexcept>

#include "schedule/op.hpp"

namespace railgauge::schedule {

/// Throws std::invalid_argument for a ring of none.
inline void at_least_one(Rank ranks) {
  if (ranks == 0) throw std::invalid_argument("a ring needs at least one rank");
}

/// Appends an op for `count` blocks from `first` on around a circle of `blocks`, or two where they
/// pass its end.
inline void add_around(Action action, Rank peer, Block first, Block count, Block blocks, Ops& ops) {
  const Block here = std::min(count, blocks - first);
  ops.push_back({action, peer, {first, here}});
  if (count > here) ops.push_back({action, peer, {0, count - here}});
}

}  // namespace railgauge::schedule
