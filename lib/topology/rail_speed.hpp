#pragma once

#include <string>
#include <vector>

#include "topology/rail.hpp"

namespace railgauge::topology {

/// Rails whose link is slower than that of most, one sentence each: a cable, a transceiver or a
/// switch port that came up at less, and holds up all others in a collective. Of speeds that are
/// as common the higher counts. NICs whose speed is not known are not asked.
std::vector<std::string> slow_rails(const std::vector<Host>& hosts);

}  // namespace railgauge::topology
