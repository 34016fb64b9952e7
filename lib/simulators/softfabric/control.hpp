#pragma once

#include <string>
#include <string_view>

#include "softfabric/model.hpp"

namespace railgauge::softfabric {

/// What can be asked and told on softswitch's control socket, for its help.
inline constexpr std::string_view kRequests =
    "  counters                       everything that is counted, as JSON\n"
    "  congestion                     marks, pauses and drops of used priorities only\n"
    "  prometheus                     the same in Prometheus's text format\n"
    "  fault AT DIRECTION WORD...     plant faults at a link, a port or a switch; a-to-b, b-to-a "
    "or both\n"
    "  clear [AT]                     undo the faults there, or all\n"
    "  link AT up|down                plug a cable in, or pull it\n"
    "  reboot SWITCH [TIME]           its links are down for so long (1s)\n"
    "  seed SWITCH NUMBER             of its ECMP hash\n"
    "  path FLOW                      the switches on a flow's way, with ECMP by its 5-tuple\n";

/// Carries out one line, and returns the answer: a line of JSON, {"ok":true} or {"error":"…"} where
/// nothing is asked for; the text of Prometheus. Ends with a newline.
std::string answer(Model& model, std::string_view line);

}  // namespace railgauge::softfabric
