#include "fabric/description.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace railgauge::fabric::described {
namespace {

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw std::runtime_error(place + ": " + why);
}

std::string element(const char* list, std::size_t at) {
  return std::string{list} + "[" + std::to_string(at) + "]";
}

/// Tier of every node; hosts are on tier 0.
using Tiers = std::map<std::string, int>;

void add(Tiers& tiers, const std::string& place, const std::string& name, int tier) {
  if (name.empty()) refuse(place + ".name", "is empty");
  if (!tiers.emplace(name, tier).second) refuse(place + ".name", "there are two '" + name + "'");
}

Tiers check_nodes(const Fabric& fabric) {
  Tiers tiers;
  for (std::size_t at = 0; at < fabric.hosts.size(); ++at) {
    add(tiers, element("hosts", at), fabric.hosts[at].name, 0);
  }
  for (std::size_t at = 0; at < fabric.switches.size(); ++at) {
    add(tiers, element("switches", at), fabric.switches[at].name, fabric.switches[at].tier);
  }
  return tiers;
}

using Ports = std::set<std::pair<std::string, std::string>>;

int check_end(const Tiers& tiers, Ports& ports, const std::string& place, const LinkEnd& end) {
  const auto node = tiers.find(end.node);
  if (node == tiers.end()) refuse(place, "there is no host or switch '" + end.node + "'");
  if (!ports.emplace(end.node, end.port).second) {
    refuse(place + "_port", end.node + " has two ports '" + end.port + "'");
  }
  return node->second;
}

void check_links(const Fabric& fabric, const Tiers& tiers) {
  Ports ports;
  for (std::size_t at = 0; at < fabric.links.size(); ++at) {
    const Link& link = fabric.links[at];
    const std::string place = element("links", at);
    const int tier_a = check_end(tiers, ports, place + ".a", link.a);
    const int tier_b = check_end(tiers, ports, place + ".b", link.b);
    if (tier_a == 0 && tier_b == 0) refuse(place, "joins two hosts without a switch");
    if (tier_a == tier_b) refuse(place, "joins two switches of the same tier");
  }
}

void check_priority(const std::string& place, const Priority& priority) {
  if (priority.ecn_kmin_bytes.has_value() != priority.ecn_kmax_bytes.has_value()) {
    refuse(place, "ecn_kmin_bytes and ecn_kmax_bytes belong together");
  }
  if (priority.ecn_kmin_bytes && *priority.ecn_kmin_bytes > *priority.ecn_kmax_bytes) {
    refuse(place + ".ecn_kmin_bytes", "is larger than ecn_kmax_bytes");
  }
}

void check_priorities(const std::vector<Priority>& priorities) {
  std::set<int> seen;
  std::set<int> mapped;
  for (std::size_t at = 0; at < priorities.size(); ++at) {
    const std::string place = "switching." + element("priorities", at);
    check_priority(place, priorities[at]);
    if (!seen.insert(priorities[at].priority).second) {
      refuse(place + ".priority",
             "priority " + std::to_string(priorities[at].priority) + " is there twice");
    }
    for (const int dscp : priorities[at].dscp) {
      if (dscp < 0 || dscp > 63) {
        refuse(place + ".dscp", "must be from 0 to 63, not " + std::to_string(dscp));
      }
      if (!mapped.insert(dscp).second) {
        refuse(place + ".dscp", "DSCP " + std::to_string(dscp) + " is there twice");
      }
    }
  }
}

bool is_switch(const Fabric& fabric, const std::string& name) {
  return std::ranges::any_of(fabric.switches, [&](const Switch& one) { return one.name == name; });
}

void check_fault(const Fabric& fabric, const std::string& place, const Fault& fault) {
  if (!is_switch(fabric, fault.at) && !find_link(fabric, fault.at)) {
    refuse(place + ".at", "'" + fault.at + "' is no switch, and not the name of one link");
  }
  if (fault.direction != "a-to-b" && fault.direction != "b-to-a" && fault.direction != "both") {
    refuse(place + ".direction", "must be a-to-b, b-to-a or both, not '" + fault.direction + "'");
  }
  if (fault.fault.empty()) refuse(place + ".fault", "is empty");
}

}  // namespace

void check(const Fabric& fabric) {
  if (fabric.switches.empty()) refuse("switches", "expected at least 1");
  if (fabric.addressing != "subnet" && fabric.addressing != "routed") {
    refuse("addressing", "must be subnet or routed, not '" + fabric.addressing + "'");
  }
  check_links(fabric, check_nodes(fabric));
  check_priorities(fabric.switching.priorities);
  for (std::size_t at = 0; at < fabric.faults.size(); ++at) {
    check_fault(fabric, element("faults", at), fabric.faults[at]);
  }
}

}  // namespace railgauge::fabric::described
