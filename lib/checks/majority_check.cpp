#include "checks/rail_check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "checks/place.hpp"
#include "finding/words.hpp"

namespace railgauge::checks {
namespace {

using finding::Cause;
using finding::Finding;
using Findings = std::vector<Finding>;
using topology::card_of;
using topology::FoundRails;
using topology::Host;
using topology::majority;
using topology::Nic;
using topology::RailPlane;
using topology::speed_text;

constexpr double kHalved = 2.0 / 3;  // x8 of x16 carries 252 of 400 Gb/s

/// The first port of each device: what all have in common is said once.
std::vector<Placed> devices_of(const std::vector<Placed>& ports) {
  std::set<std::pair<const Host*, std::string>> seen;
  std::vector<Placed> devices;
  for (const Placed& one : ports) {
    if (seen.insert({one.host, one.nic->device}).second) devices.push_back(one);
  }
  return devices;
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
    parts.push_back(std::to_string(count) + " at " + speed_text(speed) + " Gb/s");
  }
  return finding::listed(parts);
}

/// The speed that a NIC should have, and of which others that is.
struct UsualSpeed {
  std::optional<double> speed{};
  const char* of = "";
};

UsualSpeed usual_speed(const Counts<std::string, double>& speeds,
                       const std::map<double, std::size_t>& every, const Host& host) {
  const std::string model = model_of(host);
  auto usual = model.empty() ? majority(every) : majority(speeds.at(model));
  if (usual) return {usual, model.empty() ? "most NICs" : "most NICs of this model"};
  return {own_speed(host), "most NICs of this host"};
}

Finding slow_link(const Placed& one, const UsualSpeed& usual) {
  Finding finding = fact(Cause::link_speed, port_of(one));
  finding.evidence.push_back({.metric = "link speed",
                              .unit = "Gb/s",
                              .observed = one.nic->gigabits_per_second,
                              .expected = usual.speed,
                              .expected_from = usual.of});
  return finding;
}

Finding doubtful_speed(const Placed& one) {
  Finding finding =
      note(Cause::link_speed, port_of(one), "link speed is uncertain",
           one.nic->speed_doubt + ", which is used", "compare with ethtool, and update the driver");
  finding.severity = finding::Severity::warning;
  return finding;
}

void check_speeds(const std::vector<Placed>& all, Findings& findings) {
  const auto speeds = speeds_by_model(all);
  std::map<double, std::size_t> every;
  for (const auto& [model, counts] : speeds) {
    for (const auto& [speed, count] : counts) every[speed] += count;
  }
  for (const Placed& one : all) {
    const double speed = one.nic->gigabits_per_second;
    if (!one.nic->speed_doubt.empty()) findings.push_back(doubtful_speed(one));
    if (speed == 0) continue;
    const UsualSpeed usual = usual_speed(speeds, every, *one.host);
    if (usual.speed && speed < *usual.speed) findings.push_back(slow_link(one, usual));
  }
  for (const auto& [model, counts] : speeds) {
    if (counts.size() < 2 || majority(counts)) continue;
    findings.push_back(note(Cause::link_speed, {}, "links run at different speeds",
                            speeds_of(counts) + ", none of them on most NICs",
                            "check the cables of the slower ones, unless this is by design"));
  }
}

// Models.

void check_models(const FoundRails& found, Findings& findings) {
  std::map<std::string, std::vector<std::string>> hosts_of;
  std::map<std::string, double> speeds;
  for (const Host& host : found.hosts) {
    const std::string model = model_of(host);
    if (model.empty()) continue;
    hosts_of[model].push_back(host.name);
    speeds.try_emplace(model, host.rails[0].gigabits_per_second);
  }
  if (hosts_of.size() < 2) return;
  std::vector<std::string> parts;
  parts.reserve(hosts_of.size());
  for (const auto& [model, hosts] : hosts_of)
    parts.push_back(model + " at " + speed_text(speeds[model]) + " Gb/s on " +
                    finding::first_of(hosts, 1));
  findings.push_back(
      fact(Cause::nic_model, {}, finding::listed(parts) + ", the slowest NICs limit the others"));
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

/// A NIC of which PCI carries less than its port needs. `usual`: as most others.
Finding narrow_link(const Placed& one, bool usual) {
  const double need = need_of(one);
  const double carried = one.nic->pci_gigabits_per_second;
  const std::string& degraded = one.nic->pci_degraded;
  Finding finding = fact(Cause::pcie_link, device_of(one));
  finding.evidence.push_back(
      {.metric = "PCIe bandwidth",
       .unit = "Gb/s",
       .observed = carried,
       .expected = need,
       .expected_from = "link speed of its ports",
       .text = degraded.empty() ? "its PCI slot is " + one.nic->pci_link : degraded});
  if (!degraded.empty()) {
    finding.remedy = "reseat the card, or check the slot's firmware settings";
  } else if (!one.nic->pci_at_limit) {
    finding.remedy = "move it to a wider or faster slot";
  } else {
    finding.evidence.back().text += ", the device supports no more";
  }
  const bool halved = carried <= need * kHalved && !usual && !one.nic->pci_at_limit;
  if (!halved) finding.severity = finding::Severity::warning;
  return finding;
}

Finding slower_than_possible(const Placed& one) {
  Finding finding = fact(Cause::pcie_link, device_of(one),
                         one.nic->pci_degraded + ", it carries what the port needs");
  finding.severity = finding::Severity::warning;
  return finding;
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
        findings.push_back(slower_than_possible(one));
      }
    } else if (usual == rate && all.size() > 1) {
      if (narrow++ == 0) first = &one;
    } else {
      findings.push_back(narrow_link(one, false));
    }
  }
  if (first == nullptr) return;
  findings.push_back(narrow_link(*first, true));
  if (narrow > 1) {
    findings.back().evidence.back().text +=
        ", as " + finding::counted(narrow - 1, "NIC") + " more on most hosts";
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

Finding other_node(const Placed& one, int usual) {
  Finding finding =
      fact(Cause::numa_node, device_of(one), "",
           "move it to the slot that they use, or check the firmware's NUMA settings");
  finding.evidence.push_back({.metric = "NUMA node",
                              .observed = one.nic->numa_node,
                              .expected = usual,
                              .expected_from = "most other hosts"});
  return finding;
}

Finding other_numbers(const Host& host) {
  return note(Cause::numa_node, host_of(host), "NUMA nodes are numbered differently",
              "most of its NICs have another number than on the other hosts");
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
      findings.push_back(other_numbers(*host));
      continue;
    }
    for (const Nic* nic : nics)
      findings.push_back(other_node({host, nic}, *usual_node(nodes, *nic)));
  }
}

// Firmware, of NICs of one model.

void check_firmware(const std::vector<Placed>& devices, Findings& findings) {
  Counts<std::string, std::string> counts;
  for (const Placed& one : devices) {
    const Nic& nic = *one.nic;
    if (!nic.model.empty() && !nic.firmware.empty()) ++counts[nic.model][nic.firmware];
  }
  for (const Placed& one : devices) {
    const Nic& nic = *one.nic;
    if (nic.model.empty() || nic.firmware.empty()) continue;
    const auto usual = majority(counts.at(nic.model));
    if (!usual || *usual == nic.firmware) continue;
    findings.push_back(fact(Cause::firmware, device_of(one),
                            nic.firmware + ", expected " + *usual + " (most NICs of this model)"));
  }
  for (const auto& [model, values] : counts) {
    if (values.size() < 2 || majority(values)) continue;
    std::vector<std::string> parts;
    parts.reserve(values.size());
    for (const auto& [value, count] : values) {
      parts.push_back(value + " on " + finding::counted(count, "NIC"));
    }
    findings.push_back(note(Cause::firmware, {}, "NICs have different firmware",
                            model + ": " + finding::listed(parts) + ", none of them on most NICs"));
  }
}

// MTU. Those of one rail have to be alike, whatever their models: what one sends the other takes.

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
    text +=
        (text.empty() ? "" : ", ") + std::to_string(mtu) + " on " + finding::first_of(all, kMost);
  }
  return text;
}

Finding other_mtu(const Placed& one, int usual) {
  Finding finding = fact(Cause::mtu, port_of(one));
  finding.evidence.push_back({.metric = "MTU",
                              .unit = "bytes",
                              .observed = one.nic->mtu_bytes,
                              .expected = usual,
                              .expected_from = "most ports of its rail"});
  return finding;
}

void check_mtus(const std::vector<Placed>& all, Findings& findings) {
  std::map<RailPlane, HostsOfMtu> rails;
  for (const Placed& one : all) {
    if (one.nic->mtu_bytes == 0) continue;
    rails[rail_plane_of(*one.nic)][one.nic->mtu_bytes].push_back(one.host->name);
  }
  for (const Placed& one : all) {
    if (one.nic->mtu_bytes == 0) continue;
    const auto usual = majority(counts_of(rails[rail_plane_of(*one.nic)]));
    if (usual && *usual != one.nic->mtu_bytes) findings.push_back(other_mtu(one, *usual));
  }
  for (const auto& [place, hosts] : rails) {
    if (!majority(counts_of(hosts)))
      findings.push_back(fact(Cause::mtu, rail_of(place), in_words(hosts)));
  }
}

// GUIDs.

/// `places` has at least one.
Finding shared_guid(const std::string& guid, std::vector<finding::Location> places) {
  std::ranges::sort(places);
  Finding finding = fact(Cause::duplicate_guid, places.front(), "node GUID " + guid);
  finding.alternatives.assign(places.begin() + 1, places.end());
  return finding;
}

void check_guids(const std::vector<Placed>& all, Findings& findings) {
  std::map<std::string, std::map<std::pair<const Host*, std::string>, finding::Location>> devices;
  for (const Placed& one : all) {
    const std::string& guid = one.nic->node_guid;
    if (one.nic->model.empty() || guid.find_first_not_of("0:") == std::string::npos) continue;
    devices[guid].try_emplace({one.host, one.nic->device}, device_of(one));
  }
  for (const auto& [guid, places] : devices) {
    // Functions of one card may share it.
    if (places.empty() || places.begin()->first.first == places.rbegin()->first.first) continue;
    std::vector<finding::Location> all_places;
    for (const auto& [device, place] : places) all_places.push_back(place);
    findings.push_back(shared_guid(guid, std::move(all_places)));
  }
}

}  // namespace

void check_majorities(const FoundRails& found, std::vector<Finding>& findings) {
  std::vector<Placed> all = nics_of(found);
  std::erase_if(all, [](const Placed& one) { return one.nic->rail < 0; });
  if (all.empty()) return;
  check_speeds(all, findings);
  check_models(found, findings);
  check_pci(devices_of(all), findings);
  check_nodes(found, devices_of(all), findings);
  check_guids(all, findings);
  check_firmware(devices_of(all), findings);
  check_mtus(all, findings);
}

}  // namespace railgauge::checks
