#pragma once

#include <map>
#include <string_view>

#include "congestion/path_shares.hpp"

namespace railgauge::runner {

/// What a railgauge/fabric/1 says of links between switches, in both directions, in parts of the
/// NICs' rate. Of parallel links one counts, the slowest: a hash may put all flows onto it. Throws
/// std::runtime_error, one sentence, for another text.
[[nodiscard]] std::map<congestion::Link, double> link_rates(std::string_view text,
                                                            double nic_gigabits_per_second);

}  // namespace railgauge::runner
