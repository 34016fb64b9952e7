#pragma once

namespace railgauge::measure {

/// A rail that takes so much longer than the fastest, in percent, is worth a word in tables and
/// comparisons. Less is what sharing a host's processors does.
inline constexpr double kSlowRailPercent = 25;

}  // namespace railgauge::measure
