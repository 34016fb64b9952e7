#include "topology/subnet_check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "topology/accusation.hpp"
#include "topology/ip_address.hpp"

namespace railgauge::topology {
namespace {

const UsualNic* usual_of(const RailGroup& group, const Nic& nic) {
  return nic.slot < 0 ? nullptr : &group.slots[static_cast<std::size_t>(nic.slot)];
}

/// "rail 1: host3 mlx5_1 10.99.0.4/24"
std::string addressed(const Host& host, const Nic& nic) {
  return rail_text(rail_plane_of(nic)) + ": " + host.name + " " + name_of(nic) + " " +
         address_of(nic);
}

/// The hosts in a slot's subnet: "the other 2 hosts", "3 other hosts", or the one by its name.
std::string insiders(const FoundRails& found, const RailGroup& group, int slot,
                     const Subnet& subnet) {
  std::size_t having = 0;
  std::size_t inside = 0;
  const Host* one = nullptr;
  for (const std::size_t member : group.hosts) {
    for (const Nic& nic : found.hosts[member].rails) {
      if (nic.slot != slot) continue;
      ++having;
      if (telling_subnet(nic) != subnet) continue;
      ++inside;
      one = &found.hosts[member];
    }
  }
  if (inside == 1) return one->name;
  const std::string number = std::to_string(inside);
  return inside + 1 == having ? "the other " + number + " hosts" : number + " other hosts";
}

// One address family.

bool uses_ipv4(const Nic& nic) {
  const auto address = parse_ip_address(nic.address);
  return address && is_ipv4(*address);
}

/// Whether most NICs at a slot use IPv4; if as many use IPv6, they do.
using Families = std::map<int, bool>;

Families families(const FoundRails& found) {
  std::map<int, int> surplus;
  for (const Host& host : found.hosts) {
    for (const Nic& nic : host.rails) surplus[nic.slot] += uses_ipv4(nic) ? 1 : -1;
  }
  Families ipv4;
  for (const auto& [slot, more] : surplus) ipv4[slot] = more >= 0;
  return ipv4;
}

void check_families(const FoundRails& found, const Families& ipv4, Findings& findings) {
  Accusations accused;
  for (const Host& host : found.hosts) {
    for (const Nic& nic : host.rails) {
      if (nic.slot < 0 || !subnet_of(nic) || uses_ipv4(nic) == ipv4.at(nic.slot)) continue;
      const std::string its = uses_ipv4(nic) ? "IPv4" : "IPv6";
      const std::string usual = uses_ipv4(nic) ? "IPv6" : "IPv4";
      std::string why = " " + its;
      why.append(", and the other hosts ").append(usual);
      why.append(", and RoCE v2 does not connect the two; give ");
      accused.add(host, nic, std::string(" uses").append(why).append("it an " + usual + " address"),
                  std::string(" use").append(why).append("them " + usual + " addresses"));
    }
  }
  std::ranges::move(accused.sentences(), std::back_inserter(findings.mismatches));
}

// One subnet for each rail.

/// NICs of a host whose prefix length is not that of the others, by the length it should be.
using WrongLengths = std::map<int, std::vector<const Nic*>>;

void say_lengths(const Host& host, const WrongLengths& wrong, Findings& findings) {
  for (const auto& [length, nics] : wrong) {
    std::vector<RailPlane> rails;
    std::string places;
    for (const Nic* nic : nics) {
      rails.push_back(rail_plane_of(*nic));
      places += (places.empty() ? "" : ", ") + name_of(*nic) + " " + address_of(*nic);
    }
    std::string sentence = rails_text(rails) + ": " + host.name + " " + places +
                           " where the others have /" + std::to_string(length);
    sentence +=
        nics.size() == 1 ? ": set its prefix length to that" : ": set their prefix lengths to that";
    findings.mismatches.push_back(std::move(sentence));
  }
}

/// What is wrong with a NIC that is not in its rail's subnet; "" if it is only the prefix length,
/// which is then in `lengths`.
std::string outside(const FoundRails& found, const RailGroup& group, const Host& host,
                    const Nic& nic, WrongLengths& lengths) {
  const Subnet& usual = *usual_of(group, nic)->subnet;
  if (is_within(nic, usual)) {
    lengths[usual.prefix_length].push_back(&nic);
    return "";
  }
  const std::string others = insiders(found, group, nic.slot, usual);
  const std::string better = other_address_within(nic, usual);
  if (!better.empty()) {
    return addressed(host, nic) + " comes first, and is not in " + to_string(usual) + " of " +
           others + ", as its " + better + " is; put that one first, or remove " + nic.address;
  }
  return addressed(host, nic) + " is not in " + to_string(usual) + " of " + others +
         "; fix its address or its cable";
}

/// The slot whose place a NIC has, as most hosts have it; empty if that is not known.
std::optional<int> place_of_nic(const RailGroup& group, const Nic& nic) {
  const bool by_pci =
      !nic.pci.empty() && std::ranges::none_of(group.slots, &std::string::empty, &UsualNic::pci);
  for (std::size_t slot = 0; slot < group.slots.size(); ++slot) {
    const UsualNic& usual = group.slots[slot];
    const bool named = nic.pci.empty() && nic.device == usual.device && nic.port == usual.port;
    if (by_pci ? same_place(nic.pci, nic.port, usual) : named) return static_cast<int>(slot);
  }
  return std::nullopt;
}

bool in_its_subnet(const RailGroup& group, const Nic& nic) {
  const UsualNic* const usual = usual_of(group, nic);
  return usual != nullptr && usual->subnet && telling_subnet(nic) == usual->subnet;
}

/// The NICs of a host that are in their slots' subnets, and at the places of others.
std::vector<const Nic*> displaced(const RailGroup& group, const Host& host) {
  std::vector<const Nic*> nics;
  for (const Nic& nic : host.rails) {
    const auto place = place_of_nic(group, nic);
    if (in_its_subnet(group, nic) && place && *place != nic.slot) nics.push_back(&nic);
  }
  std::ranges::sort(nics, {}, [&](const Nic* nic) { return place_of_nic(group, *nic); });
  return nics;
}

/// Whether names say what the subnets say: someone who knows the board has named them.
bool named_for_their_rails(const RailGroup& group, const std::vector<const Nic*>& nics) {
  return std::ranges::all_of(nics, [&](const Nic* nic) {
    const UsualNic& usual = *usual_of(group, *nic);
    return (nic->netdev == usual.netdev && !nic->netdev.empty()) ||
           (!nic->pci.empty() && nic->device == usual.device && nic->port == usual.port);
  });
}

std::string crossing(const FoundRails& found, const RailGroup& group, const Host& host,
                     const std::vector<const Nic*>& nics) {
  std::vector<RailPlane> places;
  std::string seen;
  for (const Nic* nic : nics) {
    places.push_back(found.slots[static_cast<std::size_t>(*place_of_nic(group, *nic))]);
    seen += (seen.empty() ? "" : ", ") + name_of(*nic) + " " + address_of(*nic) + " is in " +
            rail_text(rail_plane_of(*nic)) + "'s subnet";
  }
  const std::string their =
      nics.size() == 2 ? "swap their two cables" : "put their cables in order";
  return host.name + ": " + rails_text(places, true) + " are crossed: " + seen + "; " + their +
         ", or their addresses if the cables are right";
}

bool in_pci_order(const Host& host) {
  std::vector<Nic> nics;
  for (const Nic& nic : host.rails) {
    if (nic.slot >= 0) nics.push_back(nic);
  }
  return std::ranges::is_sorted(in_rail_order(nics), {}, &Nic::slot);
}

std::string another_order(const Host& host) {
  return host.name +
         ": another board order: its NICs are not in the others' order of PCI addresses; its rails "
         "are numbered by their subnets";
}

void check_order(const FoundRails& found, const RailGroup& group, const Host& host,
                 Findings& findings) {
  if (!group.order_known) return;
  const auto nics = displaced(group, host);
  const bool known = std::ranges::all_of(
      host.rails, [&](const Nic& nic) { return place_of_nic(group, nic).has_value(); });
  if (nics.size() > 1 && known && !named_for_their_rails(group, nics)) {
    findings.mismatches.push_back(crossing(found, group, host, nics));
  } else if (found.boards_alike && !in_pci_order(host)) {
    findings.notes.push_back(another_order(host));
  }
}

/// A bond says what is wrong with a NIC better than its address does.
bool bonded_alone(const FoundRails& found, const Nic& nic) {
  if (nic.bond.empty()) return false;
  std::size_t bonds = 0;
  std::size_t others = 0;
  for (const Host& host : found.hosts) {
    for (const Nic& one : host.rails) {
      if (one.slot == nic.slot) ++(one.bond.empty() ? others : bonds);
    }
  }
  return others > bonds;
}

void check_bonds(const FoundRails& found, Findings& findings) {
  for (const Host& host : found.hosts) {
    for (const Nic& nic : host.rails) {
      if (nic.slot < 0 || !bonded_alone(found, nic)) continue;
      findings.mismatches.push_back(
          place_of(host, nic) + " is a bond, " + nic.bond +
          ", and on the other hosts a NIC by itself; take the bond apart");
    }
  }
}

void check_swapped(const FoundRails& found, const Host& host, Findings& findings) {
  for (const Nic& nic : host.rails) {
    const LeftOut* const other = swapped_with(found, host, nic);
    if (other == nullptr) continue;
    findings.mismatches.push_back(
        addressed(host, nic) + " is in the subnet that " + other->device +
        " should be in, which is " + other->reason +
        "; swap their two cables, or their addresses if the cables are right");
  }
}

void check_members(const FoundRails& found, const RailGroup& group, const Families& ipv4,
                   Findings& findings) {
  for (const std::size_t member : group.hosts) {
    const Host& host = found.hosts[member];
    WrongLengths lengths;
    for (const Nic& nic : host.rails) {
      const UsualNic* const usual = usual_of(group, nic);
      if (usual == nullptr || !usual->subnet || in_its_subnet(group, nic) || !subnet_of(nic)) {
        continue;
      }
      if (uses_ipv4(nic) != ipv4.at(nic.slot) || bonded_alone(found, nic)) continue;
      std::string wrong = outside(found, group, host, nic, lengths);
      if (!wrong.empty()) findings.mismatches.push_back(std::move(wrong));
    }
    say_lengths(host, lengths, findings);
    check_order(found, group, host, findings);
    check_swapped(found, host, findings);
  }
}

// Rails on which hosts do not agree.

struct Held {
  const Host* host;
  const Nic* nic;
};

std::vector<Held> holders(const FoundRails& found, const RailGroup& group, int slot) {
  std::vector<Held> held;
  for (const std::size_t member : group.hosts) {
    for (const Nic& nic : found.hosts[member].rails) {
      if (nic.slot == slot && telling_subnet(nic)) held.push_back({&found.hosts[member], &nic});
    }
  }
  return held;
}

bool within_each_other(const Nic& left, const Nic& right) {
  return is_within(left, *subnet_of(right)) || is_within(right, *subnet_of(left));
}

/// How many hosts have which prefix length.
std::map<int, int> prefix_lengths(const std::vector<Held>& held) {
  std::map<int, int> hosts;
  for (const Held& one : held) ++hosts[one.nic->prefix_length];
  return hosts;
}

/// "/16 on 2 hosts, /24 on 2".
std::string lengths_of(const std::vector<Held>& held) {
  std::string text;
  for (const auto& [length, count] : prefix_lengths(held)) {
    text += (text.empty() ? "/" : ", /") + std::to_string(length) + " on " + std::to_string(count) +
            (text.empty() ? " hosts" : "");
  }
  return text;
}

/// Two hosts that share other rails and not this one: one of them is wrong.
void say_which_of_two(const std::vector<Held>& held, const RailPlane& place, Findings& findings) {
  const auto one = [&](const Held& of) {
    return of.host->name + " " + name_of(*of.nic) + " " + address_of(*of.nic);
  };
  findings.mismatches.push_back(rail_text(place) + ": " + one(held[0]) + " and " + one(held[1]) +
                                " are in different subnets, and the two hosts share those of other "
                                "rails; fix the address or the cable of one of them");
}

void check_open_rails(const FoundRails& found, const RailGroup& group, Findings& findings) {
  std::map<std::string, std::vector<RailPlane>> lengths;
  std::vector<RailPlane> open;
  for (std::size_t i = 0; i < group.slots.size(); ++i) {
    const RailPlane& place = found.slots[i];
    const auto held = holders(found, group, static_cast<int>(i));
    if (group.slots[i].subnet || held.size() < 2) continue;
    if (std::ranges::all_of(
            held, [&](const Held& one) { return within_each_other(*one.nic, *held[0].nic); })) {
      if (prefix_lengths(held).size() > 1) lengths[lengths_of(held)].push_back(place);
    } else if (group.by_subnet && group.hosts.size() == 2) {
      say_which_of_two(held, place, findings);
    } else if (group.by_subnet) {
      open.push_back(place);
    }
  }
  for (const auto& [text, rails] : lengths) {
    findings.notes.push_back(rails_text(rails) + ": hosts disagree on the prefix length: " + text +
                             "; make it the same on all");
  }
  if (!open.empty()) {
    findings.notes.push_back(rails_text(open) +
                             ": hosts share no subnet there: the fabric routes, or addresses are "
                             "wrong; reachability_perf tells");
  }
}

/// A host that shares no subnet with the others, who share theirs.
void check_lonely(const FoundRails& found, const Families& ipv4, Findings& findings) {
  const auto shared = std::ranges::any_of(
      found.groups, [](const RailGroup& group) { return group.hosts.size() > 1; });
  for (const RailGroup& group : found.groups) {
    const Host& host = found.hosts[group.hosts[0]];
    if (!shared || group.hosts.size() > 1 || host.rails.empty()) continue;
    const bool telling = std::ranges::any_of(host.rails, [&](const Nic& nic) {
      return telling_subnet(nic) && uses_ipv4(nic) == ipv4.at(nic.slot);
    });
    if (!telling) continue;
    findings.notes.push_back(host.name +
                             " shares no subnet with another host: it is behind another leaf, or "
                             "its addresses are wrong; reachability_perf tells");
  }
}

/// Where addresses do not say the rail and boards differ, nobody knows it.
void check_boards(const FoundRails& found, Findings& findings) {
  if (found.rule == RailRule::pci_order && found.hosts.size() > 1 && !found.boards_alike) {
    findings.notes.push_back(
        "PCI addresses differ between hosts, and addresses do not say the rails: numbered by PCI "
        "order, which is a guess; reachability_perf measures it, --rail-map says it");
  }
  for (const RailGroup& group : found.groups) {
    if (group.by_subnet || !found.boards_alike) continue;
    for (const std::size_t member : group.hosts) {
      const Host& host = found.hosts[member];
      if (std::ranges::all_of(host.rails, [&](const Nic& nic) {
            return nic.slot < 0 || place_of_nic(group, nic).has_value();
          })) {
        continue;
      }
      findings.notes.push_back(
          host.name +
          " has NICs at other PCI addresses than the other hosts, and addresses do not say their "
          "rails: numbered by PCI order, which is a guess; reachability_perf measures it, "
          "--rail-map says it");
    }
  }
}

}  // namespace

void check_subnets(const FoundRails& found, Findings& findings) {
  const Families ipv4 = families(found);
  check_bonds(found, findings);
  check_families(found, ipv4, findings);
  for (const RailGroup& group : found.groups) {
    check_members(found, group, ipv4, findings);
    check_open_rails(found, group, findings);
  }
  check_lonely(found, ipv4, findings);
  check_boards(found, findings);
}

}  // namespace railgauge::topology
