#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/nic_choice.hpp"
#include "topology/rail.hpp"

namespace railgauge::topology {

/// The NIC that most hosts of a group have at a slot (rail.hpp). What most do not agree on is
/// empty.
struct UsualNic {
  std::optional<Subnet> subnet{};  // empty where addresses do not say it
  std::string device{};
  std::string pci{};
  std::string netdev{};
  int port = 1;  // of the device
};

/// Whether ports are known to be of one PCI function, and the same of it.
bool same_place(const std::string& pci, int port, const UsualNic& usual);

/// Hosts that share subnets: all of a fabric, those behind a leaf, or a single one.
struct RailGroup {
  std::vector<std::size_t> hosts{};  // their places in FoundRails::hosts
  std::vector<UsualNic> slots{};
  bool by_subnet = false;    // whether each slot, or most, is a subnet of its own
  bool order_known = false;  // whether most of these hosts have these subnets in one PCI order
};

/// The subnet of a NIC; empty if it says nothing about the rail: point-to-point, IPv4 link-local.
std::optional<Subnet> telling_subnet(const Nic& nic);

/// Whether an address is in a subnet, whatever its own prefix length.
bool is_within(const Nic& nic, const Subnet& subnet);

/// Whether a NIC has another address, which is of that subnet; that address, "" if not.
std::string other_address_within(const Nic& nic, const Subnet& subnet);

using Subnets = std::vector<std::optional<Subnet>>;

/// What a host's NICs tell, in their order.
Subnets subnets_of(const Host& host);

/// Puts hosts that share at least half of their subnets into groups, whose rails are not known yet.
std::vector<RailGroup> groups_of(const std::vector<Host>& hosts);

/// Finds the subnets of a group's `slots` slots. The NICs of all hosts are in PCI order.
void settle(const std::vector<Host>& hosts, RailGroup& group, std::size_t slots);

/// A subnet's number, in steps of which rails are often numbered.
std::uint64_t number_of(const Subnet& subnet);

/// Whether most of these hosts have no two NICs in one subnet.
bool has_one_nic_in_each(const std::vector<Host>& hosts, const std::vector<std::size_t>& members);

/// The value that more than half of all have, by the times that each is there; empty if there is
/// none.
template <class T>
std::optional<T> majority(const std::map<T, std::size_t>& times) {
  std::size_t all = 0;
  for (const auto& [value, count] : times) all += count;
  for (const auto& [value, count] : times) {
    if (count * 2 > all) return value;
  }
  return std::nullopt;
}

template <class T>
std::optional<T> majority(const std::vector<T>& all) {
  std::map<T, std::size_t> times;
  for (const T& one : all) ++times[one];
  return majority(times);
}

/// What most of these hosts have at each slot, without subnets.
std::vector<UsualNic> usual_nics(const std::vector<Host>& hosts, std::size_t slots);

/// The hosts that are as most are, with the slots of their NICs.
std::vector<Host> sure_hosts(const std::vector<Host>& hosts, const std::vector<RailGroup>& groups);

/// Says at which slot each NIC of a host is: by subnet, else by what its like is on other hosts,
/// else the first one free. -1 is a NIC beyond the slots.
void number(const RailGroup& group, Host& host);

}  // namespace railgauge::topology
