#include "topology/planes.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "topology/rail_groups.hpp"

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
  return port_among(host.left_out, nic.device, nic.port) != nullptr;
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
      const Part part = part_of(port, planes.rule);
      if (port.remedy.empty() || part.member < 0 || !there.contains(part.of)) continue;
      if (std::ranges::count(planes.members, part.member) == 0) continue;
      if (there[part.of].insert(part.member).second) host.rails.push_back(idle(port));
    }
    host.rails = in_rail_order(std::move(host.rails));
  }
}

void remove_idle_planes(std::vector<Host>& hosts) {
  for (Host& host : hosts) {
    std::erase_if(host.rails, [&](const Nic& nic) { return is_left_out(host, nic); });
  }
}

namespace {

/// How often two slots have been of one rail, less how often not, and the members at each slot.
class SlotVotes {
 public:
  explicit SlotVotes(std::size_t slots)
      : together_(slots, std::vector<int>(slots)), members_(slots) {}

  void add(const Host& host, PlaneRule rule) {
    std::map<std::size_t, Part> parts;
    for (const Nic& nic : host.rails) {
      if (nic.slot < 0) continue;
      const auto slot = static_cast<std::size_t>(nic.slot);
      parts[slot] = part_of(nic, rule);
      members_[slot].push_back(parts[slot].member);
    }
    for (const auto& [one, part] : parts) {
      for (const auto& [other, its] : parts) {
        const bool same = part.member >= 0 && part.of == its.of;
        together_[one][other] += same ? 1 : -1;
      }
    }
  }

  /// The rail of each slot, in order of the first.
  [[nodiscard]] std::vector<RailPlane> rails() const {
    std::vector<RailPlane> places;
    int rails = 0;
    for (std::size_t slot = 0; slot < together_.size(); ++slot) {
      RailPlane place;
      for (std::size_t before = 0; before < slot && place.rail < 0; ++before) {
        if (together_[slot][before] > 0) place.rail = places[before].rail;
      }
      if (place.rail < 0) place.rail = rails++;
      places.push_back(place);
    }
    return places;
  }

  [[nodiscard]] int member(std::size_t slot) const { return majority(members_[slot]).value_or(-1); }

 private:
  std::vector<std::vector<int>> together_;
  std::vector<std::vector<int>> members_;
};

/// Planes have the order that most rails have them in; if one is none of these, their own.
void number_planes(std::vector<RailPlane>& places, const SlotVotes& votes,
                   const std::vector<int>& usual) {
  std::map<int, std::vector<std::size_t>> slots_of;
  for (std::size_t slot = 0; slot < places.size(); ++slot)
    slots_of[places[slot].rail].push_back(slot);
  for (auto& [rail, slots] : slots_of) {
    std::ranges::stable_sort(slots, {}, [&](std::size_t slot) { return votes.member(slot); });
    const bool as_usual = std::ranges::all_of(
        slots, [&](std::size_t slot) { return std::ranges::count(usual, votes.member(slot)) > 0; });
    for (std::size_t i = 0; i < slots.size(); ++i) {
      RailPlane& place = places[slots[i]];
      const auto found = std::ranges::find(usual, votes.member(slots[i]));
      place.plane =
          static_cast<int>(as_usual ? found - usual.begin() : static_cast<std::ptrdiff_t>(i));
      place.planes = static_cast<int>(slots.size());
    }
  }
}

/// Puts slots into the order of their places.
void reorder(FoundRails& found) {
  std::vector<std::size_t> order(found.slots.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t slot) { return found.slots[slot]; });
  std::vector<int> moved(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) moved[order[i]] = static_cast<int>(i);
  std::ranges::sort(found.slots);
  for (RailGroup& group : found.groups) {
    const std::vector<UsualNic> before = group.slots;
    for (std::size_t i = 0; i < order.size(); ++i) group.slots[i] = before[order[i]];
  }
  for (Host& host : found.hosts) {
    for (Nic& nic : host.rails) {
      if (nic.slot >= 0) nic.slot = moved[static_cast<std::size_t>(nic.slot)];
    }
  }
}

void tell_nics(FoundRails& found) {
  for (Host& host : found.hosts) {
    for (Nic& nic : host.rails) {
      if (nic.slot < 0) continue;
      const RailPlane& place = found.slots[static_cast<std::size_t>(nic.slot)];
      std::tie(nic.rail, nic.plane, nic.planes) = std::tie(place.rail, place.plane, place.planes);
    }
  }
}

}  // namespace

void join_planes(FoundRails& found, const PlanesFound& planes) {
  const std::size_t slots = found.groups.empty() ? 0 : found.groups[0].slots.size();
  SlotVotes votes(slots);
  if (planes.rule != PlaneRule::none) {
    for (const Host& host : sure_hosts(found.hosts, found.groups)) votes.add(host, planes.rule);
  }
  found.slots = votes.rails();
  number_planes(found.slots, votes, planes.members);
  if (planes.rule != PlaneRule::none) reorder(found);
  found.rails = found.slots.empty() ? 0 : static_cast<std::size_t>(found.slots.back().rail) + 1;
  tell_nics(found);
}

namespace {

/// The NICs of each rail of a host whose planes are open, the idle ones too.
using Open = std::map<int, std::vector<Nic*>>;

Open open_of(Host& host) {
  Open open;
  for (Nic& nic : host.rails) {
    if (nic.plane < 0) open[nic.rail].push_back(&nic);
  }
  return open;
}

std::vector<int> ports_of(const Host& host, const std::vector<Nic*>& nics) {
  std::vector<int> ports;
  for (const Nic* nic : nics) {
    if (!is_left_out(host, *nic)) ports.push_back(nic->port);
  }
  std::ranges::sort(ports);
  return ports;
}

/// The ports that most rails use, where all planes of a rail are ports of one device.
std::vector<int> usual_ports(std::vector<Host>& hosts) {
  std::vector<std::vector<int>> all;
  for (Host& host : hosts) {
    for (const auto& [rail, nics] : open_of(host)) {
      const std::string& device = nics.front()->device;
      const bool one =
          std::ranges::all_of(nics, [&](const Nic* nic) { return nic->device == device; });
      if (one) all.push_back(ports_of(host, nics));
    }
  }
  return majority(all).value_or(std::vector<int>{});
}

void add_configured_ports(std::vector<Host>& hosts, const RailMap& map) {
  for (Host& host : hosts) {
    for (const LeftOut& port : host.left_out) {
      const auto place = mapped_place(map, port.device, port.port);
      if (!place || port.remedy.empty()) continue;
      host.rails.push_back(idle(port));
      host.rails.back().rail = place->rail;
      host.rails.back().plane = place->plane;
    }
    host.rails = in_rail_order(std::move(host.rails));
  }
}

void check_places(const Host& host, std::set<std::pair<int, int>>& taken) {
  std::map<std::pair<int, int>, const Nic*> nics;
  for (const Nic& nic : host.rails) {
    if (is_left_out(host, nic)) continue;
    const auto [other, free] = nics.try_emplace({nic.rail, nic.plane}, &nic);
    taken.insert(other->first);
    if (free) continue;
    throw std::invalid_argument(host.name + ": " + name_of(*other->second) + " and " +
                                name_of(nic) + " are both said to be rail " +
                                std::to_string(nic.rail) + " plane " + std::to_string(nic.plane) +
                                "; name ports, and whole names of devices (=)");
  }
}

/// Of the idle ports at one place one is enough, and none where a port is in use.
void keep_one_at_each_place(Host& host) {
  std::set<std::pair<int, int>> taken;
  check_places(host, taken);
  std::erase_if(host.rails, [&](const Nic& nic) {
    return is_left_out(host, nic) && !taken.insert({nic.rail, nic.plane}).second;
  });
}

}  // namespace

void number_configured_planes(std::vector<Host>& hosts, const RailMap& map) {
  add_configured_ports(hosts, map);
  const std::vector<int> usual = usual_ports(hosts);
  for (Host& host : hosts) {
    for (auto& [rail, nics] : open_of(host)) {
      const auto is_usual = [&](int port) { return std::ranges::count(usual, port) > 0; };
      const std::vector<int> ports = ports_of(host, nics);
      const bool as_usual = std::ranges::all_of(ports, is_usual);
      int next = 0;
      for (Nic* nic : nics) {
        if (as_usual && is_usual(nic->port)) {
          const auto found = std::ranges::find(usual, nic->port);
          nic->plane = static_cast<int>(found - usual.begin());
        } else if (!is_left_out(host, *nic)) {
          nic->plane = next++;
        }
      }
    }
    std::erase_if(host.rails, [](const Nic& nic) { return nic.plane < 0; });
    keep_one_at_each_place(host);
  }
}

}  // namespace railgauge::topology
