#pragma once

#include <optional>
#include <string>

#include "verdict/curve.hpp"
#include "verdict/finding.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::verdict {

/// What a host's NICs can send in one direction. Empty if their number or line rate is unknown.
std::optional<double> nics_gigabytes_per_second(const Run& run);

/// The share of line rate: what a host's NICs send at this bus bandwidth, over what they can send
/// in one direction. All that says "line rate" in per cent means this. Empty if the NICs, their
/// speed or the ranks are not known, or nothing goes by the NICs.
///
/// Bus bandwidth is what one rank sends (nccl-tests, doc/PERFORMANCE.md), and the ranks of a host
/// share the NICs that they drive. Where all data go by the NICs, a host of p ranks sends p times
/// busbw: one rank with two NICs needs busbw of two to have 100 %, four ranks with two NICs that of
/// half a one, and eight with eight that of one. Where ranks of one host exchange data by other
/// ways (NVLink, memory), a ring leaves the host once and busbw is what the NICs carry; but in an
/// all-to-all each of p ranks sends to the n-p of other hosts, which is p(n-p)/(n-1) times busbw.
/// Gather and scatter have one busy rank.
std::optional<double> line_rate_fraction(const Run& run, double busbw_gigabytes_per_second);

/// Why nobody can be held to a run's share of line rate: what it reached is not its NICs', or these
/// are not known. Empty if one can.
std::string why_no_nic_target(const Run& run);

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
