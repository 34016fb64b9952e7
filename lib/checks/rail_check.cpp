#include "checks/rail_check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checks/place.hpp"
#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "manual/layout.hpp"
#include "topology/fabrics.hpp"
#include "topology/ip_address.hpp"

namespace railgauge::checks {
namespace {

using finding::Cause;
using finding::Finding;
using Findings = std::vector<Finding>;
using topology::FoundRails;
using topology::Host;
using topology::IpAddress;
using topology::is_loopback;
using topology::LeftOut;
using topology::Nic;
using topology::parse_ip_address;
using topology::RailGroup;
using topology::RailPlane;
using topology::UsualNic;

/// A slot that a host lacks, of a rail that it has.
struct Lost {
  const Host* host;
  std::size_t slot;
  const UsualNic* usual;
  const LeftOut* port;  // that would be it; nullptr if it is not there
};

const LeftOut* port_for(const Host& host, const UsualNic& usual) {
  const auto at_place = [&](const LeftOut& port) {
    const bool named = !port.device.empty() && port.device == usual.device;
    return same_place(port.pci, port.port, usual) || (named && port.port == usual.port);
  };
  const auto of_name = [&](const LeftOut& port) {
    return !port.netdev.empty() && port.netdev == usual.netdev;
  };
  auto found = std::ranges::find_if(host.left_out, at_place);
  if (found == host.left_out.end()) found = std::ranges::find_if(host.left_out, of_name);
  return found == host.left_out.end() ? nullptr : &*found;
}

void add_lost(const FoundRails& found, const RailGroup& group, const Host& host,
              std::vector<Lost>& lost) {
  std::set<int> rails;
  std::set<int> slots;
  for (const Nic& nic : host.rails) {
    rails.insert(nic.rail);
    slots.insert(nic.slot);
  }
  for (std::size_t slot = 0; slot < found.slots.size(); ++slot) {
    if (slots.contains(static_cast<int>(slot)) || !rails.contains(found.slots[slot].rail)) continue;
    lost.push_back({&host, slot, &group.slots[slot], port_for(host, group.slots[slot])});
  }
}

std::string cost_of(const RailPlane& place) {
  return "which costs 1/" + std::to_string(place.planes) + " of its rail";
}

std::string what_to_do(const Lost& one) {
  if (one.port == nullptr) return "look for it with lspci, check card, slot and driver";
  return one.port->remedy.empty() ? "select it, or leave the plane out on all hosts"
                                  : one.port->remedy;
}

/// What no host has is no host's fault.
void say_nobody_has(const RailPlane& place, const Lost& one, Findings& findings) {
  std::string text = "up on no host";
  if (one.port != nullptr)
    text += " (" + port_text(one.port->device, one.port->port) + ": " + one.port->reason + ")";
  findings.push_back(note(Cause::missing_plane, rail_of(place), "", text + ", " + cost_of(place),
                          "check its switch, unless this is by design"));
}

void say_lost(const RailPlane& place, const Lost& one, Findings& findings) {
  const UsualNic& usual = *one.usual;
  const finding::Location where = one.port == nullptr
                                      ? port_of(*one.host, usual.device, usual.port, place)
                                      : port_of(*one.host, one.port->device, one.port->port, place);
  const std::string reason = one.port == nullptr ? "no NIC" : one.port->reason;
  findings.push_back(
      fact(Cause::missing_plane, where, reason + ", " + cost_of(place), what_to_do(one)));
}

/// Ranks exchange data over planes that all hosts have: a rail without one carries nothing.
void check_common(const FoundRails& found, const std::vector<Lost>& lost, Findings& findings) {
  const std::vector<RailPlane> common = common_slots(found);
  std::set<int> rails;
  for (const Lost& one : lost) rails.insert(found.slots[one.slot].rail);
  for (const int rail : rails) {
    const auto hosts = std::ranges::count_if(found.hosts, [&](const Host& host) {
      return std::ranges::count(host.rails, rail, &Nic::rail) > 0;
    });
    if (std::ranges::count(common, rail, &RailPlane::rail) > 0 || hosts < std::ssize(found.hosts)) {
      continue;
    }
    findings.push_back(fact(Cause::missing_plane, rail_of({.rail = rail}),
                            "none of its planes is up on all hosts",
                            "repair one of the ports with a missing plane"));
    findings.back().severity = finding::Severity::error;
  }
}

/// Planes of rails that hosts lack though they have others of the rail.
void check_planes(const FoundRails& found, Findings& findings) {
  std::vector<Lost> lost;
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) {
      add_lost(found, group, found.hosts[member], lost);
    }
  }
  std::vector<std::size_t> times(found.slots.size());
  for (const Lost& one : lost) ++times[one.slot];
  std::set<std::size_t> of_all;
  for (const Lost& one : lost) {
    if (found.hosts.size() == 1 || times[one.slot] < found.hosts.size()) {
      say_lost(found.slots[one.slot], one, findings);
    } else if (of_all.insert(one.slot).second) {
      say_nobody_has(found.slots[one.slot], one, findings);
    }
  }
  check_common(found, lost, findings);
}

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
    for (const LeftOut& port : host.left_out) {
      if (!port.lost_rail) ++times[slot_of(port)];
    }
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

/// The slots of rails of which a host has no plane. What it lacks of others: check_planes().
std::vector<std::size_t> missing_slots(const FoundRails& found, const Host& host) {
  std::set<int> there;
  for (const Nic& nic : host.rails) there.insert(nic.rail);
  std::vector<std::size_t> missing;
  for (std::size_t slot = 0; slot < found.slots.size(); ++slot) {
    if (!there.contains(found.slots[slot].rail)) missing.push_back(slot);
  }
  return missing;
}

/// How many rails a host has, those that it has lost and those beyond the others' included.
std::size_t rails_of(const FoundRails& found, const RailGroup& group, const Host& host) {
  std::set<int> rails;
  std::size_t beyond = 0;
  for (const std::size_t slot : missing_slots(found, host)) {
    const LeftOut* const port = port_for(host, group.slots[slot]);
    if (port != nullptr && port->lost_rail) rails.insert(found.slots[slot].rail);
  }
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

/// "mlx5_3 at 0000:48:00.0 (10.13.0.0/24)", as the others have it; of several planes the device.
std::string described(const UsualNic& usual, std::size_t planes) {
  std::vector<std::string> parts;
  if (!usual.device.empty()) parts.push_back(port_text(usual.device, planes == 1 ? usual.port : 1));
  if (!usual.pci.empty()) parts.push_back("at " + usual.pci);
  if (!parts.empty() && usual.subnet && planes == 1)
    parts.push_back("(" + to_string(*usual.subnet) + ")");
  return finding::joined(parts, " ");
}

/// A sentence for all rails alike; of a single one with what the others have.
void say_absent(const FoundRails& found, const Host& host, const RailGroup& group,
                const std::vector<std::size_t>& absent, Findings& findings) {
  std::map<int, std::vector<std::size_t>> rails;
  for (const std::size_t slot : absent) rails[found.slots[slot].rail].push_back(slot);
  for (const auto& [rail, slots] : rails) {
    const std::string usual =
        rails.size() == 1 ? described(group.slots[slots[0]], slots.size()) : "";
    findings.push_back(fact(Cause::missing_rail, port_of(host, "", 1, {.rail = rail}),
                            usual.empty() ? "no NIC" : "no NIC, the other hosts have " + usual,
                            "look for it with lspci, check card, slot and driver, or select the "
                            "same rails on all hosts (--include, --exclude)"));
  }
}

/// The port that each missing slot would be, by the profile of most hosts, or if as many are left,
/// in order.
void check_missing(const FoundRails& found, const RailGroup& group, const Host& host,
                   const std::set<std::string>& spare, Findings& findings) {
  const std::vector<std::size_t> missing = missing_slots(found, host);
  if (missing.empty()) return;
  Ports ports = repairable(host, spare);
  std::map<std::size_t, const LeftOut*> port_of_slot;
  for (const std::size_t slot : missing) {
    const LeftOut* const port = take_like(ports, group.slots[slot]);
    if (port != nullptr) port_of_slot[slot] = port;
  }
  if (ports.size() + port_of_slot.size() == missing.size()) {
    for (const std::size_t slot : missing) {
      if (port_of_slot.contains(slot)) continue;
      port_of_slot[slot] = ports.front();
      ports.erase(ports.begin());
    }
  }
  std::vector<std::size_t> absent;
  for (const std::size_t slot : missing) {
    if (!port_of_slot.contains(slot)) {
      absent.push_back(slot);
      continue;
    }
    const LeftOut& port = *port_of_slot[slot];
    findings.push_back(fact(Cause::missing_rail,
                            port_of(host, port.device, port.port, found.slots[slot]), port.reason,
                            port.remedy));
  }
  const bool bond = std::ranges::any_of(host.rails, [](const Nic& nic) {
    return !nic.bond.empty();  // has taken the NIC, and is named for it
  });
  if (!bond) say_absent(found, host, group, absent, findings);
}

void check_extra(const FoundRails& found, const Host& host, Findings& findings) {
  for (const Nic& nic : host.rails) {
    if (nic.rail >= 0) continue;
    findings.push_back(fact(
        Cause::extra_nic, port_of({&host, &nic}),
        address_of(nic) + ", the other hosts have " + finding::counted(found.slots.size(), "NIC"),
        "remove it, or leave it out (--exclude =" + nic.device + ")"));
  }
}

/// If no number of rails is that of most hosts, none of them is to blame.
bool agree_on_number(const FoundRails& found, Findings& findings) {
  std::map<std::size_t, std::vector<std::string>> hosts_of;
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) {
      const Host& host = found.hosts[member];
      hosts_of[rails_of(found, group, host)].push_back(host.name);
    }
  }
  if (found.hosts.size() < 3 || hosts_of[found.rails].size() * 2 > found.hosts.size()) return true;
  std::vector<std::string> parts;
  for (const auto& [rails, names] : hosts_of) {
    if (names.empty()) continue;
    parts.push_back(std::to_string(rails) + " on " + finding::first_of(names, 1));
  }
  Finding differ = fact(Cause::missing_rail, {}, finding::listed(parts),
                        "select the same rails on all of them (--include, --exclude)");
  differ.detail = "hosts have different numbers of rails";
  findings.push_back(std::move(differ));
  return false;
}

/// If no host has a rail, each port that could be one is to be repaired.
void check_any(const FoundRails& found, Findings& findings) {
  for (const Host& host : found.hosts) {
    for (const LeftOut* const port : repairable(host, {})) {
      findings.push_back(fact(Cause::missing_rail, port_of(host, port->device, port->port, {}),
                              port->reason, port->remedy));
    }
  }
}

/// Whether a port is of the rails' model, and set up as they are.
bool looks_like_a_rail(const Host& host, const LeftOut& port) {
  return port.like_rails && !port.model.empty() &&
         std::ranges::find(host.rails, port.model, &Nic::model) != host.rails.end();
}

bool has_one_like(const Host& host, const LeftOut& port) {
  return std::ranges::any_of(host.left_out, [&](const LeftOut& one) {
    const bool alike = slot_of(one) == slot_of(port) || one.device == port.device;
    return alike && one.port == port.port && looks_like_a_rail(host, one);
  });
}

Finding unused_alike(const FoundRails& found, const LeftOut& port) {
  const bool slow = port.reason.starts_with(topology::kOtherFabric);
  const std::string name = port_text(port.device, port.port);
  Finding finding =
      fact(slow ? Cause::link_speed : Cause::missing_rail, {},
           name + " is a rail on none of " + finding::counted(found.hosts.size(), "host") +
               ", and on all of them is set up like one (" + found.hosts.front().name + ": " +
               port.reason + ")",
           (port.remedy.empty() ? "check cables, transceivers and the speed of the switch's ports"
                                : port.remedy) +
               ", or exclude it if this is by design (--exclude =" + port.device + ")");
  finding.severity = finding::Severity::warning;
  return finding;
}

/// What is wrong on all hosts alike may be meant so.
void check_unused_alike(const FoundRails& found, Findings& findings) {
  if (found.hosts.size() < 2 || found.rule == topology::RailRule::user_map) return;
  for (const LeftOut& port : found.hosts.front().left_out) {
    const bool everywhere = std::ranges::all_of(
        found.hosts, [&](const Host& host) { return has_one_like(host, port); });
    if (everywhere) findings.push_back(unused_alike(found, port));
  }
}

void check_numbers(const FoundRails& found, Findings& findings) {
  if (std::ranges::all_of(found.hosts, [](const Host& host) { return host.rails.empty(); }))
    return check_any(found, findings);
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

/// Hosts of one name that cannot be told apart otherwise either.
bool same_host(const Host& one, const Host& other) {
  const auto ids = [](const Host& host) {
    std::vector<std::string> own;
    for (const Nic& nic : host.rails) own.push_back(nic.node_guid + nic.address);
    return own;
  };
  return ids(one) == ids(other);
}

void check_names(const FoundRails& found, Findings& findings) {
  std::map<std::string, std::vector<const Host*>> hosts;
  for (const Host& host : found.hosts) hosts[host.name].push_back(&host);
  for (const auto& [name, all] : hosts) {
    if (all.size() < 2) continue;
    const std::string count = finding::counted(all.size(), "host");
    const bool same = same_host(*all[0], *all[1]);
    findings.push_back(
        fact(Cause::duplicate_name, host_of(*all[0]),
             same ? count + " have this name and the same addresses and GUIDs" : count + " have it",
             same ? "give each recording once" : "give each a host name of its own"));
  }
}

/// The NICs that have an address: as the one in use, or as another one.
struct AddressHolders {
  std::vector<Placed> in_use{};
  std::vector<Placed> in_addition{};
};

void say_shared(const IpAddress& address, const AddressHolders& holders, Findings& findings) {
  std::vector<Placed> all = holders.in_use;
  all.insert(all.end(), holders.in_addition.begin(), holders.in_addition.end());
  std::string text = to_string(address);
  if (!holders.in_addition.empty())
    text += ", a further address of " + holders.in_addition[0].host->name;
  Finding shared =
      fact(Cause::duplicate_address, port_of(all[0]), text, "give each an address of its own");
  for (std::size_t i = 1; i < all.size(); ++i) shared.alternatives.push_back(port_of(all[i]));
  findings.push_back(std::move(shared));
}

/// "the network address" or "the broadcast address" of its subnet, which no host may have; "" if it
/// is neither (RFC 1122, 3.2.1.3; RFC 3021 for two addresses).
std::string reserved_as(const IpAddress& address, int prefix_length) {
  if (!is_ipv4(address) || prefix_length > 30) return "";
  if (address == network_of(address, prefix_length)) return "the network address";
  return address == topology::broadcast_of(address, prefix_length) ? "the broadcast address" : "";
}

void check_reserved(const Placed& one, const IpAddress& address, Findings& findings) {
  const std::string what = reserved_as(address, one.nic->prefix_length);
  if (what.empty()) return;
  findings.push_back(fact(Cause::unusable_address, port_of(one),
                          address_of(*one.nic) + " is " + what + " of its subnet",
                          "give it another address, or fix its prefix length"));
}

/// Others than the one in use may be on several hosts (anycast), unless one of them uses it.
void add_others(const Placed& one, std::map<IpAddress, AddressHolders>& holders) {
  for (const std::string& other : one.nic->other_addresses) {
    const auto address = parse_ip_address(other.substr(0, other.find('/')));
    if (address && !is_ipv4_link_local(*address)) holders[*address].in_addition.push_back(one);
  }
}

void check_addresses(const FoundRails& found, Findings& findings) {
  std::map<IpAddress, AddressHolders> holders;
  for (const Placed& one : nics_of(found)) {
    if (!subnet_of(*one.nic)) {
      findings.push_back(fact(
          Cause::unusable_address, port_of(one),
          "'" + address_of(*one.nic) + "' is not an IPv4 or IPv6 address with its prefix length"));
      continue;
    }
    const IpAddress address = *parse_ip_address(one.nic->address);
    // Two cables may have one link-local address.
    if (!is_ipv4_link_local(address)) holders[address].in_use.push_back(one);
    add_others(one, holders);
    check_reserved(one, address, findings);
  }
  for (const auto& [address, all] : holders) {
    if (!all.in_use.empty() && all.in_use.size() + all.in_addition.size() > 1)
      say_shared(address, all, findings);
  }
}

void check_reach(const FoundRails& found, Findings& findings) {
  if (found.hosts.size() < 2) return;
  for (const Placed& one : nics_of(found)) {
    const auto address = parse_ip_address(one.nic->address);
    if (!address || !is_loopback(*address)) continue;
    findings.push_back(
        fact(Cause::unusable_address, port_of(one),
             to_string(*address) + " is a loopback address, which no other host can reach",
             "give it another address (SOFTROCE_ADDRESS, if it is a soft device)"));
  }
}

/// What is said of hosts of one name, or of one recorded twice, would confuse.
bool names_differ(const FoundRails& found) {
  std::set<std::string> names;
  for (const Host& host : found.hosts) names.insert(host.name);
  return names.size() == found.hosts.size();
}

}  // namespace

std::vector<Finding> check_rails(const FoundRails& found) {
  Findings findings;
  check_names(found, findings);
  if (!names_differ(found)) return findings;
  check_numbers(found, findings);
  check_unused_alike(found, findings);
  check_planes(found, findings);
  check_addresses(found, findings);
  check_reach(found, findings);
  check_subnets(found, findings);
  check_majorities(found, findings);
  return findings;
}

bool prevents_run(const Finding& finding) {
  const bool sure = finding.certainty >= finding::Certainty::likely;
  if (finding.severity != finding::Severity::error || !sure) return false;
  switch (finding.cause) {
    case Cause::missing_rail:
    case Cause::extra_nic:
    case Cause::missing_plane:
    case Cause::wrong_subnet:
    case Cause::crossed_rails:
    case Cause::duplicate_address:
    case Cause::unusable_address:
    case Cause::duplicate_name:
    case Cause::bond: return true;
    default: return false;
  }
}

namespace {

using finding::FindingGroup;
using finding::Severity;

finding::Coverage coverage_of(const std::vector<topology::HostReport>& hosts) {
  finding::Coverage coverage{.check = "hosts", .planned = hosts.size()};
  std::vector<std::string> without;
  for (const topology::HostReport& host : hosts) {
    if (host.rails.empty()) without.push_back(host.map.host);
  }
  coverage.tested = hosts.size() - without.size();
  if (!without.empty()) coverage.skipped.push_back("no usable rail on " + finding::listed(without));
  return coverage;
}

std::vector<std::string> sentences_of(const std::vector<FindingGroup>& groups, Severity severity) {
  std::vector<std::string> sentences;
  for (const FindingGroup& group : groups) {
    if (group.first.severity == severity) sentences.push_back(sentence(group));
  }
  return sentences;
}

}  // namespace

finding::Report check_hosts(const topology::Report& report) {
  return {check_rails(report.found), {coverage_of(report.hosts)}};
}

std::string as_text(const finding::Report& report) {
  const auto groups = grouped(finding::ranked(report.findings));
  const finding::Outcome found = outcome(report);
  std::string text = std::string(word(found));
  if (const std::string why = in_short(report); !why.empty()) text += ": " + why;
  return manual::section_text("notes", sentences_of(groups, Severity::info)) +
         manual::section_text("warnings", sentences_of(groups, Severity::warning)) +
         manual::section_text("errors", sentences_of(groups, Severity::error)) +
         manual::section_text("outcome", {text});
}

}  // namespace railgauge::checks
