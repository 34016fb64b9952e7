#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fabric/description.hpp"

namespace railgauge::fabric::described {

/// Gives an address to every port of a host and every switch that has none, and the default
/// priorities to a fabric that names none. `addressing` decides the form, where N is the place of
/// the port's name among those that hosts have, in order of appearance, and H that of the host:
/// - "subnet": 10.(10+N).0.(H+1)/24: a subnet per rail;
/// - "routed": 10.(10+N).x.y/31 with x.y = 2H: a link is a subnet.
/// Switches: 10.255.TIER.n/32. Throws std::runtime_error where there are more hosts or switches
/// than addresses, and on an address that is none or there twice.
///
/// All hosts have one route per port, to the other end of its link, whatever the destination: the
/// switches route each packet by its destination address.
void fill_in(Fabric& fabric);

/// The addresses of switches alone.
void fill_in_switches(Fabric& fabric);

/// The address of "10.11.0.3/24" or "10.11.0.3" in host byte order; none if it is not one.
std::optional<std::uint32_t> ipv4_of(std::string_view address);

}  // namespace railgauge::fabric::described
