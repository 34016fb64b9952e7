#pragma once

#include <string>
#include <vector>

#include "topology/rail.hpp"

namespace railgauge::topology {

/// What speaks against running over these rails, one sentence each, with what to do; empty if
/// nothing does:
/// - every host has the same number of rails; what a host lacks is named, if its subnets tell;
/// - no address is there twice, and so no RoCE v2 GID, which is an address;
/// - between several hosts, no address is a loopback interface's, which no other host reaches;
/// - no host's rails are crossed: its NICs in the subnets of each other's rails;
/// - a rail is one subnet. Hosts outside the subnet that most of the rail's hosts are in are named;
///   if no subnet has most, the first host's counts. NICs with a point-to-point prefix (IPv4 /31
///   and /32, IPv6 /127 and /128) are routed by the fabric, and are not asked.
/// Looks at nothing but its argument.
std::vector<std::string> check_rails(const std::vector<Host>& hosts);

}  // namespace railgauge::topology
