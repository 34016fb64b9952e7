#pragma once

#include <string>
#include <vector>

#include "results/port_events.hpp"

namespace railgauge::runner {

/// What ports counted until a run failed, a line for each, those first that counted most of what a
/// healthy fabric does not have: "host1 soft1 10.1.0.2 (rail 1) counted: loss 4,812
/// (to_retransmits), of 93,122 packets sent". Of a class of counters the one that moved most is
/// named: several tell of the same packets. No more than a terminal holds, then how many are left.
[[nodiscard]] std::vector<std::string> port_lines(const std::vector<results::PortEvents>& events);

}  // namespace railgauge::runner
