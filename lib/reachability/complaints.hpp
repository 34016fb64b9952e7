#pragma once

#include <string>
#include <vector>

#include "reachability/matrix.hpp"

namespace railgauge::reachability {

/// A pair is slow below this share of the median of its kind. One-sided: what is quicker than the
/// rest is no fault. A link that came up with half of its lanes is at a half.
constexpr double kSlowShare = 0.5;

/// Compared with the pairs of its kind. What cannot be reached is not slow.
bool is_slow(const Reach& reach, const Kind& kind);

/// Whether a NIC has to reach those of other rails as well. Many fabrics do not let it, and lose
/// nothing.
enum class CrossRail { may_fail, has_to_work };

/// What speaks against the fabric, a sentence each, with both NICs by host, rail, device and
/// address, and what was measured; empty if nothing does:
/// - a host with fewer NICs than others, since a port that is down is none;
/// - a NIC that reaches nobody of its kind, and that nobody reaches, is told once;
/// - any other pair that cannot talk, and has to;
/// - a pair of either kind that is slow.
std::vector<std::string> complaints(const Matrix& matrix, CrossRail cross_rail);

}  // namespace railgauge::reachability
