#pragma once

#include <string>
#include <vector>

#include "verdict/against_reference.hpp"
#include "verdict/curve.hpp"
#include "verdict/reference.hpp"

namespace railgauge::verdict {

/// A run of a reference, or why there is none.
struct Choice {
  const Run* run = nullptr;  // of the reference
  std::string why_none{};
};

/// The run to compare ours with: of those of its collective that are not refused the one whose
/// number of hosts is nearest, then that of ranks.
Choice nearest_run(const Run& ours, const Reference& reference, const Terms& terms);

/// The curve to compare ours with: of the same placement, or an unstated one; if there is one, of
/// the same type. Null if there is none.
const Curve* like(const Curve& ours, const std::vector<Curve>& theirs);

}  // namespace railgauge::verdict
