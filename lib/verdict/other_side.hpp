#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "verdict/curve.hpp"
#include "verdict/finding.hpp"

namespace railgauge::verdict {

/// A point of the other side's curve, or one between two of its points.
struct BaselinePoint {
  Point point{};
  bool is_interpolated = false;  // it has no interval of its median then
};

/// What the other side has at a size. Empty if it lacks it, and may not, or cannot, be
/// interpolated.
std::optional<BaselinePoint> counterpoint(const Curve& theirs, std::uint64_t size_bytes,
                                          bool interpolate);

/// A note of the other side's sizes that were not measured; empty if all were. `whose`:
/// "reference", "baseline".
std::optional<Finding> missing_sizes(const Finding& about, const Curve& ours, const Curve& theirs,
                                     const std::string& whose);

}  // namespace railgauge::verdict
