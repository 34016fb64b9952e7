#pragma once

#include <string>
#include <vector>

#include "verdict/against_reference.hpp"
#include "verdict/curve.hpp"
#include "verdict/reference.hpp"

namespace railgauge::verdict {

/// A run of the other side, or why there is none.
struct Choice {
  const Run* run = nullptr;  // of the other side
  std::string why_none{};
};

/// The run to compare ours with: of those of its collective that are not refused the one whose
/// number of hosts is nearest, then that of ranks.
Choice nearest_run(const Run& ours, const Reference& reference, const Terms& terms);

/// The curve to compare ours with: of the same placement, or an unstated one; if there is one, of
/// the same type. Null if there is none.
const Curve* like(const Curve& ours, const std::vector<Curve>& theirs);

/// Of an earlier result: the run of the same collective, ranks, hosts, NICs and setting. What is no
/// result of ours has no setting, and is taken whatever ours is.
Choice same_run(const Run& ours, const std::vector<Run>& theirs);

/// The curve of the same type, op, algorithm and placement. Null if there is none.
const Curve* same_curve(const Curve& ours, const std::vector<Curve>& theirs);

}  // namespace railgauge::verdict
