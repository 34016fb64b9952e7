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
/// Gather and scatter have one busy rank. Tests of both directions at once (osu_bibw, ib_write_bw
/// -b) print the sum of both: half of it counts.
std::optional<double> line_rate_fraction(const Run& run, double busbw_gigabytes_per_second);

/// More than this share of line rate is a contradiction: the NICs, their speed, the ranks or the
/// figures are not what they are said to be. Some of it is rounding.
constexpr double kMostOfLineRate = 1.02;

/// Why a run's bandwidths are not those of its NICs, whatever they are: one host; something else
/// carries a part of its data, or it is not known what carries them between ranks of one host; NICs
/// that are not known; more than line rate. Empty if they are. It is asked wherever a share of line
/// rate is judged, of ours as of theirs.
std::string why_not_of_nics(const Run& run);

/// Why a share of line rate that is high enough still proves nothing: between two hosts, a tree
/// sends half of what a ring does by the NICs (busbw is then up to 2(n-1)/n times what they carry)
/// if ranks of one host have another way, and nothing says that it was a ring. Empty if it does.
std::string why_in_doubt(const Run& run, const Curve& curve);

/// Takes back a pass that is in doubt.
void doubt(Finding& finding, const Run& run, const Curve& curve);

/// Why nobody can be held to a run's share of line rate: its publisher says so, or its bandwidths
/// are not those of its NICs. Empty if one can.
std::string why_no_nic_target(const Run& run);

/// The share of line rate that a plateau should have: what ngc_multinode_perf (Mellanox) lets pass
/// of a port's speed. Policies have other shares.
constexpr double kLineRateShare = 0.9;

/// Holds the plateau of a curve to `share` of its NICs' line rate (line_rate.hpp). A curve that is
/// below it and still rises at its end has no answer: larger sizes have to be measured; nor has a
/// run whose bandwidths are not those of its NICs, or are in doubt.
Finding line_rate_finding(const std::string& criterion, const Run& run, const Curve& curve,
                          double share);

/// The same of every curve, as far as its sizes count for bandwidth.
Findings against_line_rate(const RunSet& run_set, double share = kLineRateShare,
                           const std::optional<CountedSizes>& counted = {});

}  // namespace railgauge::verdict
