#pragma once

#include "verdict/curve.hpp"

namespace railgauge::verdict {

/// By how much times differ by chance, as the standard deviation of their logarithm: 0.02 is 2 %.
struct Noise {
  double theirs = 0;  ///< what the baseline shows of itself
  double both = 0;    ///< what the two runs show together, never less
};

/// How noisy two runs of the same sizes are:
/// - by how much 90th percentiles exceed medians: 1.2816 standard deviations of a normal
/// distribution;
///   the median over sizes, of either run;
/// - how the ratio of the two jumps from one size to the next (the median, times 1.4826 / sqrt 2 as
///   for a normal distribution): what is slower for a cause is slower at neighbouring sizes, too.
///   Of five shared sizes or more.
/// It is of the iterations of one launch and of sizes measured one after the other; what differs
/// from launch to launch (where processes lie, what else runs) shows in it only in part.
[[nodiscard]] Noise noise_of(const Curve& ours, const Curve& theirs);

/// So many standard deviations are no chance; and so many may well be one.
inline constexpr double kNoChance = 4;
inline constexpr double kMaybeChance = 2;
/// No chance makes a pass of what took more than so many times as long.
inline constexpr double kMostByChance = 2;

}  // namespace railgauge::verdict
