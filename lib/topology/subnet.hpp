#pragma once

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/ip_address.hpp"
#include "topology/rail.hpp"

namespace railgauge::topology {

struct Subnet {
  IpAddress network{};
  int prefix_length = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const Subnet&, const Subnet&) = default;
};

/// "10.10.0.0/24"
std::string to_string(const Subnet& subnet);

/// "10.10.0.7/24"
std::string address_of(const Nic& nic);

/// The subnet that a NIC's address is in; empty if the address, or its prefix, is none.
std::optional<Subnet> subnet_of(const Nic& nic);

/// Two ends and nothing else (IPv4 /31, IPv6 /127), or one address alone (/32, /128): the fabric
/// routes between hosts, and the subnet says nothing about the rail.
bool is_point_to_point(const Subnet& subnet);

/// The first of those for which most others have the same key. `all` is not empty.
template <class T, class Key>
const T& most_common(const std::vector<T>& all, Key key) {
  std::map<decltype(key(all.front())), int> times;
  for (const T& one : all) ++times[key(one)];
  return *std::ranges::max_element(all, {}, [&](const T& one) { return times.at(key(one)); });
}

}  // namespace railgauge::topology
