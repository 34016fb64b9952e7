#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/ip_address.hpp"

namespace railgauge::topology {

/// An address of a network device, and its subnet's prefix length: 24 for 10.10.0.1/24.
struct NetAddress {
  std::string netdev{};
  IpAddress address{};
  int prefix_length = 0;
};

/// All addresses of this host's network devices, in the kernel's order. Throws std::system_error if
/// the kernel's list of addresses cannot be read.
std::vector<NetAddress> addresses_here();

/// The prefix length of the subnet that this host has `address` in: 24 for 10.10.0.1/24. Empty if
/// no network device of this host has that address. Throws as addresses_here() does.
std::optional<int> prefix_length_of(const IpAddress& address);

}  // namespace railgauge::topology
