#include "topology/planes.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace railgauge::topology {

std::optional<RailPlane> place_in_name(const std::string& name) {
  std::vector<int> rails;
  std::vector<int> planes;
  const auto end_of = [&](std::size_t begin, auto is_kind) {
    while (begin < name.size() && is_kind(static_cast<unsigned char>(name[begin])) != 0) ++begin;
    return begin;
  };
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t digits = end_of(at, [](int one) { return std::isalpha(one); });
    const std::size_t end = end_of(digits, [](int one) { return std::isdigit(one); });
    const std::string word = name.substr(at, digits - at);
    int number = -1;
    std::from_chars(name.data() + digits, name.data() + end, number);
    if (number >= 0 && (word == "r" || word == "rail")) rails.push_back(number);
    if (number >= 0 && (word == "p" || word == "plane")) planes.push_back(number);
    at = std::max(end, at + 1);
  }
  if (rails.size() != 1 || planes.size() != 1) return std::nullopt;
  return RailPlane{rails[0], planes[0]};
}

namespace {

int function_of(const std::string& pci) {
  const std::size_t point = pci.rfind('.');
  int function = -1;
  if (point != std::string::npos) {
    std::from_chars(pci.data() + point + 1, pci.data() + pci.size(), function);
  }
  return function;
}

}  // namespace

Part part_of(const Nic& nic, PlaneRule rule) {
  switch (rule) {
    case PlaneRule::none: break;
    case PlaneRule::ports: return {nic.pci.empty() ? nic.device : nic.pci, nic.port};
    case PlaneRule::cards: return {card_of(nic.pci), function_of(nic.pci)};
    case PlaneRule::names:
      for (const std::string& name : {nic.netdev, nic.device}) {
        if (const auto place = place_in_name(name)) {
          return {std::to_string(place->rail), place->plane};
        }
      }
  }
  return {};
}

bool is_left_out(const Host& host, const Nic& nic) {
  return std::ranges::any_of(host.left_out, [&](const LeftOut& port) {
    return port.device == nic.device && port.port == nic.port;
  });
}

namespace {

/// The parts of each rail of a host, by their numbers.
using Parts = std::map<std::string, std::map<int, const Nic*>>;

Parts parts_of(const Host& host, PlaneRule rule) {
  Parts parts;
  for (const Nic& nic : host.rails) {
    const Part part = part_of(nic, rule);
    if (part.member >= 0) parts[part.of][part.member] = &nic;
  }
  return parts;
}

bool names_tell(const Host& host) {
  const Parts parts = parts_of(host, PlaneRule::names);
  std::size_t told = 0;
  for (const auto& [rail, nics] : parts) told += nics.size();
  return told == host.rails.size() && parts.size() < told;
}

/// Whether subnets, of each card's functions, run in two directions of their own.
bool run_in_two_directions(const std::vector<std::vector<std::uint64_t>>& numbers) {
  const std::uint64_t start = numbers[0][0];
  const std::uint64_t by_card = numbers[1][0] - start;  // modulo 2^64, as they may descend
  const std::uint64_t by_function = numbers[0][1] - start;
  for (std::size_t card = 0; card < numbers.size(); ++card) {
    for (std::size_t function = 0; function < numbers[card].size(); ++function) {
      if (numbers[card][function] != start + card * by_card + function * by_function) return false;
    }
  }
  return by_card != numbers[0].size() * by_function;
}

/// Whether the functions of cards are planes. Of a single card nobody knows.
bool cards_tell(const Host& host) {
  const Parts parts = parts_of(host, PlaneRule::cards);
  if (parts.size() < 2) return false;
  const std::size_t functions = parts.begin()->second.size();
  std::vector<std::vector<std::uint64_t>> numbers;
  bool known = true;
  for (const auto& [card, nics] : parts) {
    if (nics.size() != functions) return false;
    numbers.emplace_back();
    for (const auto& [function, nic] : nics) {
      const auto subnet = telling_subnet(*nic);
      known = known && subnet;
      numbers.back().push_back(subnet ? number_of(*subnet) : 0);
    }
  }
  constexpr std::size_t kSurelyPlanes = 4;
  if (functions < 2 || !known) return functions >= kSurelyPlanes;
  return functions >= kSurelyPlanes || run_in_two_directions(numbers);
}

PlaneRule rule_of(const Host& host) {
  const Parts devices = parts_of(host, PlaneRule::ports);
  if (std::ranges::any_of(devices, [](const auto& one) { return one.second.size() > 1; })) {
    return PlaneRule::ports;
  }
  if (names_tell(host)) return PlaneRule::names;
  return cards_tell(host) ? PlaneRule::cards : PlaneRule::none;
}

std::vector<int> members_of(const std::map<int, const Nic*>& nics) {
  std::vector<int> members;
  members.reserve(nics.size());
  for (const auto& [member, nic] : nics) members.push_back(member);
  return members;
}

/// What more than half of all rails have in use.
std::vector<int> usual_members(const std::vector<Host>& hosts, PlaneRule rule) {
  std::vector<std::vector<int>> all;
  for (const Host& host : hosts) {
    for (const auto& [rail, nics] : parts_of(host, rule)) all.push_back(members_of(nics));
  }
  return majority(all).value_or(std::vector<int>{});
}

}  // namespace

PlanesFound find_planes(const std::vector<Host>& hosts) {
  std::map<PlaneRule, std::size_t> times;
  std::size_t voting = 0;
  for (const Host& host : hosts) {
    if (host.rails.empty()) continue;
    ++times[rule_of(host)];
    ++voting;
  }
  PlanesFound planes;
  for (const PlaneRule rule : {PlaneRule::ports, PlaneRule::names, PlaneRule::cards}) {
    if (times[rule] == 0 || times[rule] * 2 < voting) continue;
    planes.rule = rule;
    break;
  }
  if (planes.rule != PlaneRule::none) planes.members = usual_members(hosts, planes.rule);
  return planes;
}

void add_idle_planes(std::vector<Host>& hosts, const PlanesFound& planes) {
  for (Host& host : hosts) {
    std::map<std::string, std::set<int>> there;
    for (const Nic& nic : host.rails) {
      const Part part = part_of(nic, planes.rule);
      there[part.of].insert(part.member);
    }
    for (const LeftOut& port : host.left_out) {
      Nic nic{.device = port.device, .port = port.port, .netdev = port.netdev, .pci = port.pci};
      const Part part = part_of(nic, planes.rule);
      if (port.remedy.empty() || part.member < 0 || !there.contains(part.of)) continue;
      if (std::ranges::count(planes.members, part.member) == 0) continue;
      if (there[part.of].insert(part.member).second) host.rails.push_back(std::move(nic));
    }
    host.rails = in_rail_order(std::move(host.rails));
  }
}

void remove_idle_planes(std::vector<Host>& hosts) {
  for (Host& host : hosts) {
    std::erase_if(host.rails, [&](const Nic& nic) { return is_left_out(host, nic); });
  }
}

}  // namespace railgauge::topology
