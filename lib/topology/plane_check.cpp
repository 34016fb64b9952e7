#include "topology/plane_check.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "topology/accusation.hpp"

namespace railgauge::topology {
namespace {

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

std::string place_of(const Lost& one) {
  const std::string name = port_name(one.usual->device, one.usual->port);
  return one.usual->device.empty() ? "" : name;
}

/// What no host has is no host's fault.
void say_nobody_has(const RailPlane& place, const Lost& one, Findings& findings) {
  findings.notes.push_back(rail_text(place) + " is up on no host (" + place_of(one) +
                           (one.port == nullptr ? "" : ": " + one.port->reason) +
                           "): by design, or because of its switch; " + cost_of(place));
}

void say_lost(const FoundRails& found, const std::vector<const Lost*>& lost, Findings& findings) {
  Accusations down;
  for (const Lost* one : lost) {
    const RailPlane& place = found.slots[one->slot];
    findings.lost_planes.push_back({one->host->name, one->usual->device, one->usual->port, place,
                                    one->port == nullptr ? "it is not there" : one->port->reason});
    if (one->port == nullptr) {
      const std::string where = place_of(*one).empty() ? "" : ", " + place_of(*one);
      findings.warnings.push_back(one->host->name + " has no NIC on " + rail_text(place) + where +
                                  ", " + cost_of(place) + "; " + what_to_do(*one));
      continue;
    }
    const std::string why =
        ": " + one->port->reason + ", " + cost_of(place) + "; " + what_to_do(*one);
    down.add(one->host->name, one->port->device, one->port->port, place, why, why);
  }
  std::ranges::move(down.sentences(), std::back_inserter(findings.warnings));
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
    findings.mismatches.push_back("rail " + std::to_string(rail) +
                                  " has no plane that is up on all hosts; repair one of the ports "
                                  "that the warnings name");
  }
}

}  // namespace

void check_planes(const FoundRails& found, Findings& findings) {
  std::vector<Lost> lost;
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) {
      add_lost(found, group, found.hosts[member], lost);
    }
  }
  std::vector<std::size_t> times(found.slots.size());
  for (const Lost& one : lost) ++times[one.slot];
  std::vector<const Lost*> of_some;
  std::set<std::size_t> of_all;
  for (const Lost& one : lost) {
    if (found.hosts.size() == 1 || times[one.slot] < found.hosts.size()) {
      of_some.push_back(&one);
    } else if (of_all.insert(one.slot).second) {
      say_nobody_has(found.slots[one.slot], one, findings);
    }
  }
  say_lost(found, of_some, findings);
  check_common(found, lost, findings);
}

}  // namespace railgauge::topology
