#include "topology/rail_rule.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "topology/fabrics.hpp"
#include "topology/planes.hpp"
#include "topology/rail_groups.hpp"

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

namespace {

/// The most common number of NICs; of equally common ones the larger.
std::size_t usual_slots(const std::vector<Host>& hosts) {
  std::map<std::size_t, std::size_t> times;
  for (const Host& host : hosts) ++times[host.rails.size()];
  std::size_t usual = 0;
  std::size_t most = 0;
  for (const auto& [slots, count] : times) {
    if (count < most) continue;
    most = count;
    usual = slots;
  }
  return usual;
}

void sort_by_slot(Host& host) {
  std::ranges::stable_sort(host.rails, {},
                           [](const Nic& nic) { return static_cast<unsigned>(nic.slot); });
}

bool is_like(const LeftOut& port, const Nic& nic) {
  const bool alike = nic.pci.empty() ? port.device == nic.device : port.pci == nic.pci;
  return alike && port.port == nic.port;
}

/// Puts lost rails where they would be, without addresses, until the others are numbered: what a
/// port is does not depend on how many hosts have lost it.
void add_lost_rails(std::vector<Host>& hosts) {
  for (Host& host : hosts) {
    for (const LeftOut& port : host.left_out) {
      if (port.lost_rail && port_among(host.rails, port.device, port.port) == nullptr)
        host.rails.push_back(idle(port));
    }
    host.rails = in_rail_order(std::move(host.rails));
  }
}

/// A NIC beyond the rails, like one that most hosts have and do not use, is a spare one.
void leave_out_spares(FoundRails& found) {
  const auto spare = [&](const Nic& nic) {
    if (nic.slot >= 0) return false;
    const auto idle = std::ranges::count_if(found.hosts, [&](const Host& host) {
      return std::ranges::any_of(host.left_out, [&](const auto& one) { return is_like(one, nic); });
    });
    return static_cast<std::size_t>(idle) * 2 > found.hosts.size();
  };
  for (Host& host : found.hosts) {
    for (const Nic& nic : host.rails) {
      if (spare(nic)) host.left_out.push_back(left_out(nic, "most hosts do not use its like"));
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
         std::ranges::none_of(found.groups[0].slots, &std::string::empty, &UsualNic::pci);
}

/// To each group's subnets what NICs on that rail are on most hosts.
void add_profile(FoundRails& found) {
  const std::vector<UsualNic> usual =
      usual_nics(sure_hosts(found.hosts, found.groups), found.groups[0].slots.size());
  for (RailGroup& group : found.groups) {
    for (std::size_t slot = 0; slot < usual.size(); ++slot) {
      const auto subnet = group.slots[slot].subnet;
      group.slots[slot] = usual[slot];
      group.slots[slot].subnet = subnet;
    }
  }
}

void say_subnets_rule(FoundRails& found) {
  const bool ordered = std::ranges::all_of(
      found.groups, [](const auto& group) { return !group.by_subnet || group.order_known; });
  found.rule = RailRule::shared_subnets;
  found.reason = "each subnet is on several hosts";
  if (!ordered) found.reason += ", though most do not have them in one PCI order";
}

void say_rule(FoundRails& found) {
  if (std::ranges::any_of(found.groups, &RailGroup::by_subnet)) return say_subnets_rule(found);
  const bool pci_known = std::ranges::all_of(found.hosts, [](const Host& host) {
    return std::ranges::none_of(host.rails, &std::string::empty, &Nic::pci);
  });
  found.rule = pci_known ? RailRule::pci_order : RailRule::device_names;
  found.reason = why_not_by_subnet(found);
}

/// Whether the first is of a place before the second's.
bool place_precedes(const RailPlane& one, const RailPlane& other) {
  return std::pair(one.rail, one.plane) < std::pair(other.rail, other.plane);
}

/// The places that NICs have, and `others`, with the number of planes that each rail has.
std::vector<RailPlane> places_of(const std::vector<Host>& hosts, std::vector<RailPlane> others) {
  for (const Host& host : hosts) {
    for (const Nic& nic : host.rails) others.push_back({nic.rail, nic.plane});
  }
  std::ranges::sort(others, place_precedes);
  const auto same = [](const RailPlane& one, const RailPlane& other) {
    return one.rail == other.rail && one.plane == other.plane;
  };
  others.erase(std::unique(others.begin(), others.end(), same), others.end());
  for (RailPlane& one : others) {
    one.planes = static_cast<int>(std::ranges::count(others, one.rail, &RailPlane::rail));
  }
  return others;
}

void tell_slots(FoundRails& found) {
  for (Host& host : found.hosts) {
    for (Nic& nic : host.rails) {
      const auto place =
          std::ranges::lower_bound(found.slots, RailPlane{nic.rail, nic.plane}, place_precedes);
      nic.slot = static_cast<int>(place - found.slots.begin());
      nic.planes = place->planes;
    }
    sort_by_slot(host);
  }
}

/// As the user says: one group, in which no subnet is asked for.
FoundRails as_said(std::vector<Host> hosts, const RailMap& map) {
  number_configured_planes(hosts, map);
  std::vector<RailPlane> mapped;
  mapped.reserve(map.size());
  for (const PortName& port : map) mapped.push_back({*port.rail, port.plane.value_or(0)});
  FoundRails found{.rule = RailRule::user_map, .hosts = std::move(hosts)};
  found.slots = places_of(found.hosts, std::move(mapped));
  found.rails = found.slots.empty() ? 0 : static_cast<std::size_t>(found.slots.back().rail) + 1;
  tell_slots(found);
  RailGroup all;
  for (std::size_t i = 0; i < found.hosts.size(); ++i) all.hosts.push_back(i);
  all.slots = usual_nics(found.hosts, found.slots.size());
  found.groups.push_back(std::move(all));
  remove_idle_planes(found.hosts);
  return found;
}

FoundRails by_map(std::vector<Host> hosts, const RailMap& map) {
  for (Host& host : hosts) {
    for (Nic& nic : host.rails) {
      const auto place = mapped_place(map, nic.device, nic.port).value_or(RailPlane{});
      nic.rail = place.rail;
      nic.plane = place.plane;
    }
    std::erase_if(host.rails, [](const Nic& nic) { return nic.rail < 0; });
  }
  return as_said(std::move(hosts), map);
}

}  // namespace

std::vector<RailPlane> common_slots(const FoundRails& found) {
  std::vector<std::size_t> times(found.slots.size());
  for (const Host& host : found.hosts) {
    for (const Nic& nic : host.rails) {
      if (nic.slot >= 0) ++times[static_cast<std::size_t>(nic.slot)];
    }
  }
  std::vector<RailPlane> common;
  for (std::size_t slot = 0; slot < times.size(); ++slot) {
    if (times[slot] == found.hosts.size()) common.push_back(found.slots[slot]);
  }
  return common;
}

const LeftOut* swapped_with(const FoundRails& found, const Host& host, const Nic& nic) {
  if (nic.slot < 0 || !found.boards_alike) return nullptr;
  const UsualNic& usual = found.groups[0].slots[static_cast<std::size_t>(nic.slot)];
  const auto there = std::ranges::find_if(host.left_out, [&](const LeftOut& one) {
    return same_place(one.pci, one.port, usual) && one.reason.starts_with(kOtherFabric);
  });
  const bool in_place = same_place(nic.pci, nic.port, usual);
  return in_place || there == host.left_out.end() ? nullptr : &*there;
}

FoundRails named_rails(std::vector<Host> hosts, const RailMap& map) {
  for (Host& host : hosts) {
    int rail = 0;
    for (Nic& nic : host.rails) {
      if (nic.rail < 0) nic.rail = rail;
      rail = nic.rail + 1;
    }
  }
  return as_said(std::move(hosts), map);
}

FoundRails find_rails(std::vector<Host> hosts, const RailMap& map) {
  if (!map.empty()) return by_map(std::move(hosts), map);
  for (Host& host : hosts) host.rails = in_rail_order(std::move(host.rails));
  const PlanesFound planes = find_planes(hosts);
  add_idle_planes(hosts, planes);
  add_lost_rails(hosts);
  FoundRails found{.rule = RailRule::pci_order, .hosts = std::move(hosts)};
  const std::size_t slots = usual_slots(found.hosts);
  if (slots == 0) return found;
  found.groups = groups_of(found.hosts);
  for (RailGroup& group : found.groups) settle(found.hosts, group, slots);
  add_profile(found);
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) number(group, found.hosts[member]);
  }
  join_planes(found, planes);
  remove_idle_planes(found.hosts);
  leave_out_spares(found);
  std::ranges::for_each(found.hosts, sort_by_slot);
  found.boards_alike = boards_alike(found);
  say_rule(found);
  return found;
}

}  // namespace railgauge::topology
