#pragma once

#include <optional>
#include <string>

#include "verdict/run.hpp"

namespace railgauge::verdict {

/// What a host's NICs can send in one direction. Empty if their number or line rate is unknown.
std::optional<double> nics_gigabytes_per_second(const Run& run);

/// How much of its host's NICs a bus bandwidth takes. Empty if they, or the ranks, are unknown.
///
/// Where all data go by the NICs, a host sends the busbw of each of its p ranks. Where ranks of one
/// host exchange data beside them (NVLink), a ring leaves the host once and busbw is what the NICs
/// carry; but in an all-to-all each of p ranks sends to the n-p of other hosts, which is
/// p(n-p)/(n-1) times busbw. Gather and scatter have one busy rank.
std::optional<double> line_rate_fraction(const Run& run, double busbw_gigabytes_per_second);

/// Why nobody can be held to a run's share of line rate: what it reached is not its NICs', or these
/// are not known. Empty if one can.
std::string why_no_nic_target(const Run& run);

}  // namespace railgauge::verdict
