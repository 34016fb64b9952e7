#include "topology/likeness_check.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "topology/accusation.hpp"

namespace railgauge::topology {
namespace {

constexpr double kHalved = 2.0 / 3;  // x8 of x16 carries 252 of 400 Gb/s

struct Placed {
  const Host* host;
  const Nic* nic;
};

/// "host3 mlx5_1 (rail 1)", whichever of its ports it is.
std::string device_place(const Placed& one) {
  return place_of(*one.host, whole_device(*one.nic));
}

/// The first port of each device: what all have in common is said once.
std::vector<Placed> devices_of(const std::vector<Placed>& ports) {
  std::set<std::pair<const Host*, std::string>> seen;
  std::vector<Placed> devices;
  for (const Placed& one : ports) {
    if (seen.insert({one.host, one.nic->device}).second) devices.push_back(one);
  }
  return devices;
}

std::vector<Placed> all_rails(const FoundRails& found) {
  std::vector<Placed> all;
  for (const Host& host : found.hosts) {
    for (const Nic& nic : host.rails) {
      if (nic.rail >= 0) all.push_back({&host, &nic});
    }
  }
  return all;
}

/// What more than half of them have; empty if there is none.
template <class T>
std::optional<T> majority(const std::map<T, std::size_t>& times) {
  std::size_t all = 0;
  for (const auto& [value, count] : times) all += count;
  for (const auto& [value, count] : times) {
    if (count * 2 > all) return value;
  }
  return std::nullopt;
}

template <class Key, class T>
using Counts = std::map<Key, std::map<T, std::size_t>>;

/// The one model of a host's rails; "" if they are of several.
std::string model_of(const Host& host) {
  std::set<std::string> models;
  for (const Nic& nic : host.rails) models.insert(nic.model);
  return models.size() == 1 ? *models.begin() : "";
}

// Speeds.

/// Speeds of rails by the model of their hosts: another generation has another speed.
Counts<std::string, double> speeds_by_model(const std::vector<Placed>& all) {
  Counts<std::string, double> speeds;
  for (const Placed& one : all) {
    const double speed = one.nic->gigabits_per_second;
    if (speed > 0) ++speeds[model_of(*one.host)][speed];
  }
  return speeds;
}

/// The usual speed of a host's NICs by themselves: what a slow one among them contradicts.
std::optional<double> own_speed(const Host& host) {
  std::map<double, std::size_t> speeds;
  for (const Nic& nic : host.rails) {
    if (nic.gigabits_per_second > 0) ++speeds[nic.gigabits_per_second];
  }
  return majority(speeds);
}

std::string speeds_of(const std::map<double, std::size_t>& speeds) {
  std::vector<std::string> parts;
  parts.reserve(speeds.size());
  for (const auto& [speed, count] : speeds) {
    parts.push_back(std::to_string(count) + " at " + speed_text(speed));
  }
  return listed(parts);
}

void check_speeds(const std::vector<Placed>& all, Findings& findings) {
  const auto speeds = speeds_by_model(all);
  std::map<double, std::size_t> every;
  for (const auto& [model, counts] : speeds) {
    for (const auto& [speed, count] : counts) every[speed] += count;
  }
  Accusations slow;
  for (const Placed& one : all) {
    const std::string model = model_of(*one.host);
    const double speed = one.nic->gigabits_per_second;
    auto usual = model.empty() ? majority(every) : majority(speeds.at(model));
    if (!usual) usual = own_speed(*one.host);
    if (speed == 0 || !usual || speed >= *usual) continue;
    const std::string how =
        " at " + speed_text(speed) + " Gb/s, others at " + speed_text(*usual) + "; check ";
    slow.add(*one.host, *one.nic,
             " is slow: its link runs" + how + "its cable, transceiver and switch port",
             " are slow: their links run" + how + "their cables, transceivers and switch ports");
  }
  std::ranges::move(slow.sentences(), std::back_inserter(findings.impairments));
  for (const auto& [model, counts] : speeds) {
    if (counts.size() < 2 || majority(counts)) continue;
    findings.notes.push_back(
        "links run at different speeds, none of them on most rails: " + speeds_of(counts) +
        " Gb/s; the slower set the pace, by design or by their cables");
  }
}

// Models.

void check_models(const FoundRails& found, Findings& findings) {
  std::map<std::string, std::vector<const Host*>> hosts_of;
  for (const Host& host : found.hosts) {
    const std::string model = model_of(host);
    if (!model.empty()) hosts_of[model].push_back(&host);
  }
  if (hosts_of.size() < 2) return;
  std::vector<std::string> parts;
  parts.reserve(hosts_of.size());
  for (const auto& [model, hosts] : hosts_of) {
    parts.push_back(model + " at " + speed_text(hosts[0]->rails[0].gigabits_per_second) +
                    " Gb/s on " + hosts[0]->name +
                    (hosts.size() > 1 ? " and " + std::to_string(hosts.size() - 1) + " more" : ""));
  }
  findings.warnings.push_back("hosts have NICs of different models: " + listed(parts) +
                              "; the slower set the pace");
}

// PCI links.

/// What the functions of a card, which share its link, need together.
double need_of(const Placed& one) {
  double need = 0;
  for (const Nic& nic : one.host->rails) {
    if (nic.rail >= 0 && card_of(nic.pci) == card_of(one.nic->pci)) {
      need += nic.gigabits_per_second;
    }
  }
  return need;
}

std::string carried_text(double carried, double need) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "carries %.0f of the %g Gb/s that its port needs",
                carried, need);
  return text.data();
}

void say_narrow(const Placed& one, bool usual, Findings& findings) {
  const double need = need_of(one);
  const double carried = one.nic->pci_gigabits_per_second;
  const std::string& degraded = one.nic->pci_degraded;
  const std::string cause = degraded.empty()
                                ? "its PCI slot gives it " + one.nic->pci_link + ", which " +
                                      carried_text(carried, need) +
                                      "; move it to a wider slot, or one of a newer PCI Express"
                                : degraded + ": it " + carried_text(carried, need) +
                                      "; reseat the card, or check the slot's firmware settings";
  const bool halved = carried <= need * kHalved && !usual;
  (halved ? findings.impairments : findings.warnings).push_back(device_place(one) + ": " + cause);
}

/// With whom a NIC's PCI link is compared: those of its rail on other hosts; on a single host,
/// those of its model.
std::string sisters_of(const Placed& one, bool single_host) {
  return single_host ? one.nic->model : std::to_string(one.nic->rail);
}

/// What most sisters have is the machine's design: it is said once.
void check_pci(const std::vector<Placed>& all, Findings& findings) {
  Counts<std::string, double> carried;
  const bool single_host =
      std::ranges::all_of(all, [&](const Placed& one) { return one.host == all.front().host; });
  for (const Placed& one : all) {
    const double rate = one.nic->pci_gigabits_per_second;
    if (rate > 0) ++carried[sisters_of(one, single_host)][rate];
  }
  std::size_t narrow = 0;
  const Placed* first = nullptr;
  for (const Placed& one : all) {
    const double rate = one.nic->pci_gigabits_per_second;
    if (rate == 0) continue;
    const auto usual = majority(carried.at(sisters_of(one, single_host)));
    if (rate >= need_of(one)) {
      if (!one.nic->pci_degraded.empty()) {
        findings.warnings.push_back(device_place(one) + ": " + one.nic->pci_degraded +
                                    "; it carries what the port needs");
      }
    } else if (usual == rate && all.size() > 1) {
      if (narrow++ == 0) first = &one;
    } else {
      say_narrow(one, false, findings);
    }
  }
  if (first == nullptr) return;
  say_narrow(*first, true, findings);
  if (narrow > 1) {
    findings.warnings.back() += " (as " + std::to_string(narrow - 1) + " more, on most hosts)";
  }
}

// NUMA nodes.

/// The NUMA nodes of NICs at each PCI address, and on each rail.
struct Nodes {
  Counts<std::string, int> by_pci{};
  Counts<int, int> by_rail{};
};

/// The node that most sister NICs are on: those at the same PCI address, if most hosts have one
/// there, else those of the rail.
std::optional<int> usual_node(const Nodes& nodes, const Nic& nic) {
  const auto& of_rail = nodes.by_rail.at(nic.rail);
  const auto& there = nodes.by_pci.at(nic.pci);
  const auto number = [](const std::map<int, std::size_t>& counts) {
    std::size_t all = 0;
    for (const auto& [node, count] : counts) all += count;
    return all;
  };
  return majority(number(there) * 2 > number(of_rail) ? there : of_rail);
}

void check_nodes(const FoundRails& found, const std::vector<Placed>& all, Findings& findings) {
  Nodes nodes;
  for (const Placed& one : all) {
    const int node = one.nic->numa_node;
    if (node < 0) continue;
    ++nodes.by_pci[one.nic->pci][node];
    ++nodes.by_rail[one.nic->rail][node];
  }
  std::map<const Host*, std::vector<const Nic*>> elsewhere;
  for (const Placed& one : all) {
    if (one.nic->numa_node < 0 || swapped_with(found, *one.host, *one.nic) != nullptr) continue;
    const auto usual = usual_node(nodes, *one.nic);
    if (usual && *usual != one.nic->numa_node) elsewhere[one.host].push_back(one.nic);
  }
  for (const auto& [host, nics] : elsewhere) {
    const auto its = std::ranges::count(all, host, &Placed::host);
    if (std::ssize(nics) * 2 >= its) {
      findings.notes.push_back(host->name +
                               " counts NUMA nodes otherwise than the other hosts: most of its "
                               "NICs have another number");
      continue;
    }
    for (const Nic* nic : nics) {
      findings.impairments.push_back(
          device_place({host, nic}) + " is on NUMA node " + std::to_string(nic->numa_node) +
          ", and on node " + std::to_string(*usual_node(nodes, *nic)) +
          " of the other hosts; move it to the slot that they use, or check the firmware's NUMA "
          "settings");
    }
  }
}

// Firmware, of NICs of one model.

void check_firmware(const std::vector<Placed>& devices, Findings& findings) {
  Counts<std::string, std::string> counts;
  for (const Placed& one : devices) {
    const Nic& nic = *one.nic;
    if (!nic.model.empty() && !nic.firmware.empty()) ++counts[nic.model][nic.firmware];
  }
  Accusations other;
  for (const Placed& one : devices) {
    const Nic& nic = *one.nic;
    if (nic.model.empty() || nic.firmware.empty()) continue;
    const auto usual = majority(counts.at(nic.model));
    if (!usual || *usual == nic.firmware) continue;
    const std::string differs = " firmware " + nic.firmware + ", and most have " + *usual;
    other.add(*one.host, nic, " has" + differs, " have" + differs);
  }
  std::ranges::move(other.sentences(), std::back_inserter(findings.warnings));
  for (const auto& [model, values] : counts) {
    if (values.size() < 2 || majority(values)) continue;
    std::vector<std::string> parts;
    parts.reserve(values.size());
    for (const auto& [value, count] : values) {
      parts.push_back(value + " on " + std::to_string(count));
    }
    findings.notes.push_back("NICs differ in firmware, without a majority: " + listed(parts));
  }
}

// MTU. Those of one rail have to be alike, whatever their models: what one sends the other takes.

constexpr const char* kOfOtherMtus =
    "; queue pairs take the smaller of both ends', but where a switch or an interface on the way "
    "has "
    "less, large packets vanish; set all ports of a rail alike";

/// [MTU] The hosts that have it on a rail, by name.
using HostsOfMtu = std::map<int, std::vector<std::string>>;

std::map<int, std::size_t> counts_of(const HostsOfMtu& hosts) {
  std::map<int, std::size_t> counts;
  for (const auto& [mtu, names] : hosts) counts[mtu] = names.size();
  return counts;
}

/// "1500 on node0 and node1, 9000 on node2, node3 and 4 more"
std::string in_words(const HostsOfMtu& hosts) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (const auto& [mtu, all] : hosts) {
    const std::size_t told = all.size() > kMost ? kMost - 1 : all.size();
    std::vector<std::string> names(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(told));
    if (told < all.size()) names.push_back(std::to_string(all.size() - told) + " more");
    text += (text.empty() ? "" : ", ") + std::to_string(mtu) + " on " + listed(names);
  }
  return text;
}

void check_mtus(const std::vector<Placed>& all, Findings& findings) {
  std::map<std::pair<int, int>, HostsOfMtu> rails;  // and planes
  const auto place_in = [](const Nic& nic) { return std::pair(nic.rail, nic.plane); };
  for (const Placed& one : all) {
    if (one.nic->mtu_bytes == 0) continue;
    rails[place_in(*one.nic)][one.nic->mtu_bytes].push_back(one.host->name);
  }
  Accusations other;
  for (const Placed& one : all) {
    if (one.nic->mtu_bytes == 0) continue;
    const auto usual = majority(counts_of(rails[place_in(*one.nic)]));
    if (!usual || *usual == one.nic->mtu_bytes) continue;
    const std::string differs = " MTU " + std::to_string(one.nic->mtu_bytes) + ", and most have " +
                                std::to_string(*usual) + kOfOtherMtus;
    other.add(*one.host, *one.nic, " has" + differs, " have" + differs);
  }
  std::ranges::move(other.sentences(), std::back_inserter(findings.warnings));
  std::map<std::string, std::vector<int>> halves;
  for (const auto& [place, hosts] : rails) {
    if (majority(counts_of(hosts))) continue;
    std::vector<int>& alike = halves[in_words(hosts)];
    if (alike.empty() || alike.back() != place.first) alike.push_back(place.first);
  }
  for (const auto& [words, numbers] : halves) {
    findings.warnings.push_back("MTU differs on " + rails_text(numbers) + ": " + words +
                                kOfOtherMtus);
  }
}

// GUIDs.

void check_guids(const std::vector<Placed>& all, Findings& findings) {
  std::map<std::string, std::map<std::pair<const Host*, std::string>, std::string>> devices;
  for (const Placed& one : all) {
    const std::string& guid = one.nic->node_guid;
    if (one.nic->model.empty() || guid.find_first_not_of("0:") == std::string::npos) continue;
    devices[guid].try_emplace({one.host, one.nic->device}, device_place(one));
  }
  for (const auto& [guid, places] : devices) {
    // Functions of one card may share it.
    if (places.empty() || places.begin()->first.first == places.rbegin()->first.first) continue;
    std::vector<std::string> names;
    names.reserve(places.size());
    for (const auto& [device, place] : places) names.push_back(place);
    std::ranges::sort(names);
    findings.impairments.push_back("node GUID " + guid + " is that of " + listed(names) +
                                   "; each device needs its own: look for a cloned configuration");
  }
}

}  // namespace

void check_likeness(const FoundRails& found, Findings& findings) {
  const std::vector<Placed> all = all_rails(found);
  if (all.empty()) return;
  check_speeds(all, findings);
  check_models(found, findings);
  check_pci(devices_of(all), findings);
  check_nodes(found, devices_of(all), findings);
  check_guids(all, findings);
  check_firmware(devices_of(all), findings);
  check_mtus(all, findings);
}

}  // namespace railgauge::topology
