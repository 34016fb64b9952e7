#pragma once

#include <string>
#include <vector>

#include "topology/rail.hpp"

namespace railgauge::topology {

/// What is wrong with these rails, one sentence each, with what to do; empty if nothing is:
/// - every host must have the same number of rails; a missing one is named, if the subnets tell;
/// - addresses, and so RoCE v2 GIDs, must be unique;
/// - between several hosts, no address may be a loopback address, which no other host can reach;
/// - no host's rails may be crossed: its NICs in the subnets of each other's rails;
/// - a rail must be one subnet. Hosts outside the subnet that most of the rail's hosts are in are
///   named; without a majority, the first host's subnet is used. NICs with a point-to-point prefix
///   (IPv4 /31 and /32, IPv6 /127 and /128) are routed by the fabric, and are not checked.
/// A pure function.
std::vector<std::string> check_rails(const std::vector<Host>& hosts);

/// Rails whose link is slower than most, one sentence each: a cable, a transceiver or a switch port
/// that came up at a lower speed, and slows down the whole collective. Of two speeds that are
/// equally common, the higher is the usual one. NICs whose speed is unknown are skipped.
std::vector<std::string> slow_rails(const std::vector<Host>& hosts);

}  // namespace railgauge::topology
