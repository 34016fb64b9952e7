#pragma once

#include <optional>

#include "topology/ip_address.hpp"

namespace railgauge::topology {

/// The prefix length of the subnet that this host has `address` in: 24 for 10.10.0.1/24. Empty if
/// no network device of this host has that address. Throws std::system_error if the kernel's list
/// of addresses cannot be read.
std::optional<int> prefix_length_of(const IpAddress& address);

}  // namespace railgauge::topology
