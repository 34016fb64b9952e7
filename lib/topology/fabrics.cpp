#include "topology/fabrics.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "topology/rail_groups.hpp"

namespace railgauge::topology {
namespace {

/// What sets a NIC apart from the rails of its host. The empty kind: nothing.
struct Kind {
  std::string name{};    // of the fabric that it would be
  std::string reason{};  // "100 Gb/s, the rails 400"
  bool by_series = false;
  bool by_speed_alone = false;  // and model, name and series are those of the rails

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const Kind&, const Kind&) = default;
};

using Kinds = std::vector<Kind>;  // of a host's NICs

constexpr const char* kUnlike = "?";       // of what no other host has the like
constexpr double kLeastStorageSpeed = 50;  // Gb/s; management is slower
constexpr std::size_t kSeries = 4;         // NICs alike are rails, whatever the default route
constexpr std::uint64_t kFarGap = 8;       // usual steps between subnets of one series

/// The speed at which a host has most of its bandwidth; of equals the faster.
double main_speed(const std::vector<Nic>& nics) {
  std::map<double, double> bandwidth;
  for (const Nic& nic : nics) bandwidth[nic.gigabits_per_second] += nic.gigabits_per_second;
  double most = 0;
  double speed = 0;
  for (const auto& [one, sum] : bandwidth) {
    if (sum >= most) std::tie(most, speed) = std::tie(sum, one);
  }
  return speed;
}

/// What subnets of one series are in together.
std::string block_of(const IpAddress& address) {
  const auto first = address.bytes[12];
  const auto second = address.bytes[13];
  if (!is_ipv4(address)) return "IPv6 " + std::to_string(address.bytes[0]);
  if (first == 172 && second >= 16 && second < 32) return "172.16.0.0/12";  // RFC 1918
  if (first == 192 && second == 168) return "192.168.0.0/16";
  return std::to_string(first);
}

/// The usual step between the subnets of a block: the lower median, 0 if there is none.
std::uint64_t usual_step(const std::set<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> steps;
  std::optional<std::uint64_t> before;
  for (const std::uint64_t number : numbers) {
    if (before) steps.push_back(number - *before);
    before = number;
  }
  std::ranges::sort(steps);
  return steps.empty() ? 0 : steps[(steps.size() - 1) / 2];
}

/// The first number of the series that each is in: a series has no gap of many usual steps.
std::map<std::uint64_t, std::uint64_t> starts_of(const std::set<std::uint64_t>& numbers) {
  const std::uint64_t most = kFarGap * usual_step(numbers);
  std::map<std::uint64_t, std::uint64_t> starts;
  std::uint64_t start = *numbers.begin();
  std::uint64_t last = start;
  for (const std::uint64_t number : numbers) {
    if (number - last > most) start = number;
    last = number;
    starts[number] = start;
  }
  return starts;
}

/// Which series of subnets each NIC is in; "" without an address.
std::vector<std::string> series_of(const std::vector<Nic>& nics) {
  std::map<std::string, std::set<std::uint64_t>> blocks;
  for (const Nic& nic : nics) {
    if (const auto at = subnet_of(nic)) blocks[block_of(at->network)].insert(number_of(*at));
  }
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> starts;
  for (const auto& [block, numbers] : blocks) starts[block] = starts_of(numbers);
  std::vector<std::string> series;
  for (const Nic& nic : nics) {
    series.emplace_back();
    const auto at = subnet_of(nic);
    if (!at) continue;
    const std::string block = block_of(at->network);
    series.back() = block + " " + std::to_string(starts.at(block).at(number_of(*at)));
  }
  return series;
}

/// A name without its number, "stor" of "stor0"; "" for one that the kernel makes or udev.
std::string stem(const std::string& name, const std::vector<std::string>& systematic) {
  for (const std::string& start : systematic) {
    if (name.starts_with(start)) return "";
  }
  return name.substr(0, name.find_first_of("0123456789"));
}

std::string stem_of(const Nic& nic) {
  const std::string netdev = stem(nic.netdev, {"en", "eth", "ib", "net", "wl"});
  if (!netdev.empty() || nic.device.starts_with("mlx5_bond_")) {
    return netdev.empty() ? "bond" : netdev;
  }
  return stem(nic.device, {"mlx", "roce", "bnxt_re", "ib", "irdma", "rxe"});
}

/// The value that most have; empty if none is in front.
template <class T>
std::optional<T> most_frequent(const std::vector<T>& all) {
  std::map<T, std::size_t> times;
  for (const T& one : all) ++times[one];
  std::optional<T> first;
  std::size_t most = 0;
  for (const auto& [one, count] : times) {
    if (count == most) first = std::nullopt;
    if (count <= most) continue;
    most = count;
    first = one;
  }
  return first;
}

/// Marks those of the unmarked NICs whose `trait` is not that of most.
template <class Trait, class KindOf>
void mark(const std::vector<Nic>& nics, Kinds& kinds, Trait traits_of, KindOf kind_of) {
  std::vector<Nic> unmarked;
  for (std::size_t i = 0; i < nics.size(); ++i) {
    if (kinds[i].name.empty()) unmarked.push_back(nics[i]);
  }
  const std::vector<std::string> traits = traits_of(unmarked);
  const auto usual = most_frequent(traits);
  if (!usual) return;
  for (std::size_t i = 0, next = 0; i < nics.size(); ++i) {
    if (!kinds[i].name.empty()) continue;
    if (traits[next] != *usual) kinds[i] = kind_of(nics[i], traits[next], *usual);
    ++next;
  }
}

void mark_speeds(const std::vector<Nic>& nics, Kinds& kinds) {
  const double main = main_speed(nics);
  for (std::size_t i = 0; i < nics.size(); ++i) {
    const double speed = nics[i].gigabits_per_second;
    if (speed == 0 || speed == main) continue;
    const bool management = speed < kLeastStorageSpeed || nics[i].default_route;
    kinds[i] = {management ? "management" : "storage",
                speed_text(speed) + " Gb/s, the rails " + speed_text(main)};
  }
}

/// The NICs of a host that are like this one, itself included.
std::ptrdiff_t alike(const std::vector<Nic>& nics, const std::vector<std::string>& series,
                     std::size_t which) {
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < nics.size(); ++i) {
    if (nics[i].gigabits_per_second == nics[which].gigabits_per_second &&
        nics[i].model == nics[which].model && series[i] == series[which]) {
      ++count;
    }
  }
  return count;
}

/// The speed of a slow link, or of another fabric: nothing else sets it apart from the rails.
void mark_speed_alone(const std::vector<Nic>& nics, Kinds& kinds) {
  const auto series = series_of(nics);
  for (std::size_t i = 0; i < nics.size(); ++i) {
    if (kinds[i].name.empty()) continue;
    for (std::size_t rail = 0; rail < nics.size(); ++rail) {
      kinds[i].by_speed_alone |= kinds[rail].name.empty() && nics[rail].model == nics[i].model &&
                                 series[rail] == series[i] &&
                                 stem_of(nics[rail]) == stem_of(nics[i]);
    }
  }
}

void mark_default_route(const std::vector<Nic>& nics, Kinds& kinds) {
  const auto series = series_of(nics);
  const auto kept = [&](std::size_t i) {
    return !nics[i].default_route || nics[i].pci.empty() ||
           alike(nics, series, i) >= static_cast<std::ptrdiff_t>(kSeries);
  };
  bool any = false;
  for (std::size_t i = 0; i < nics.size(); ++i) any = any || (kept(i) && kinds[i].name.empty());
  for (std::size_t i = 0; any && i < nics.size(); ++i) {
    if (kinds[i].name.empty() && !kept(i)) {
      kinds[i] = {"management", "the default route leaves by " + nics[i].netdev};
    }
  }
}

void mark_names(const std::vector<Nic>& nics, Kinds& kinds) {
  const auto stems = [](const std::vector<Nic>& all) {
    std::vector<std::string> found;
    found.reserve(all.size());
    for (const Nic& nic : all) found.push_back(stem_of(nic));
    return found;
  };
  mark(nics, kinds, stems, [](const Nic& nic, const std::string& its, const std::string& usual) {
    const std::string name = its.empty() ? "storage" : its;
    return Kind{name, "its name, " + nic.netdev + ", is not like " +
                          (usual.empty() ? "those" : usual + "0") + " of the rails"};
  });
}

void mark_series(const std::vector<Nic>& nics, Kinds& kinds) {
  mark(nics, kinds, series_of, [](const Nic&, const std::string&, const std::string&) {
    return Kind{"storage", "its subnet is apart from the rails' series", true};
  });
}

/// The planes of a rail may be in subnets far from each other's: ports of one device are of one
/// fabric, as far as subnets are asked.
void keep_planes(const std::vector<Nic>& nics, Kinds& kinds) {
  for (std::size_t i = 0; i < nics.size(); ++i) {
    for (std::size_t other = 0; kinds[i].by_series && other < nics.size(); ++other) {
      if (nics[other].device == nics[i].device && kinds[other].name.empty()) kinds[i] = {};
    }
  }
}

/// What sets a host's NICs apart from each other.
Kinds kinds_on(const std::vector<Nic>& nics) {
  Kinds kinds(nics.size());
  mark_speeds(nics, kinds);
  mark_speed_alone(nics, kinds);
  mark_default_route(nics, kinds);
  mark_names(nics, kinds);
  mark_series(nics, kinds);
  keep_planes(nics, kinds);
  return kinds;
}

/// On a single host one slower NIC among its like came up slow; two or more may be for storage.
void keep_single_slow_one(Kinds& kinds) {
  const auto apart = std::ranges::find_if(kinds, [](const Kind& one) { return !one.name.empty(); });
  const bool alone = std::ranges::count(kinds, std::string(), &Kind::name) + 1 == std::ssize(kinds);
  if (apart != kinds.end() && alone && apart->by_speed_alone) *apart = {};
}

/// The kinds of NICs that hosts have in one place, by host: a subnet, a PCI address, a name.
class Votes {
 public:
  void add(const std::string& place, std::size_t host, const Kind& kind) {
    places_[place].hosts.insert(host);
    ++places_[place].kinds[kind];
    ++places_[place].nics;
  }

  /// The kind of most NICs at a place that most hosts have, and that tells a host's NICs apart.
  [[nodiscard]] std::optional<Kind> at(const std::string& place, std::size_t hosts) const {
    const auto found = places_.find(place);
    if (found == places_.end() || found->second.hosts.size() * 2 <= hosts) return std::nullopt;
    if (found->second.nics > found->second.hosts.size()) return std::nullopt;
    for (const auto& [kind, count] : found->second.kinds) {
      if (count * 2 > found->second.nics) return kind;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_shared(const std::string& place) const {
    const auto found = places_.find(place);
    return found != places_.end() && found->second.hosts.size() > 1;
  }

  /// Whether several hosts have a place, and all what they have there is of one kind.
  [[nodiscard]] bool is_all(const std::string& place, const Kind& kind) const {
    const auto found = places_.find(place);
    return is_shared(place) && found->second.kinds.size() == 1 &&
           found->second.kinds.contains(kind);
  }

 private:
  struct Place {
    std::set<std::size_t> hosts{};
    std::map<Kind, std::size_t> kinds{};
    std::size_t nics = 0;
  };
  std::map<std::string, Place> places_;
};

/// Where a NIC is, the surest way of telling first.
std::array<std::string, 3> places_of(const Nic& nic) {
  const auto subnet = subnet_of(nic);
  const bool tells = subnet && !is_point_to_point(*subnet);
  return {tells ? "subnet " + to_string(*subnet) : "",
          nic.pci.empty() ? "" : "PCI " + nic.pci + " " + std::to_string(nic.port),
          "name " + name_of(nic)};
}

/// What sets NICs apart on each host by itself, and how many hosts have what.
struct OwnKinds {
  std::vector<Kinds> of_hosts{};
  std::map<std::string, std::size_t> having{};  // hosts with a fabric of that name
  Votes votes{};
  std::set<std::string> rails{};  // places with a rail at full speed on some host, and its model
  std::map<std::string, std::set<std::string>> slots{};  // of a subnet: where its NICs are
};

/// A place of a NIC, and its model.
std::string rail_at(const std::string& place, const Nic& nic) {
  return place + " " + nic.model;
}

/// The speed of most hosts' rails.
double usual_main_speed(const std::vector<Host>& hosts) {
  std::vector<double> speeds;
  speeds.reserve(hosts.size());
  for (const Host& host : hosts) {
    if (!host.rails.empty()) speeds.push_back(main_speed(host.rails));
  }
  return most_frequent(speeds).value_or(0);
}

void add_rails(const Host& host, const Kinds& kinds, double speed, std::set<std::string>& rails) {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Nic& nic = host.rails[i];
    if (!kinds[i].name.empty() || nic.gigabits_per_second != speed) continue;
    for (const std::string& place : places_of(nic)) {
      if (!place.empty()) rails.insert(rail_at(place, nic));
    }
  }
}

OwnKinds own_kinds(const std::vector<Host>& hosts) {
  OwnKinds own;
  const double speed = usual_main_speed(hosts);
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    Kinds kinds = kinds_on(hosts[h].rails);
    if (hosts.size() == 1) keep_single_slow_one(kinds);
    add_rails(hosts[h], kinds, speed, own.rails);
    std::set<std::string> names;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      names.insert(kinds[i].name);
      const auto places = places_of(hosts[h].rails[i]);
      own.slots[places[0]].insert(rail_at(places[1], hosts[h].rails[i]));
      for (const std::string& place : places) {
        if (!place.empty()) own.votes.add(place, h, kinds[i]);
      }
    }
    for (const std::string& name : names) ++own.having[name];
    own.of_hosts.push_back(std::move(kinds));
  }
  return own;
}

/// Whether nothing but speed sets a NIC apart, and one of its model in its subnet is a rail at full
/// speed: its link came up slow, on however many hosts.
bool is_slow_rail(const OwnKinds& own, const Nic& nic, const Kind& kind) {
  const std::string subnet = places_of(nic)[0];
  return kind.by_speed_alone && !subnet.empty() && own.rails.contains(rail_at(subnet, nic));
}

/// Whether a NIC of that model at its PCI address is a rail on another host.
bool is_rail_elsewhere(const OwnKinds& own, const Nic& nic, const Kind& kind) {
  const std::string pci = places_of(nic)[1];
  return (kind.by_speed_alone || kind.by_series) && !pci.empty() &&
         own.rails.contains(rail_at(pci, nic));
}

/// Whether all in a NIC's subnet are at one PCI address, where other hosts have a rail: one typing
/// error, on however many hosts. Where a cable of storage is swapped, its subnet is at two.
bool is_misaddressed_rail(const OwnKinds& own, const Nic& nic, const Kind& kind) {
  const std::string subnet = places_of(nic)[0];
  if (!kind.by_series || subnet.empty() || nic.pci.empty()) return false;
  const std::set<std::string>& slots = own.slots.at(subnet);
  return slots.size() == 1 && own.rails.contains(*slots.begin());
}

/// The kind that a NIC has by those at its place on most hosts; its own if there are none.
Kind agreed_kind(const OwnKinds& own, const Nic& nic, const Kind& its_own) {
  const std::size_t hosts = own.of_hosts.size();
  const auto places = places_of(nic);
  if (is_slow_rail(own, nic, its_own) || is_misaddressed_rail(own, nic, its_own)) return {};
  const auto by_subnet = places[0].empty() ? std::nullopt : own.votes.at(places[0], hosts);
  if (by_subnet) return is_slow_rail(own, nic, *by_subnet) ? Kind{} : *by_subnet;
  if (is_rail_elsewhere(own, nic, its_own)) return {};
  std::optional<Kind> voted;
  for (const std::string& place : {places[1], places[2]}) {
    if (!voted && !place.empty()) voted = own.votes.at(place, hosts);
  }
  Kind kind = voted.value_or(its_own);
  if (kind.name.empty()) return kind;
  if (kind.by_speed_alone && is_rail_elsewhere(own, nic, kind)) return {};
  // A subnet that no two hosts share is no fabric.
  if (kind.by_series && hosts > 1 && !places[0].empty() && !own.votes.is_shared(places[0]))
    return {};
  if (own.votes.is_all(places[0], kind)) return kind;
  const std::size_t having = own.having.at(kind.name);
  // A wrong address is apart from the series, too: in a subnet that hosts do not share, and not on
  // all of them.
  if (kind.by_series && having < hosts) return {};
  if (having * 2 <= hosts) kind.name = kUnlike;
  return kind;
}

std::vector<Kinds> agreed_kinds(const std::vector<Host>& hosts, const OwnKinds& own) {
  std::vector<Kinds> agreed = own.of_hosts;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    for (std::size_t i = 0; i < agreed[h].size(); ++i) {
      agreed[h][i] = agreed_kind(own, hosts[h].rails[i], own.of_hosts[h][i]);
    }
  }
  return agreed;
}

/// A NIC whose like no other host has: a slower one of another model has another purpose.
bool stays_a_rail(const Host& host, const Kinds& kinds, std::size_t which) {
  const Nic& nic = host.rails[which];
  if (nic.gigabits_per_second >= main_speed(host.rails)) return true;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i].name.empty() && host.rails[i].model == nic.model) return true;
  }
  return false;
}

bool is_rail_at(const OwnKinds& own, const LeftOut& port, std::size_t place) {
  const std::string at = places_of(port)[place];
  return !at.empty() && own.rails.contains(rail_at(at, port));
}

/// Whether other hosts have rails at PCI addresses of this one: then names do not tell.
bool has_their_board(const OwnKinds& own, const Host& host) {
  return std::ranges::any_of(
             host.rails, [&](const Nic& nic) { return own.votes.is_shared(places_of(nic)[1]); }) ||
         std::ranges::any_of(host.left_out,
                             [&](const LeftOut& port) { return is_rail_at(own, port, 1); });
}

/// Marks the ports that cannot be used, and are a rail on another host, if on that one alone.
void mark_lost(const OwnKinds& own, Host& host) {
  const std::size_t place = has_their_board(own, host) ? 1 : 2;
  for (LeftOut& port : host.left_out) {
    port.lost_rail = !port.remedy.empty() && is_rail_at(own, port, place);
  }
}

OtherFabric& fabric_named(std::vector<OtherFabric>& all, const Kind& kind) {
  const auto found = std::ranges::find(all, kind.name, &OtherFabric::name);
  return found == all.end() ? all.emplace_back(OtherFabric{kind.name, kind.reason, {}, 0}) : *found;
}

/// Counts what a host has of other fabrics.
void take_stock(const Host& host, const Kinds& kinds, std::vector<OtherFabric>& others) {
  std::map<std::string, std::vector<std::string>> ports;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i].name.empty() || kinds[i].name == kUnlike) continue;
    fabric_named(others, kinds[i]);
    ports[kinds[i].name].push_back(name_of(host.rails[i]));
  }
  for (auto& [name, of_host] : ports) {
    OtherFabric& fabric = fabric_named(others, {name, ""});
    if (fabric.hosts++ == 0) fabric.ports = std::move(of_host);
  }
}

/// Whether two subnets are a step of the rails' series apart; of a single rail's, if they differ by
/// one in one octet.
bool is_a_step(std::uint64_t one, std::uint64_t other, std::uint64_t usual) {
  const std::uint64_t step = std::max(one, other) - std::min(one, other);
  return usual > 0 ? step == usual : step == 1 || step == 1U << 8U || step == 1U << 16U;
}

/// The subnets of a host's rails, and of the NICs that only their speed sets apart, as far as they
/// continue the series, step by step. Empty if rails share subnets.
std::set<std::uint64_t> series_with_slow_ones(const Host& host, const Kinds& kinds) {
  std::size_t rails = 0;
  std::set<std::uint64_t> series;
  std::set<std::uint64_t> slow;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto at = subnet_of(host.rails[i]);
    if (!at || (!kinds[i].name.empty() && !kinds[i].by_speed_alone)) continue;
    if (kinds[i].name.empty()) ++rails;
    (kinds[i].name.empty() ? series : slow).insert(number_of(*at));
  }
  if (series.size() < rails) return {};
  const std::uint64_t usual = usual_step(series);
  const auto continues = [&](std::uint64_t one) {
    return std::ranges::any_of(series,
                               [&](std::uint64_t other) { return is_a_step(one, other, usual); });
  };
  for (auto next = slow.end(); (next = std::ranges::find_if(slow, continues)) != slow.end();)
    series.insert(slow.extract(next));
  return series;
}

bool is_in(const std::set<std::uint64_t>& series, const Nic& nic) {
  const auto subnet = subnet_of(nic);
  return subnet && series.contains(number_of(*subnet));
}

/// Keeps the NICs of the chosen fabric.
void choose(Host& host, const Kinds& kinds, const std::string& chosen) {
  std::vector<Nic> kept;
  const std::set<std::uint64_t> series = series_with_slow_ones(host, kinds);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Nic& nic = host.rails[i];
    const std::string& name = kinds[i].name;
    if (name == chosen || (name == kUnlike && chosen.empty() && stays_a_rail(host, kinds, i))) {
      kept.push_back(nic);
    } else if (name == kUnlike) {
      host.left_out.push_back(
          left_out(nic, "no other host has its like (" + kinds[i].reason + ")"));
    } else if (name.empty()) {
      host.left_out.push_back(left_out(nic, "it is not of the fabric " + chosen));
    } else {
      host.left_out.push_back(left_out(nic, kOtherFabric + name + ": " + kinds[i].reason));
      host.left_out.back().like_rails = kinds[i].by_speed_alone && is_in(series, nic);
    }
  }
  host.rails = std::move(kept);
}

void check_choice(const std::string& chosen, const std::vector<OtherFabric>& others) {
  if (chosen.empty()) return;
  std::string names;
  for (const OtherFabric& one : others) {
    if (one.name == chosen) return;
    names += ", " + one.name;
  }
  throw std::invalid_argument("--fabric " + chosen + ": there is no such fabric; there are rails" +
                              names);
}

}  // namespace

Fabrics separate_fabrics(std::vector<Host> hosts, const NicWishes& wishes) {
  if (wishes.names_ports()) return {std::move(hosts), {}};
  const std::string chosen = wishes.fabric == "rails" ? "" : wishes.fabric;
  const OwnKinds own = own_kinds(hosts);
  const std::vector<Kinds> kinds = agreed_kinds(hosts, own);
  Fabrics fabrics;
  for (std::size_t h = 0; h < hosts.size(); ++h) take_stock(hosts[h], kinds[h], fabrics.others);
  check_choice(chosen, fabrics.others);
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    if (chosen.empty()) mark_lost(own, hosts[h]);
    choose(hosts[h], kinds[h], chosen);
  }
  fabrics.hosts = std::move(hosts);
  return fabrics;
}

}  // namespace railgauge::topology
