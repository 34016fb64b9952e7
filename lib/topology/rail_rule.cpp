#include "topology/rail_rule.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "topology/fabrics.hpp"
#include "topology/host_map.hpp"

namespace railgauge::topology {

std::string_view words(RailRule rule) {
  switch (rule) {
    case RailRule::user_map: return "user map";
    case RailRule::shared_subnets: return "shared subnets";
    case RailRule::pci_order: return "PCI order";
    case RailRule::device_names: break;
  }
  return "device names";
}

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

namespace {

using Subnets = std::vector<std::optional<Subnet>>;
using Indices = std::vector<std::size_t>;

/// The value that more than half of all have; empty if there is none.
template <class T>
std::optional<T> majority(const std::vector<T>& all) {
  std::map<T, std::size_t> times;
  for (const T& one : all) {
    if (++times[one] * 2 > all.size()) return one;
  }
  return std::nullopt;
}

/// The most common number of NICs; of equally common ones the larger.
std::size_t usual_rails(const std::vector<Host>& hosts) {
  std::map<std::size_t, std::size_t> times;
  for (const Host& host : hosts) ++times[host.rails.size()];
  std::size_t usual = 0;
  std::size_t most = 0;
  for (const auto& [rails, count] : times) {
    if (count < most) continue;
    most = count;
    usual = rails;
  }
  return usual;
}

// Which hosts share subnets.

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

std::vector<RailGroup> groups_of(const std::vector<Host>& hosts) {
  Grouping grouping(hosts);
  for (std::size_t i = 0; i < hosts.size(); ++i) grouping.add(i, hosts[i]);
  return grouping.groups();
}

// Which subnet each rail of a group is.

Subnets subnets_of(const Host& host) {
  Subnets subnets;
  for (const Nic& nic : host.rails) subnets.push_back(telling_subnet(nic));
  return subnets;
}

/// Those that more than half of the hosts have.
std::set<Subnet> common_subnets(const std::vector<Host>& hosts, const Indices& members) {
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
    if (count * 2 > members.size()) common.insert(subnet);
  }
  return common;
}

/// Whether most of these hosts have no two NICs in one subnet.
bool has_one_nic_in_each(const std::vector<Host>& hosts, const Indices& members) {
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

/// The hosts of a group that have as many NICs as is usual.
Indices complete(const std::vector<Host>& hosts, const RailGroup& group, std::size_t rails) {
  Indices members;
  for (const std::size_t member : group.hosts) {
    if (hosts[member].rails.size() == rails) members.push_back(member);
  }
  return members;
}

/// The order in which most of the hosts with these subnets have them; of two hosts, the order of
/// the one that has them in ascending order, if the other has not. Empty if there is none.
Subnets usual_order(const std::vector<Host>& hosts, const Indices& members,
                    const std::set<Subnet>& common) {
  std::vector<Subnets> orders;
  for (const std::size_t member : members) {
    Subnets order = subnets_of(hosts[member]);
    if (std::set<std::optional<Subnet>>(order.begin(), order.end()).size() == common.size() &&
        std::ranges::all_of(order, [&](const auto& one) { return one && common.contains(*one); })) {
      orders.push_back(std::move(order));
    }
  }
  if (const auto usual = majority(orders)) return *usual;
  if (orders.size() != 2) return {};
  for (const Subnets& order : orders) {
    if (std::ranges::is_sorted(order)) return order;
  }
  return {};
}

/// A subnet's number, in steps of which rails are often numbered.
std::uint64_t number_of(const Subnet& subnet) {
  const bool ipv4 = is_ipv4(subnet.network);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < (ipv4 ? 4U : 8U); ++i) {
    number = number << 8U | subnet.network.bytes[i + (ipv4 ? 12U : 0U)];
  }
  return number;
}

/// Whether `subnet` as rail `rail` continues the series of the rails whose subnets are known, two
/// of them at least.
bool continues(const Subnets& known, std::size_t rail, const Subnet& subnet) {
  std::size_t steps = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (std::size_t j = i + 1; j < known.size(); ++j) {
      if (!known[i] || !known[j]) continue;
      // A comparison of products, as divisions have remainders; modulo 2^64, as rails before i are.
      const std::uint64_t step = number_of(*known[j]) - number_of(*known[i]);
      const std::uint64_t here = number_of(subnet) - number_of(*known[i]);
      if (known[i]->prefix_length != subnet.prefix_length || step * (rail - i) != here * (j - i)) {
        return false;
      }
      ++steps;
    }
  }
  return steps > 0;
}

using SubnetsAt = std::vector<std::vector<Subnet>>;

/// For each place in PCI order, the subnets that these hosts have there.
SubnetsAt subnets_at(const std::vector<Host>& hosts, const Indices& members, std::size_t rails) {
  SubnetsAt at(rails);
  for (const std::size_t member : members) {
    const Subnets own = subnets_of(hosts[member]);
    for (std::size_t rail = 0; rail < rails; ++rail) {
      if (own[rail]) at[rail].push_back(*own[rail]);
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
  for (std::size_t rail = 0; rail < at.size(); ++rail) {
    if (usual[rail]) continue;
    for (const Subnet& subnet : at[rail]) {
      if (continues(agreed, rail, subnet)) usual[rail] = subnet;
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

/// Finds the subnets of a group's rails.
void settle(const std::vector<Host>& hosts, RailGroup& group, std::size_t rails) {
  group.rails.assign(rails, {});
  if (group.hosts.size() < 2) return;
  const auto common = common_subnets(hosts, group.hosts);
  const Indices members = complete(hosts, group, rails);
  const bool each_its_own = has_one_nic_in_each(hosts, group.hosts);
  Subnets usual;
  if (each_its_own && common.size() == rails) {
    usual = usual_order(hosts, members, common);
    if (usual.empty()) usual = usual_places(hosts, members, common);
    group.order_known = !usual.empty();
    if (usual.empty()) usual.assign(common.begin(), common.end());
  } else {
    usual = by_place(subnets_at(hosts, members, rails));
    group.order_known = true;
  }
  group.by_subnet = each_its_own && !common.empty();
  for (std::size_t rail = 0; rail < rails; ++rail) group.rails[rail].subnet = usual[rail];
}

// Which rail each NIC is on.

/// Gives NICs of a host, which have none yet, the rails that are free, where `fits(nic, rail)`.
template <class Fits>
void assign(std::vector<Nic>& nics, std::size_t rails, Fits fits) {
  std::set<int> taken;
  for (const Nic& nic : nics) taken.insert(nic.rail);
  for (Nic& nic : nics) {
    if (nic.rail >= 0) continue;
    for (std::size_t rail = 0; rail < rails; ++rail) {
      if (taken.contains(static_cast<int>(rail)) || !fits(nic, rail)) continue;
      nic.rail = static_cast<int>(rail);
      taken.insert(nic.rail);
      break;
    }
  }
}

bool same(const std::string& left, const std::string& right) {
  return !left.empty() && left == right;
}

/// By subnets. Of two NICs in one subnet the one that has it by its place comes first.
void assign_by_subnet(Host& host, const RailGroup& group) {
  const auto& rails = group.rails;
  const auto exact = [&](const Nic& nic, std::size_t rail) {
    return rails[rail].subnet && telling_subnet(nic) == rails[rail].subnet;
  };
  const bool whole = host.rails.size() == rails.size();
  assign(host.rails, rails.size(), [&](const Nic& nic, std::size_t rail) {
    const auto place = static_cast<std::size_t>(&nic - host.rails.data());
    const bool here = rails[rail].pci.empty() || nic.pci.empty() ? whole && place == rail
                                                                 : nic.pci == rails[rail].pci;
    return here && exact(nic, rail);
  });
  assign(host.rails, rails.size(), exact);
  assign(host.rails, rails.size(), [&](const Nic& nic, std::size_t rail) {
    return rails[rail].subnet && is_within(nic, *rails[rail].subnet);
  });
  assign(host.rails, rails.size(), [&](const Nic& nic, std::size_t rail) {
    return rails[rail].subnet && !other_address_within(nic, *rails[rail].subnet).empty();
  });
}

/// By what NICs on that rail are on the other hosts.
void assign_by_likeness(Host& host, const std::vector<UsualRail>& rails) {
  assign(host.rails, rails.size(),
         [&](const Nic& nic, std::size_t rail) { return same(nic.pci, rails[rail].pci); });
  assign(host.rails, rails.size(),
         [&](const Nic& nic, std::size_t rail) { return same(nic.device, rails[rail].device); });
  assign(host.rails, rails.size(),
         [&](const Nic& nic, std::size_t rail) { return same(nic.netdev, rails[rail].netdev); });
}

void assign_in_order(Host& host, std::size_t rails) {
  assign(host.rails, rails, [](const Nic&, std::size_t) { return true; });
}

/// What most hosts have on each rail, of those whose rails are sure.
class Likeness {
 public:
  explicit Likeness(std::size_t rails) : nics_(rails) {}

  void add(const Host& host) {
    for (const Nic& nic : host.rails) {
      if (nic.rail >= 0) nics_[static_cast<std::size_t>(nic.rail)].push_back(nic);
    }
  }

  [[nodiscard]] std::vector<UsualRail> usual() const {
    std::vector<UsualRail> rails;
    for (std::size_t rail = 0; rail < nics_.size(); ++rail) {
      rails.push_back({std::nullopt, most(rail, &Nic::device), most(rail, &Nic::pci),
                       most(rail, &Nic::netdev)});
    }
    return rails;
  }

 private:
  [[nodiscard]] std::string most(std::size_t rail, std::string Nic::*member) const {
    std::vector<std::string> all;
    for (const Nic& nic : nics_[rail]) all.push_back(nic.*member);
    return majority(all).value_or("");
  }

  std::vector<std::vector<Nic>> nics_;
};

bool in_usual_order(const Host& host, const RailGroup& group) {
  const Subnets own = subnets_of(host);
  if (own.size() != group.rails.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != group.rails[i].subnet) return false;
  }
  return true;
}

/// From the hosts that are as most are.
Likeness likeness_of(const FoundRails& found) {
  Likeness likeness(found.rails);
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) {
      Host host = found.hosts[member];
      if (group.by_subnet && group.order_known && !in_usual_order(host, group)) continue;
      if (group.by_subnet) assign_by_subnet(host, group);
      if (!group.by_subnet && host.rails.size() == found.rails) assign_in_order(host, found.rails);
      likeness.add(host);
    }
  }
  return likeness;
}

/// Whether at least half of a host's NICs are where the usual ones are.
bool on_usual_board(const Host& host, const std::vector<UsualRail>& rails) {
  const auto usual = std::ranges::count_if(host.rails, [&](const Nic& nic) {
    return std::ranges::any_of(rails, [&](const UsualRail& one) { return same(nic.pci, one.pci); });
  });
  return static_cast<std::size_t>(usual) * 2 >= host.rails.size();
}

void number(const FoundRails& found, const RailGroup& group, Host& host) {
  if (group.by_subnet) {
    assign_by_subnet(host, group);
  } else if (host.rails.size() == found.rails && !on_usual_board(host, group.rails)) {
    assign_in_order(host, found.rails);
  }
  assign_by_likeness(host, group.rails);
  if (host.rails.size() <= found.rails || group.rails[0].pci.empty()) {
    assign_in_order(host, found.rails);
  }
}

void sort_by_rail(Host& host) {
  std::ranges::stable_sort(host.rails, {},
                           [](const Nic& nic) { return static_cast<unsigned>(nic.rail); });
}

bool is_like(const LeftOut& port, const Nic& nic) {
  return nic.pci.empty() ? port.device == nic.device : port.pci == nic.pci;
}

/// A NIC beyond the rails, like one that most hosts have and do not use, is a spare one.
void leave_out_spares(FoundRails& found) {
  const auto spare = [&](const Nic& nic) {
    if (nic.rail >= 0) return false;
    const auto idle = std::ranges::count_if(found.hosts, [&](const Host& host) {
      return std::ranges::any_of(host.left_out, [&](const auto& one) { return is_like(one, nic); });
    });
    return static_cast<std::size_t>(idle) * 2 > found.hosts.size();
  };
  for (Host& host : found.hosts) {
    for (const Nic& nic : host.rails) {
      if (!spare(nic)) continue;
      host.left_out.push_back(
          {nic.device, nic.port, "most hosts do not use its like", "", nic.pci, nic.netdev});
    }
    std::erase_if(host.rails, spare);
  }
}

std::string why_not_by_subnet(const FoundRails& found) {
  const auto any = [&](auto holds) {
    return std::ranges::any_of(found.hosts, [&](const Host& host) {
      return std::ranges::any_of(host.rails, [&](const Nic& nic) {
        const auto subnet = subnet_of(nic);
        return subnet && holds(*subnet);
      });
    });
  };
  if (found.hosts.size() < 2) return "a single host shares no subnets";
  if (any(is_point_to_point)) return "point-to-point subnets: the fabric routes to the hosts";
  if (any([](const Subnet& one) { return is_ipv4_link_local(one.network); })) {
    return "link-local addresses do not say the rail";
  }
  for (const RailGroup& group : found.groups) {
    if (group.hosts.size() < 2) continue;
    return has_one_nic_in_each(found.hosts, group.hosts) ? "most hosts agree on no subnet"
                                                         : "hosts have several NICs in one subnet";
  }
  return "hosts share no subnets: the fabric routes to them, which reachability_perf checks";
}

bool boards_alike(const FoundRails& found) {
  return !found.groups.empty() &&
         std::ranges::none_of(found.groups[0].rails, &std::string::empty, &UsualRail::pci);
}

/// As the user says: one group, in which no subnet is asked for.
FoundRails as_said(std::vector<Host> hosts, std::size_t rails) {
  FoundRails found{RailRule::user_map, "", std::move(hosts), rails, {}, false};
  RailGroup all;
  Likeness likeness(rails);
  for (std::size_t i = 0; i < found.hosts.size(); ++i) {
    all.hosts.push_back(i);
    likeness.add(found.hosts[i]);
  }
  all.rails = likeness.usual();
  found.groups.push_back(std::move(all));
  return found;
}

FoundRails by_map(std::vector<Host> hosts, const RailMap& map) {
  for (Host& host : hosts) {
    for (Nic& nic : host.rails) nic.rail = mapped_rail(map, nic.device, nic.port).value_or(-1);
    std::erase_if(host.rails, [](const Nic& nic) { return nic.rail < 0; });
    sort_by_rail(host);
  }
  return as_said(std::move(hosts), map.size());
}

}  // namespace

const LeftOut* swapped_with(const FoundRails& found, const Host& host, const Nic& nic) {
  if (nic.rail < 0 || !found.boards_alike) return nullptr;
  const std::string& usual = found.groups[0].rails[static_cast<std::size_t>(nic.rail)].pci;
  const auto there = std::ranges::find_if(host.left_out, [&](const LeftOut& one) {
    return one.pci == usual && one.reason.starts_with(kOtherFabric);
  });
  return nic.pci == usual || there == host.left_out.end() ? nullptr : &*there;
}

FoundRails named_rails(std::vector<Host> hosts) {
  std::size_t rails = 0;
  for (Host& host : hosts) {
    int rail = 0;
    for (Nic& nic : host.rails) nic.rail = rail++;
    rails = std::max(rails, host.rails.size());
  }
  return as_said(std::move(hosts), rails);
}

FoundRails find_rails(std::vector<Host> hosts, const RailMap& map) {
  if (!map.empty()) return by_map(std::move(hosts), map);
  for (Host& host : hosts) host.rails = in_rail_order(std::move(host.rails));
  FoundRails found{RailRule::pci_order, "", std::move(hosts), 0, {}, false};
  found.rails = usual_rails(found.hosts);
  if (found.rails == 0) return found;
  found.groups = groups_of(found.hosts);
  for (RailGroup& group : found.groups) settle(found.hosts, group, found.rails);
  const std::vector<UsualRail> usual = likeness_of(found).usual();
  for (RailGroup& group : found.groups) {
    for (std::size_t rail = 0; rail < found.rails; ++rail) {
      const auto subnet = group.rails[rail].subnet;
      group.rails[rail] = usual[rail];
      group.rails[rail].subnet = subnet;
    }
  }
  bool by_subnet = false;
  for (const RailGroup& group : found.groups) {
    by_subnet = by_subnet || group.by_subnet;
    for (const std::size_t member : group.hosts) number(found, group, found.hosts[member]);
  }
  leave_out_spares(found);
  std::ranges::for_each(found.hosts, sort_by_rail);
  const bool pci_known = std::ranges::all_of(found.hosts, [](const Host& host) {
    return std::ranges::none_of(host.rails, &std::string::empty, &Nic::pci);
  });
  found.boards_alike = boards_alike(found);
  if (by_subnet) {
    found.rule = RailRule::shared_subnets;
    const bool ordered = std::ranges::all_of(
        found.groups, [](const auto& group) { return !group.by_subnet || group.order_known; });
    found.reason = "each subnet is on several hosts";
    if (!ordered) found.reason += ", though most do not have them in one PCI order";
  } else {
    found.rule = pci_known ? RailRule::pci_order : RailRule::device_names;
    found.reason = why_not_by_subnet(found);
  }
  return found;
}

}  // namespace railgauge::topology
