#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/rank.hpp"

namespace railgauge::results {

/// Which ranks, hosts and NICs a collective goes by. What is not known is empty.
struct NicUse {
  std::string collective{};  // by its name in nccl-tests
  std::optional<int> nodes{};
  std::optional<int> ranks{};
  std::optional<int> nics_per_node{};
  std::optional<double> line_rate_gigabits_per_second{};  // of one NIC, one direction
  /// What carries data between ranks besides the NICs ("NVLink", "SHARP", "memory"). Empty list:
  /// all go by the NICs, also between ranks of one host. No list: not known.
  std::optional<std::vector<std::string>> beside_nics{};
};

/// A collective of these ranks that takes these rails: ranks, hosts, NICs and line rate, and what
/// carries data besides the NICs. Ranks of a host that drive the same port share one NIC. NICs are
/// not known if hosts differ in their number, nor is line rate if ports differ in it. A NIC's line
/// rate is that of all its planes together; where one NIC has lost a plane, it is the mean of the
/// NICs', so that it is right for the host. `by_memory`: ranks of one host exchange their data
/// through memory.
[[nodiscard]] NicUse nic_use_of(const std::vector<Rank>& ranks, const std::vector<int>& rails,
                                bool by_memory);

/// What a host's NICs can send in one direction. Empty if their number or line rate is unknown.
[[nodiscard]] std::optional<double> nics_gigabytes_per_second(const NicUse& use);

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
[[nodiscard]] std::optional<double> line_rate_fraction(const NicUse& use,
                                                       double busbw_gigabytes_per_second);

}  // namespace railgauge::results
