#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace railgauge::softfabric {

enum class End { a, b };

/// What launchers/fabric and softswitch agree on. A link between a host and a switch is a pair of
/// veths; in the switches' network namespace (there is one for all) its switch end is called
/// "sw12a" if the switch is `a` of links[12], else "sw12b". Links between switches are within
/// softswitch and have no netdevs. MTU of netdevs is the link's.
std::string switch_netdev(std::size_t link, End end);

/// MAC address of either end of any link, "02:72:67:00:0c:0a" for `a` of links[12] (…:0b for `b`).
/// Nobody asks by ARP: a host sends all that leaves a port to the other end's MAC.
std::string mac_address(std::size_t link, End end);

/// "02:72:67:00:0c:0a" as six bytes.
std::array<std::byte, 6> mac_of(const std::string& text);

}  // namespace railgauge::softfabric
