#pragma once

#include <string>
#include <vector>

#include "reachability/matrix.hpp"

namespace railgauge::reachability {

/// A pair is slow below this share of the median of its kind. One-sided: being faster than the rest
/// is not a fault. A link that came up with half of its lanes is at one half.
constexpr double kSlowShare = 0.5;

/// Compared with the pairs of its kind. An unreachable pair does not look slow.
bool looks_slow(const Reach& reach, const Kind& kind);

/// It looks slow, and would if both ends had run all the time, too: a host that is busy with other
/// things is not a slow path.
bool is_slow(const Reach& reach, const Kind& kind);

/// Whether a NIC has to reach those of other rails as well. Many fabrics do not let it, by design.
enum class CrossRail { may_fail, has_to_work };

/// What is wrong with the fabric, a sentence each, with both NICs by host, rail, device and
/// address, and what was measured; empty if nothing is:
/// - a host with fewer rails than others, since a port that is down does not count; a plane that a
///   host lacks of a rail is none;
/// - a NIC that reaches no other of its kind, and that none reaches, once;
/// - any other pair that cannot communicate, and has to;
/// - a pair of either kind that is slow.
std::vector<std::string> complaints(const Matrix& matrix, CrossRail cross_rail);

/// What is not known of the fabric, a sentence each: of a pair that looks slow and perhaps is not,
/// whether it is.
std::vector<std::string> doubts(const Matrix& matrix);

}  // namespace railgauge::reachability
