#include "topology/rail_rule.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace railgauge::topology {
namespace {

using Subnets = std::vector<std::optional<Subnet>>;
using Sentences = std::vector<std::string>;

std::optional<Subnet> shared_subnet(const Host& host, std::size_t rail) {
  if (rail >= host.rails.size()) return std::nullopt;
  const auto subnet = subnet_of(host.rails[rail]);
  return subnet && is_point_to_point(*subnet) ? std::nullopt : subnet;
}

/// "0 and 1", "0, 1 and 2"
std::string listed(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
    text += std::to_string(numbers[i]);
  }
  return text;
}

/// The hosts in the usual subnet: "the other 2 hosts", "3 other hosts", or the one by its name.
std::string described(const std::vector<Host>& hosts, std::size_t rail, const Subnet& usual) {
  std::ptrdiff_t having = 0;
  std::ptrdiff_t inside = 0;
  const Host* one = nullptr;
  for (const Host& host : hosts) {
    const auto subnet = shared_subnet(host, rail);
    if (subnet) ++having;
    if (subnet != usual) continue;
    ++inside;
    one = &host;
  }
  if (inside == 1) return one->name;
  const std::string number = std::to_string(inside);
  return inside + 1 == having ? "the other " + number + " hosts" : number + " other hosts";
}

void check_outside(const std::vector<Host>& hosts, const Host& host, const Subnets& usual,
                   Sentences& wrong) {
  for (std::size_t rail = 0; rail < std::min(host.rails.size(), usual.size()); ++rail) {
    const auto subnet = shared_subnet(host, rail);
    if (!subnet || !usual[rail] || subnet == usual[rail]) continue;
    wrong.push_back("rail " + std::to_string(rail) + ": " + host.name + " " +
                    name_of(host.rails[rail]) + " " + address_of(host.rails[rail]) + " is not in " +
                    to_string(*usual[rail]) + " of " + described(hosts, rail, *usual[rail]) +
                    "; fix its address or its cable");
  }
}

}  // namespace

Subnets usual_subnets(const std::vector<Host>& hosts) {
  if (hosts.empty()) return {};
  const auto rails_of = [](const Host& host) { return host.rails.size(); };
  const std::size_t rails = rails_of(most_common(hosts, rails_of));
  Subnets usual;
  for (std::size_t rail = 0; rail < rails; ++rail) {
    std::vector<Subnet> all;
    for (const Host& host : hosts) {
      const auto subnet = shared_subnet(host, rail);
      if (subnet && host.rails.size() == rails) all.push_back(*subnet);
    }
    usual.push_back(all.empty()
                        ? std::nullopt
                        : std::optional(most_common(all, [](const Subnet& s) { return s; })));
  }
  return usual;
}

std::vector<int> rails_by_subnet(const Host& host, const Subnets& usual) {
  if (std::set(usual.begin(), usual.end()).size() != usual.size()) return {};
  std::vector<int> rails;
  for (std::size_t i = 0; i < host.rails.size(); ++i) {
    const auto subnet = shared_subnet(host, i);
    const auto home = std::ranges::find(usual, subnet);
    if (!subnet || home == usual.end()) return {};
    rails.push_back(static_cast<int>(home - usual.begin()));
  }
  return std::set(rails.begin(), rails.end()).size() == rails.size() ? rails : std::vector<int>{};
}

std::string crossing(const Host& host, const std::vector<int>& rails) {
  if (std::ranges::is_sorted(rails)) return "";
  std::vector<int> sorted = rails;
  std::ranges::sort(sorted);
  std::vector<int> crossed;
  std::string found;
  for (std::size_t i = 0; i < rails.size(); ++i) {
    if (rails[i] == sorted[i]) continue;
    const Nic& nic = host.rails[i];
    crossed.push_back(sorted[i]);
    found += (found.empty() ? "" : ", ") + name_of(nic) + " " + address_of(nic) + " is in rail " +
             std::to_string(rails[i]) + "'s subnet";
  }
  const std::string their =
      crossed.size() == 2 ? "swap their two cables" : "put their cables in order";
  return host.name + ": rails " + listed(crossed) + " are crossed: " + found + "; " + their +
         ", or their addresses if the cables are right";
}

Sentences check_subnets(const std::vector<Host>& hosts) {
  const Subnets usual = usual_subnets(hosts);
  Sentences wrong;
  for (const Host& host : hosts) {
    const std::vector<int> rails = rails_by_subnet(host, usual);
    const std::string crossed = crossing(host, rails);
    if (!crossed.empty()) {
      wrong.push_back(crossed);
    } else if (rails.empty()) {
      check_outside(hosts, host, usual, wrong);
    }
  }
  return wrong;
}

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
  if (hosts.size() < 2) return by_pci(std::move(hosts), "a single host shares no subnets");
  if (has_point_to_point(hosts)) {
    return by_pci(std::move(hosts), "point-to-point subnets: the fabric routes to the hosts");
  }
  const auto usual = usual_subnets(hosts);
  FoundRails found{RailRule::shared_subnets, "each subnet is on several hosts", hosts, {}};
  for (Host& host : found.hosts) {
    const std::vector<int> rails = rails_by_subnet(host, usual);
    if (rails.empty() && !host.rails.empty()) {
      return by_pci(std::move(hosts),
                    "the subnets of " + host.name + " are not those of the others");
    }
    if (auto crossed = crossing(host, rails); !crossed.empty()) found.crossed.push_back(crossed);
    reorder(host, rails);
  }
  return found;
}

}  // namespace railgauge::topology
