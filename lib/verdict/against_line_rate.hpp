#pragma once

#include <string>

#include "verdict/curve.hpp"
#include "verdict/finding.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::verdict {

/// The share of line rate that a plateau should have: what ngc_multinode_perf (Mellanox) lets pass
/// of a port's speed. Policies have other shares.
constexpr double kLineRateShare = 0.9;

/// Holds the plateau of a curve to `share` of its NICs' line rate (line_rate.hpp). A curve that is
/// below it and still rises at its end has no answer: larger sizes have to be measured.
Finding line_rate_finding(const std::string& criterion, const Run& run, const Curve& curve,
                          double share);

/// The same of every curve.
Findings against_line_rate(const RunSet& run_set, double share = kLineRateShare);

}  // namespace railgauge::verdict
