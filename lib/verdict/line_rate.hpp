#pragma once

#include <optional>
#include <string>

#include "verdict/curve.hpp"
#include "verdict/row.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::verdict {

// Of a run, as results/nic_use.hpp has them; of groups of ranks (--split) both are empty.
std::optional<double> nics_gigabytes_per_second(const Run& run);
std::optional<double> line_rate_fraction(const Run& run, double busbw_gigabytes_per_second);

/// More than this share of line rate is a contradiction: the NICs, their speed, the ranks or the
/// figures are not what they are said to be. Some of it is rounding.
constexpr double kMostOfLineRate = 1.02;

/// Why a run's bandwidths are not those of its NICs, whatever they are: one host; something else
/// carries a part of its data, or it is not known what carries them between ranks of one host; NICs
/// that are not known; more than line rate. Empty if they are. It is asked wherever a share of line
/// rate is judged, of ours as of theirs.
std::string why_not_of_nics(const Run& run);

/// Takes back a pass that is in doubt: between two hosts, a tree sends half of what a ring does by
/// the NICs (busbw is then up to 2(n-1)/n times what they carry) if ranks of one host have another
/// way, and nothing says that it was a ring.
void doubt(Row& row, const Run& run, const Curve& curve);

/// Why nobody can be held to a run's share of line rate: its publisher says so, or its bandwidths
/// are not those of its NICs. Empty if one can.
std::string why_no_nic_target(const Run& run);

/// The share of line rate that a plateau should have: what ngc_multinode_perf (Mellanox) lets pass
/// of a port's speed. Policies have other shares.
constexpr double kLineRateShare = 0.9;

/// Compares our bandwidth in a row with that share of the line rate of the run's NICs. Where it
/// cannot be compared, the remark says why. A row that fails while the memory of its hosts carries
/// at least 0.8 of what copies reach is open: the fabric is not what limits it.
void hold_to_line_rate(Row& row, const Run& run, const Curve& curve, double share);

/// Holds the plateau of a curve to `share` of its NICs' line rate (line_rate.hpp). A curve that is
/// below it and still rises at its end has no answer: larger sizes have to be measured; nor has a
/// run whose bandwidths are not those of its NICs, or are in doubt.
Row line_rate_row(const std::string& criterion, const Run& run, const Curve& curve, double share);

/// The same of every curve, as far as its sizes count for bandwidth.
Rows against_line_rate(const RunSet& run_set, double share = kLineRateShare,
                       const std::optional<CountedSizes>& counted = {});

}  // namespace railgauge::verdict
