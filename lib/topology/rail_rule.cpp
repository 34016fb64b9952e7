#include "topology/rail_rule.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "topology/fabrics.hpp"
#include "topology/host_map.hpp"
#include "topology/rail_numbers.hpp"

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

/// To each group's subnets what NICs on that rail are on most hosts.
void add_likeness(FoundRails& found) {
  const std::vector<UsualRail> usual = likeness_of(found).usual();
  for (RailGroup& group : found.groups) {
    for (std::size_t rail = 0; rail < found.rails; ++rail) {
      const auto subnet = group.rails[rail].subnet;
      group.rails[rail] = usual[rail];
      group.rails[rail].subnet = subnet;
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
  add_likeness(found);
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) number(found, group, found.hosts[member]);
  }
  leave_out_spares(found);
  std::ranges::for_each(found.hosts, sort_by_rail);
  found.boards_alike = boards_alike(found);
  say_rule(found);
  return found;
}

}  // namespace railgauge::topology
