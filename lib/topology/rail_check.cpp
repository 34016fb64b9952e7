#include "topology/rail_check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "topology/accusation.hpp"
#include "topology/host_map.hpp"
#include "topology/ip_address.hpp"
#include "topology/likeness_check.hpp"
#include "topology/plane_check.hpp"
#include "topology/subnet_check.hpp"

namespace railgauge::topology {
namespace {

using Ports = std::vector<const LeftOut*>;

// Rails that a host lacks.

/// Where a port is: what hosts with the same board have in common.
std::string slot_of(const LeftOut& port) {
  return (port.pci.empty() ? port.device : port.pci) + " " + std::to_string(port.port);
}

/// The slots of ports that most hosts do not use.
std::set<std::string> spare_slots(const FoundRails& found) {
  std::map<std::string, std::size_t> times;
  for (const Host& host : found.hosts) {
    for (const LeftOut& port : host.left_out) ++times[slot_of(port)];
  }
  std::set<std::string> spare;
  for (const auto& [slot, count] : times) {
    if (count * 2 > found.hosts.size()) spare.insert(slot);
  }
  return spare;
}

/// A host's ports that could be rails if something were done.
Ports repairable(const Host& host, const std::set<std::string>& spare) {
  Ports ports;
  for (const LeftOut& port : host.left_out) {
    if (!port.remedy.empty() && !spare.contains(slot_of(port))) ports.push_back(&port);
  }
  return ports;
}

/// The slots of rails of which a host has no plane. What it lacks of others: plane_check.hpp.
std::vector<std::size_t> missing_slots(const FoundRails& found, const Host& host) {
  std::set<int> there;
  for (const Nic& nic : host.rails) there.insert(nic.rail);
  std::vector<std::size_t> missing;
  for (std::size_t slot = 0; slot < found.slots.size(); ++slot) {
    if (!there.contains(found.slots[slot].rail)) missing.push_back(slot);
  }
  return missing;
}

/// How many rails a host has, those beyond the others' included.
std::size_t rails_of(const Host& host) {
  std::set<int> rails;
  std::size_t beyond = 0;
  for (const Nic& nic : host.rails) {
    if (nic.rail >= 0) rails.insert(nic.rail);
    if (nic.rail < 0) ++beyond;
  }
  return rails.size() + beyond;
}

/// Takes the port that is where the rail's NIC is on the other hosts; nullptr if there is none.
const LeftOut* take_like(Ports& ports, const UsualNic& usual) {
  for (const auto& member :
       {std::pair(&LeftOut::pci, &UsualNic::pci), std::pair(&LeftOut::device, &UsualNic::device),
        std::pair(&LeftOut::netdev, &UsualNic::netdev)}) {
    const bool is_port = member.first == &LeftOut::netdev;  // and not the whole device
    const auto found = std::ranges::find_if(ports, [&](const LeftOut* port) {
      return !(port->*member.first).empty() && port->*member.first == usual.*member.second &&
             (is_port || port->port == usual.port);
    });
    if (found == ports.end()) continue;
    const LeftOut* const port = *found;
    ports.erase(found);
    return port;
  }
  return nullptr;
}

/// ", where the others have mlx5_3 at 0000:48:00.0 (10.13.0.0/24)"; of several planes the device.
std::string described(const UsualNic& usual, std::size_t planes) {
  if (usual.device.empty() && usual.pci.empty()) return "";
  const std::string pci = usual.pci.empty() ? "" : "at " + usual.pci;
  const std::string both = usual.device.empty() || pci.empty() ? "" : " ";
  const std::string name =
      usual.device.empty() ? "" : port_name(usual.device, planes == 1 ? usual.port : 1);
  return ", where the others have " + name + both + pci +
         (usual.subnet && planes == 1 ? " (" + to_string(*usual.subnet) + ")" : "");
}

void say_absent(const FoundRails& found, const Host& host, const RailGroup& group,
                const std::vector<std::size_t>& absent, Findings& findings) {
  if (absent.empty()) return;
  std::string where;
  std::vector<RailPlane> places;
  std::set<int> rails;
  places.reserve(absent.size());
  for (const std::size_t slot : absent) {
    places.push_back(found.slots[slot]);
    rails.insert(found.slots[slot].rail);
  }
  if (rails.size() == 1) where = described(group.slots[absent[0]], absent.size());
  findings.mismatches.push_back(
      host.name + " has no NIC on " + rails_text(places) + where +
      "; look for it with lspci, check card, slot and driver, or select the same rails on all "
      "hosts (--include, --exclude)");
}

/// The port that each missing slot would be, by likeness, or if as many are left, in order.
void check_missing(const FoundRails& found, const RailGroup& group, const Host& host,
                   const std::set<std::string>& spare, Findings& findings) {
  const std::vector<std::size_t> missing = missing_slots(found, host);
  if (missing.empty()) return;
  Ports ports = repairable(host, spare);
  std::map<std::size_t, const LeftOut*> port_of;
  for (const std::size_t slot : missing) {
    const LeftOut* const port = take_like(ports, group.slots[slot]);
    if (port != nullptr) port_of[slot] = port;
  }
  if (ports.size() + port_of.size() == missing.size()) {
    for (const std::size_t slot : missing) {
      if (port_of.contains(slot)) continue;
      port_of[slot] = ports.front();
      ports.erase(ports.begin());
    }
  }
  Accusations unusable;
  std::vector<std::size_t> absent;
  for (const std::size_t slot : missing) {
    if (!port_of.contains(slot)) {
      absent.push_back(slot);
      continue;
    }
    const LeftOut& port = *port_of[slot];
    const std::string why = ": " + port.reason + "; " + port.remedy;
    unusable.add(host.name, port.device, port.port, found.slots[slot], why, why);
  }
  std::ranges::move(unusable.sentences(), std::back_inserter(findings.mismatches));
  const bool bond = std::ranges::any_of(host.rails, [](const Nic& nic) {
    return !nic.bond.empty();  // has taken the NIC, and is named for it
  });
  if (!bond) say_absent(found, host, group, absent, findings);
}

void check_extra(const FoundRails& found, const Host& host, Findings& findings) {
  for (const Nic& nic : host.rails) {
    if (nic.rail >= 0) continue;
    findings.mismatches.push_back(host.name + " " + name_of(nic) + " " + address_of(nic) +
                                  " is more than the " + std::to_string(found.slots.size()) +
                                  " NICs of the other hosts; remove it, or leave it out "
                                  "(--exclude =" +
                                  nic.device + ")");
  }
}

/// If no number of rails is that of most hosts, none of them is to blame.
bool agree_on_number(const FoundRails& found, Findings& findings) {
  std::map<std::size_t, std::vector<std::string>> hosts_of;
  for (const Host& host : found.hosts) hosts_of[rails_of(host)].push_back(host.name);
  if (found.hosts.size() < 3 || hosts_of[found.rails].size() * 2 > found.hosts.size()) return true;
  std::vector<std::string> parts;
  for (const auto& [rails, names] : hosts_of) {
    if (names.empty()) continue;
    const std::string more =
        names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : "";
    parts.push_back(std::to_string(rails) + " on " + names[0] + more);
  }
  findings.mismatches.push_back("hosts have different numbers of rails: " + listed(parts) +
                                "; select the same rails on all of them (--include, --exclude)");
  return false;
}

void check_numbers(const FoundRails& found, Findings& findings) {
  if (found.hosts.size() < 2 || !agree_on_number(found, findings)) return;
  const auto spare = spare_slots(found);
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) {
      check_missing(found, group, found.hosts[member], spare, findings);
      check_extra(found, found.hosts[member], findings);
    }
  }
}

// What has to be there once.

void check_names(const FoundRails& found, Findings& findings) {
  std::map<std::string, std::vector<const Host*>> hosts;
  for (const Host& host : found.hosts) hosts[host.name].push_back(&host);
  for (const auto& [name, all] : hosts) {
    if (all.size() < 2) continue;
    const auto guids = [](const Host& host) {
      std::vector<std::string> own;
      for (const Nic& nic : host.rails) own.push_back(nic.node_guid + nic.address);
      return own;
    };
    const bool same = guids(*all[0]) == guids(*all[1]);
    findings.mismatches.push_back(
        same ? "host " + name +
                   " is there twice, with the same addresses and GUIDs: is it one "
                   "recording, given twice?"
             : (all.size() == 2 ? "two" : std::to_string(all.size())) + " hosts have the name " +
                   name + "; give each a host name of its own");
  }
}

void check_addresses(const FoundRails& found, Findings& findings) {
  std::map<IpAddress, std::vector<std::string>> places;
  for (const Host& host : found.hosts) {
    for (const Nic& nic : host.rails) {
      if (!subnet_of(nic)) {
        findings.mismatches.push_back(place_of(host, nic) + ": '" + address_of(nic) +
                                      "' is not an IPv4 or IPv6 address with its prefix length");
        continue;
      }
      const IpAddress address = *parse_ip_address(nic.address);
      // Two cables may have one link-local address.
      if (!is_ipv4_link_local(address)) places[address].push_back(place_of(host, nic));
    }
  }
  for (const auto& [address, holders] : places) {
    if (holders.size() == 1) continue;
    std::string all;
    for (const auto& one : holders) all += (all.empty() ? "" : " and of ") + one;
    findings.mismatches.push_back(to_string(address) + " is the address of " + all +
                                  "; each needs its own");
  }
}

void check_reach(const FoundRails& found, Findings& findings) {
  if (found.hosts.size() < 2) return;
  for (const Host& host : found.hosts) {
    for (const Nic& nic : host.rails) {
      const auto address = parse_ip_address(nic.address);
      if (!address || !is_loopback(*address)) continue;
      findings.mismatches.push_back(
          place_of(host, nic) + ": " + to_string(*address) +
          " is a loopback address, which no other host can reach; SOFTROCE_ADDRESS gives a soft "
          "device another address");
    }
  }
}

/// What is said of hosts of one name, or of one recorded twice, would confuse.
bool names_differ(const FoundRails& found) {
  std::set<std::string> names;
  for (const Host& host : found.hosts) names.insert(host.name);
  return names.size() == found.hosts.size();
}

}  // namespace

Findings check_rails(const FoundRails& found) {
  Findings findings;
  check_names(found, findings);
  if (!names_differ(found)) return findings;
  check_numbers(found, findings);
  check_planes(found, findings);
  check_addresses(found, findings);
  check_reach(found, findings);
  check_subnets(found, findings);
  check_likeness(found, findings);
  return findings;
}

}  // namespace railgauge::topology
