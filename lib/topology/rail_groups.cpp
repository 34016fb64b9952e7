#include "topology/rail_groups.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace railgauge::topology {

std::optional<Subnet> telling_subnet(const Nic& nic) {
  const auto subnet = subnet_of(nic);
  if (!subnet || is_point_to_point(*subnet) || is_ipv4_link_local(subnet->network)) return {};
  return subnet;
}

bool is_within(const Nic& nic, const Subnet& subnet) {
  const auto address = parse_ip_address(nic.address);
  return address && is_ipv4(*address) == is_ipv4(subnet.network) &&
         network_of(*address, subnet.prefix_length) == subnet.network;
}

std::string other_address_within(const Nic& nic, const Subnet& subnet) {
  for (const std::string& other : nic.other_addresses) {
    Nic with_it{.address = other.substr(0, other.find('/'))};
    if (is_within(with_it, subnet)) return other;
  }
  return "";
}

Subnets subnets_of(const Host& host) {
  Subnets subnets;
  for (const Nic& nic : host.rails) subnets.push_back(telling_subnet(nic));
  return subnets;
}

bool has_one_nic_in_each(const std::vector<Host>& hosts, const std::vector<std::size_t>& members) {
  std::size_t distinct = 0;
  for (const std::size_t member : members) {
    std::set<Subnet> own;
    std::size_t telling = 0;
    for (const auto& subnet : subnets_of(hosts[member])) {
      if (!subnet) continue;
      ++telling;
      own.insert(*subnet);
    }
    if (own.size() == telling) ++distinct;
  }
  return distinct * 2 > members.size();
}

namespace {

using Indices = std::vector<std::size_t>;

/// Forms groups of hosts as they come.
class Grouping {
 public:
  explicit Grouping(const std::vector<Host>& hosts) {
    for (const Host& host : hosts) {
      for (const Nic& nic : host.rails) {
        if (const auto subnet = telling_subnet(nic)) lengths_.insert(subnet->prefix_length);
      }
    }
  }

  void add(std::size_t number, const Host& host) {
    const std::size_t group = group_of(host);
    if (group == groups_.size()) groups_.emplace_back();
    groups_[group].hosts.push_back(number);
    for (const Nic& nic : host.rails) {
      if (const auto subnet = telling_subnet(nic)) owners_.try_emplace(*subnet, group);
    }
  }

  std::vector<RailGroup> groups() { return std::move(groups_); }

 private:
  /// The group that has the NIC's subnet, if need be with another prefix length.
  [[nodiscard]] std::optional<std::size_t> owner_of(const Nic& nic) const {
    const auto own = telling_subnet(nic);
    if (const auto found = own ? owners_.find(*own) : owners_.end(); found != owners_.end()) {
      return found->second;
    }
    const auto address = parse_ip_address(nic.address);
    for (const int length : lengths_) {
      if (!own || length > address_bits(*address)) continue;
      const auto found = owners_.find({network_of(*address, length), length});
      if (found != owners_.end()) return found->second;
    }
    return std::nullopt;
  }

  /// The group with which the host shares most subnets, and at least half of them; a new one if
  /// there is none.
  [[nodiscard]] std::size_t group_of(const Host& host) const {
    std::map<std::size_t, std::size_t> shared;
    std::size_t telling = 0;
    for (const Nic& nic : host.rails) {
      if (telling_subnet(nic)) ++telling;
      if (const auto owner = owner_of(nic)) ++shared[*owner];
    }
    const auto best =
        std::ranges::max_element(shared, {}, [](const auto& one) { return one.second; });
    return best == shared.end() || best->second * 2 < telling ? groups_.size() : best->first;
  }

  std::set<int> lengths_;
  std::map<Subnet, std::size_t> owners_;
  std::vector<RailGroup> groups_;
};

/// Those that more than half of the hosts have; all, if that is one for each slot: a rail that most
/// hosts have lost has a subnet on the others alone.
std::set<Subnet> common_subnets(const std::vector<Host>& hosts, const Indices& members,
                                std::size_t slots) {
  std::map<Subnet, std::size_t> having;
  for (const std::size_t member : members) {
    std::set<Subnet> own;
    for (const auto& subnet : subnets_of(hosts[member])) {
      if (subnet) own.insert(*subnet);
    }
    for (const Subnet& subnet : own) ++having[subnet];
  }
  std::set<Subnet> common;
  for (const auto& [subnet, count] : having) {
    if (count * 2 > members.size() || having.size() == slots) common.insert(subnet);
  }
  return common;
}

/// The hosts of a group that have as many NICs as is usual.
Indices complete(const std::vector<Host>& hosts, const RailGroup& group, std::size_t slots) {
  Indices members;
  for (const std::size_t member : group.hosts) {
    if (hosts[member].rails.size() == slots) members.push_back(member);
  }
  return members;
}

/// Whether a host's subnets ascend in two directions: over the ports of each device, and over the
/// devices for each port number, as planes do that are numbered before rails.
bool ascends_by_ports(const Host& host) {
  std::map<std::string, Subnets> of_device;
  std::map<int, Subnets> of_port;
  for (const Nic& nic : host.rails) {
    of_device[nic.device].push_back(telling_subnet(nic));
    of_port[nic.port].push_back(telling_subnet(nic));
  }
  const auto sorted = [](const auto& one) { return std::ranges::is_sorted(one.second); };
  return std::ranges::all_of(of_device, sorted) && std::ranges::all_of(of_port, sorted);
}

/// The order in which most of the hosts with these subnets have them; of two hosts, the order of
/// the one that has them in ascending order, if the other has not. Empty if there is none.
Subnets usual_order(const std::vector<Host>& hosts, const Indices& members,
                    const std::set<Subnet>& common) {
  std::vector<Subnets> orders;
  Indices holders;
  for (const std::size_t member : members) {
    Subnets order = subnets_of(hosts[member]);
    if (std::set<std::optional<Subnet>>(order.begin(), order.end()).size() == common.size() &&
        std::ranges::all_of(order, [&](const auto& one) { return one && common.contains(*one); })) {
      orders.push_back(std::move(order));
      holders.push_back(member);
    }
  }
  const bool of_most = orders.size() * 2 > members.size();
  if (const auto usual = majority(orders); usual && of_most) return *usual;
  if (orders.size() != 2) return {};
  for (const Subnets& order : orders) {
    if (std::ranges::is_sorted(order)) return order;
  }
  for (const std::size_t holder : holders) {
    if (ascends_by_ports(hosts[holder])) return subnets_of(hosts[holder]);
  }
  return {};
}

/// Whether `subnet` at slot `slot` continues the series of the slots whose subnets are known, two
/// of them at least.
bool continues(const Subnets& known, std::size_t slot, const Subnet& subnet) {
  std::optional<std::size_t> before;
  bool any = false;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]) continue;
    if (known[i]->prefix_length != subnet.prefix_length) return false;
    const std::size_t from = before.value_or(i);
    // A comparison of products, as divisions have remainders; modulo 2^64, as rails before are.
    const std::uint64_t step = number_of(*known[i]) - number_of(*known[from]);
    const std::uint64_t here = number_of(subnet) - number_of(*known[from]);
    if (step * (slot - from) != here * (i - from)) return false;
    any = any || before.has_value();
    before = i;
  }
  return any;
}

using SubnetsAt = std::vector<std::vector<Subnet>>;

/// For each place in PCI order, the subnets that these hosts have there.
SubnetsAt subnets_at(const std::vector<Host>& hosts, const Indices& members, std::size_t slots) {
  SubnetsAt at(slots);
  for (const std::size_t member : members) {
    const Subnets own = subnets_of(hosts[member]);
    for (std::size_t slot = 0; slot < slots; ++slot) {
      if (own[slot]) at[slot].push_back(*own[slot]);
    }
  }
  return at;
}

/// At each place the subnet that most have there.
Subnets majorities(const SubnetsAt& at) {
  Subnets usual;
  usual.reserve(at.size());
  for (const auto& there : at) usual.push_back(majority(there));
  return usual;
}

/// The same; where most do not agree, the subnet that continues the series.
Subnets by_place(const SubnetsAt& at) {
  const Subnets agreed = majorities(at);
  Subnets usual = agreed;
  for (std::size_t slot = 0; slot < at.size(); ++slot) {
    if (usual[slot]) continue;
    for (const Subnet& subnet : at[slot]) {
      if (continues(agreed, slot, subnet)) usual[slot] = subnet;
    }
  }
  return usual;
}

/// The order that most hosts have at each place by itself, though each host differs somewhere.
/// Empty if it is not one of all these subnets.
Subnets usual_places(const std::vector<Host>& hosts, const Indices& members,
                     const std::set<Subnet>& common) {
  Subnets usual = majorities(subnets_at(hosts, members, common.size()));
  std::set<Subnet> there;
  for (const auto& subnet : usual) {
    if (subnet) there.insert(*subnet);
  }
  return there == common ? usual : Subnets{};
}

}  // namespace

bool same_place(const std::string& pci, int port, const UsualNic& usual) {
  return !pci.empty() && pci == usual.pci && port == usual.port;
}

std::uint64_t number_of(const Subnet& subnet) {
  const bool ipv4 = is_ipv4(subnet.network);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < (ipv4 ? 4U : 8U); ++i) {
    number = number << 8U | subnet.network.bytes[i + (ipv4 ? 12U : 0U)];
  }
  return number;
}

std::vector<RailGroup> groups_of(const std::vector<Host>& hosts) {
  Grouping grouping(hosts);
  for (std::size_t i = 0; i < hosts.size(); ++i) grouping.add(i, hosts[i]);
  return grouping.groups();
}

void settle(const std::vector<Host>& hosts, RailGroup& group, std::size_t slots) {
  group.slots.assign(slots, {});
  if (group.hosts.size() < 2) return;
  const auto common = common_subnets(hosts, group.hosts, slots);
  const Indices members = complete(hosts, group, slots);
  const bool each_its_own = has_one_nic_in_each(hosts, group.hosts);
  Subnets usual;
  if (each_its_own && common.size() == slots) {
    usual = usual_order(hosts, members, common);
    if (usual.empty()) usual = usual_places(hosts, members, common);
    group.order_known = !usual.empty();
    if (usual.empty()) usual.assign(common.begin(), common.end());
  } else {
    usual = by_place(subnets_at(hosts, members, slots));
    group.order_known = true;
  }
  group.by_subnet = each_its_own && !common.empty();
  for (std::size_t slot = 0; slot < slots; ++slot) group.slots[slot].subnet = usual[slot];
}

namespace {

/// Gives NICs of a host, which have none yet, the slots that are free, where `fits(nic, slot)`.
template <class Fits>
void assign(std::vector<Nic>& nics, std::size_t slots, Fits fits) {
  std::set<int> taken;
  for (const Nic& nic : nics) taken.insert(nic.slot);
  for (Nic& nic : nics) {
    if (nic.slot >= 0) continue;
    for (std::size_t slot = 0; slot < slots; ++slot) {
      if (taken.contains(static_cast<int>(slot)) || !fits(nic, slot)) continue;
      nic.slot = static_cast<int>(slot);
      taken.insert(nic.slot);
      break;
    }
  }
}

bool same(const std::string& left, const std::string& right) {
  return !left.empty() && left == right;
}

/// By subnets. Of two NICs in one subnet the one that has it by its place comes first.
void assign_by_subnet(Host& host, const RailGroup& group) {
  const auto& slots = group.slots;
  const auto exact = [&](const Nic& nic, std::size_t slot) {
    return slots[slot].subnet && telling_subnet(nic) == slots[slot].subnet;
  };
  const bool whole = host.rails.size() == slots.size();
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    const auto place = static_cast<std::size_t>(&nic - host.rails.data());
    const bool here = slots[slot].pci.empty() || nic.pci.empty()
                          ? whole && place == slot
                          : same_place(nic.pci, nic.port, slots[slot]);
    return here && exact(nic, slot);
  });
  assign(host.rails, slots.size(), exact);
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    return slots[slot].subnet && is_within(nic, *slots[slot].subnet);
  });
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    return slots[slot].subnet && !other_address_within(nic, *slots[slot].subnet).empty();
  });
}

/// By what NICs at that slot are on the other hosts.
void assign_by_profile(Host& host, const std::vector<UsualNic>& slots) {
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    return same_place(nic.pci, nic.port, slots[slot]);
  });
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    return same(nic.device, slots[slot].device) && nic.port == slots[slot].port;
  });
  assign(host.rails, slots.size(),
         [&](const Nic& nic, std::size_t slot) { return same(nic.netdev, slots[slot].netdev); });
}

void assign_in_order(Host& host, std::size_t slots) {
  assign(host.rails, slots, [](const Nic&, std::size_t) { return true; });
}

/// Whether a host has the subnets of most in their order. An idle plane (planes.hpp) has none.
bool in_usual_order(const Host& host, const RailGroup& group) {
  const Subnets own = subnets_of(host);
  if (own.size() != group.slots.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != group.slots[i].subnet && !host.rails[i].address.empty()) return false;
  }
  return true;
}

/// Whether at least half of a host's NICs are where the usual ones are.
bool on_usual_board(const Host& host, const std::vector<UsualNic>& slots) {
  const auto usual = std::ranges::count_if(host.rails, [&](const Nic& nic) {
    return std::ranges::any_of(slots, [&](const UsualNic& one) { return same(nic.pci, one.pci); });
  });
  return static_cast<std::size_t>(usual) * 2 >= host.rails.size();
}

template <class T>
std::optional<T> most(const std::vector<const Nic*>& nics, T Nic::*member) {
  std::vector<T> all;
  all.reserve(nics.size());
  for (const Nic* const nic : nics) all.push_back(nic->*member);
  return majority(all);
}

}  // namespace

std::vector<UsualNic> usual_nics(const std::vector<Host>& hosts, std::size_t slots) {
  std::vector<std::vector<const Nic*>> nics_at(slots);
  for (const Host& host : hosts) {
    for (const Nic& nic : host.rails) {
      if (nic.slot >= 0) nics_at[static_cast<std::size_t>(nic.slot)].push_back(&nic);
    }
  }
  std::vector<UsualNic> usual;
  usual.reserve(slots);
  for (const auto& nics : nics_at) {
    usual.push_back({std::nullopt, most(nics, &Nic::device).value_or(""),
                     most(nics, &Nic::pci).value_or(""), most(nics, &Nic::netdev).value_or(""),
                     most(nics, &Nic::port).value_or(1)});
  }
  return usual;
}

std::vector<Host> sure_hosts(const std::vector<Host>& hosts, const std::vector<RailGroup>& groups) {
  std::vector<Host> sure;
  for (const RailGroup& group : groups) {
    for (const std::size_t member : group.hosts) {
      Host host = hosts[member];
      if (group.by_subnet && group.order_known && !in_usual_order(host, group)) continue;
      if (group.by_subnet) assign_by_subnet(host, group);
      const bool whole = host.rails.size() == group.slots.size();
      if (whole && (!group.by_subnet || group.order_known)) {
        assign_in_order(host, group.slots.size());
      }
      sure.push_back(std::move(host));
    }
  }
  return sure;
}

void number(const RailGroup& group, Host& host) {
  const std::size_t slots = group.slots.size();
  if (group.by_subnet) {
    assign_by_subnet(host, group);
  } else if (host.rails.size() == slots && !on_usual_board(host, group.slots)) {
    assign_in_order(host, slots);
  }
  assign_by_profile(host, group.slots);
  if (host.rails.size() <= slots || group.slots[0].pci.empty()) assign_in_order(host, slots);
}

}  // namespace railgauge::topology
