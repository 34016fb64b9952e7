#include "topology/rail_rule.hpp"

#include <algorithm>
#include <utility>

#include "topology/rail_subnets.hpp"

namespace railgauge::topology {
namespace {

FoundRails by_map(std::vector<Host> hosts, const RailMap& map) {
  for (Host& host : hosts) {
    std::erase_if(host.rails,
                  [&](const Nic& nic) { return !mapped_rail(map, nic.device, nic.port); });
    std::ranges::sort(host.rails, {},
                      [&](const Nic& nic) { return mapped_rail(map, nic.device, nic.port); });
  }
  return {RailRule::user_map, "", std::move(hosts), {}};
}

FoundRails by_pci(std::vector<Host> hosts, std::string reason) {
  const bool known = std::ranges::all_of(hosts, [](const Host& host) {
    return std::ranges::none_of(host.rails, &std::string::empty, &Nic::pci);
  });
  return {known ? RailRule::pci_order : RailRule::device_names,
          std::move(reason),
          std::move(hosts),
          {}};
}

bool has_point_to_point(const std::vector<Host>& hosts) {
  return std::ranges::any_of(hosts, [](const Host& host) {
    return std::ranges::any_of(host.rails, [](const Nic& nic) {
      const auto subnet = subnet_of(nic);
      return subnet && is_point_to_point(*subnet);
    });
  });
}

/// A host's NICs in the order of `rails`, the number of each.
void reorder(Host& host, const std::vector<int>& rails) {
  std::vector<std::pair<int, Nic>> numbered;
  for (std::size_t i = 0; i < rails.size(); ++i) numbered.emplace_back(rails[i], host.rails[i]);
  std::ranges::sort(numbered, {}, &std::pair<int, Nic>::first);
  for (std::size_t i = 0; i < rails.size(); ++i) host.rails[i] = numbered[i].second;
}

}  // namespace

std::string_view words(RailRule rule) {
  switch (rule) {
    case RailRule::user_map: return "user map";
    case RailRule::shared_subnets: return "shared subnets";
    case RailRule::pci_order: return "PCI order";
    case RailRule::device_names: break;
  }
  return "device names";
}

FoundRails find_rails(std::vector<Host> hosts, const RailMap& map) {
  if (!map.empty()) return by_map(std::move(hosts), map);
  for (Host& host : hosts) host.rails = in_rail_order(std::move(host.rails));
  if (hosts.size() < 2) return by_pci(std::move(hosts), "one host shares no subnets");
  if (has_point_to_point(hosts)) {
    return by_pci(std::move(hosts), "the fabric routes to the hosts: point-to-point subnets");
  }
  const auto usual = usual_subnets(hosts);
  FoundRails found{RailRule::shared_subnets, "each subnet is on several hosts", hosts, {}};
  for (Host& host : found.hosts) {
    const std::vector<int> rails = rails_by_subnet(host, usual);
    if (rails.empty() && !host.rails.empty()) {
      return by_pci(std::move(hosts), "the subnets of " + host.name + " are not those of others");
    }
    if (auto crossed = crossing(host, rails); !crossed.empty()) found.crossed.push_back(crossed);
    reorder(host, rails);
  }
  return found;
}

}  // namespace railgauge::topology
