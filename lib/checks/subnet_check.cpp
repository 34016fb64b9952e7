#include "checks/rail_check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "checks/place.hpp"
#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "topology/ip_address.hpp"

namespace railgauge::checks {
namespace {

using finding::Cause;
using finding::Finding;
using Findings = std::vector<Finding>;
using topology::FoundRails;
using topology::Host;
using topology::LeftOut;
using topology::majority;
using topology::Nic;
using topology::parse_ip_address;
using topology::RailGroup;
using topology::RailPlane;
using topology::RailRule;
using topology::Subnet;
using topology::UsualNic;

const UsualNic* usual_of(const RailGroup& group, const Nic& nic) {
  return nic.slot < 0 ? nullptr : &group.slots[static_cast<std::size_t>(nic.slot)];
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
  for (const Placed& one : nics_of(found)) surplus[one.nic->slot] += uses_ipv4(*one.nic) ? 1 : -1;
  Families ipv4;
  for (const auto& [slot, more] : surplus) ipv4[slot] = more >= 0;
  return ipv4;
}

void check_families(const FoundRails& found, const Families& ipv4, Findings& findings) {
  for (const Placed& one : nics_of(found)) {
    const Nic& nic = *one.nic;
    if (nic.slot < 0 || !subnet_of(nic) || uses_ipv4(nic) == ipv4.at(nic.slot)) continue;
    const std::string its = uses_ipv4(nic) ? "IPv4" : "IPv6";
    const std::string usual = uses_ipv4(nic) ? "IPv6" : "IPv4";
    std::string detail = its;
    detail.append(" address, the other hosts have ").append(usual);
    detail += " (RoCE v2 does not connect the two)";
    findings.push_back(fact(Cause::wrong_subnet, port_of(one), detail,
                            std::string("give it an ").append(usual).append(" address")));
  }
}

// One subnet for each rail.

Finding wrong_length(const Host& host, const Nic& nic, int usual) {
  const std::string length = std::to_string(usual);
  Finding finding = fact(Cause::wrong_subnet, port_of({&host, &nic}), "", "set it to " + length);
  finding.evidence.push_back({.metric = "prefix length",
                              .observed = nic.prefix_length,
                              .expected = usual,
                              .expected_from = "the other hosts"});
  return finding;
}

/// What is wrong with a NIC that is not in its rail's subnet.
Finding outside(const FoundRails& found, const RailGroup& group, const Host& host, const Nic& nic) {
  const Subnet& usual = *usual_of(group, nic)->subnet;
  if (is_within(nic, usual)) return wrong_length(host, nic, usual.prefix_length);
  const std::string others = insiders(found, group, nic.slot, usual);
  const std::string is_not_in =
      address_of(nic) + " is not in " + to_string(usual) + " of " + others;
  const std::string better = other_address_within(nic, usual);
  if (better.empty()) {
    return fact(Cause::wrong_subnet, port_of({&host, &nic}), is_not_in,
                "fix its address or its cable");
  }
  return fact(Cause::wrong_subnet, port_of({&host, &nic}),
              is_not_in + ", its second address " + better + " is",
              "put that one first, or remove " + nic.address);
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

/// A NIC of a host that is in the subnet of its slot, and at the place of another.
struct Displaced {
  const Nic* nic;
  int place;  // the slot that it would have by its place
};

/// The PCI addresses of a host's rails: hosts with the same have the same board.
using Board = std::vector<std::string>;

Board board_of(const Host& host) {
  Board board;
  for (const Nic& nic : host.rails) board.push_back(nic.pci + " " + std::to_string(nic.port));
  std::ranges::sort(board);
  return board;
}

/// Where the rails of each kind of board are, by the hosts that have it.
class Boards {
 public:
  explicit Boards(const FoundRails& found) {
    for (const Host& host : found.hosts) {
      for (const Nic& nic : host.rails) ++slots_[board_of(host)][place_of(nic)][nic.slot];
    }
  }

  /// The slot that most of the other hosts with this board have at a NIC's place, and the number
  /// of these hosts.
  [[nodiscard]] std::optional<std::pair<int, std::size_t>> others(const Board& board,
                                                                  const Nic& nic) const {
    auto slots = slots_.at(board).at(place_of(nic));
    if (--slots[nic.slot] == 0) slots.erase(nic.slot);
    const auto usual = majority(slots);
    if (!usual) return std::nullopt;
    return std::pair(*usual, slots.at(*usual));
  }

 private:
  static std::pair<std::string, int> place_of(const Nic& nic) { return {nic.pci, nic.port}; }

  std::map<Board, std::map<std::pair<std::string, int>, std::map<int, std::size_t>>> slots_;
};

/// The places of a host's NICs, and how many hosts tell them.
struct KnownPlaces {
  std::map<const Nic*, int> slots{};
  std::size_t hosts = 0;
};

/// By the board of most hosts of the group, or else by the other hosts with the host's own. Empty
/// if neither has all its NICs.
KnownPlaces known_places(const RailGroup& group, const Boards& boards, const Host& host) {
  KnownPlaces known;
  for (const Nic& nic : host.rails) {
    if (const auto place = place_of_nic(group, nic)) known.slots[&nic] = *place;
  }
  if (known.slots.size() == host.rails.size()) return {known.slots, group.hosts.size()};
  if (std::ranges::any_of(host.rails, &std::string::empty, &Nic::pci)) return {};
  known = {{}, group.hosts.size()};
  const Board board = board_of(host);
  for (const Nic& nic : host.rails) {
    const auto place = boards.others(board, nic);
    if (!place) return {};
    known.slots[&nic] = place->first;
    known.hosts = std::min(known.hosts, place->second);
  }
  return known;
}

std::vector<Displaced> displaced(const RailGroup& group, const KnownPlaces& places) {
  std::vector<Displaced> nics;
  for (const auto& [nic, place] : places.slots) {
    if (in_its_subnet(group, *nic) && place != nic->slot) nics.push_back({nic, place});
  }
  std::ranges::sort(nics, {}, &Displaced::place);
  return nics;
}

/// Whether names say what the subnets say: someone who knows the board has named them.
bool named_for_their_rails(const RailGroup& group, const std::vector<Displaced>& nics) {
  return std::ranges::all_of(nics, [&](const Displaced& one) {
    const Nic* const nic = one.nic;
    const UsualNic& usual = *usual_of(group, *nic);
    return (nic->netdev == usual.netdev && !nic->netdev.empty()) ||
           (!nic->pci.empty() && nic->device == usual.device && nic->port == usual.port);
  });
}

Finding crossing(const FoundRails& found, const Host& host, const std::vector<Displaced>& nics) {
  std::vector<finding::Endpoint> places;
  std::vector<std::string> seen;
  for (const auto& [nic, place] : nics) {
    places.push_back(rail_of(found.slots[static_cast<std::size_t>(place)]).at);
    seen.push_back(with_address(*nic) + " is in the subnet of " + rail_text(rail_plane_of(*nic)));
  }
  Finding finding =
      fact(Cause::crossed_rails, host_of(host), finding::joined(seen),
           std::string(nics.size() == 2 ? "swap their two cables" : "put their cables in order") +
               ", or their addresses if the cables are right");
  finding.detail = finding::rails_and_planes(places) + " are crossed";
  return finding;
}

bool in_pci_order(const Host& host) {
  std::vector<Nic> nics;
  for (const Nic& nic : host.rails) {
    if (nic.slot >= 0) nics.push_back(nic);
  }
  return std::ranges::is_sorted(in_rail_order(nics), {}, &Nic::slot);
}

Finding another_order(const Host& host) {
  return note(Cause::rail_numbering, host_of(host), "another board order",
              "its NICs are not in the PCI order of the other hosts, so its rails are numbered by "
              "their subnets");
}

/// Of two hosts with a board of their own that contradict each other, the one out of order.
Finding possible_crossing(Finding finding) {
  finding.certainty = finding::Certainty::possible;
  finding.excuses.emplace_back("only one other host has this board");
  return finding;
}

void check_order(const FoundRails& found, const RailGroup& group, const Host& host,
                 const Boards& boards, Findings& findings) {
  if (!group.order_known) return;
  const KnownPlaces places = known_places(group, boards, host);
  const auto nics = displaced(group, places);
  const bool crossed = nics.size() > 1 && !named_for_their_rails(group, nics);
  if (crossed && places.hosts > 1) {
    findings.push_back(crossing(found, host, nics));
  } else if (crossed && !in_pci_order(host)) {
    findings.push_back(possible_crossing(crossing(found, host, nics)));
  } else if (found.boards_alike && !in_pci_order(host)) {
    findings.push_back(another_order(host));
  }
}

/// [slot][members of its bond, 0 without one] The number of NICs.
using BondMembers = std::map<int, std::map<int, std::size_t>>;

BondMembers bond_members(const FoundRails& found) {
  BondMembers members;
  for (const Placed& one : nics_of(found)) ++members[one.nic->slot][one.nic->bond_members];
  return members;
}

/// A bond says what is wrong with a NIC better than its address does.
bool bonded_alone(const BondMembers& members, const Nic& nic) {
  if (nic.bond_members == 0) return false;
  std::size_t all = 0;
  std::size_t single = 0;
  for (const auto& [count, nics] : members.at(nic.slot)) {
    all += nics;
    if (count == 0) single = nics;
  }
  return single * 2 > all;
}

/// A bond with fewer members than most of its rail, or else most of all rails; of a single host the
/// latter.
std::optional<int> expected_members(const FoundRails& found, const BondMembers& members,
                                    const Nic& nic) {
  std::map<int, std::size_t> every;
  for (const auto& [slot, counts] : members) {
    for (const auto& [count, nics] : counts) every[count] += nics;
  }
  auto usual = found.hosts.size() > 1 ? majority(members.at(nic.slot)) : std::nullopt;
  if (!usual) usual = majority(every);
  return usual && *usual > nic.bond_members ? usual : std::nullopt;
}

Finding lost_member(const Placed& one, int usual) {
  Finding finding = fact(Cause::link_speed, port_of(one), "",
                         "add the missing network device to the bond, and check its cable");
  finding.detail = "a bond lacks a member";
  finding.evidence.push_back({.metric = "members of " + one.nic->bond,
                              .observed = one.nic->bond_members,
                              .expected = usual,
                              .expected_from = "most other bonds"});
  return finding;
}

void check_bonds(const FoundRails& found, const BondMembers& members, Findings& findings) {
  for (const Placed& one : nics_of(found)) {
    if (one.nic->slot < 0 || one.nic->bond_members == 0) continue;
    if (bonded_alone(members, *one.nic)) {
      findings.push_back(
          fact(Cause::bond, port_of(one), one.nic->bond + ", the other hosts have a single NIC"));
    } else if (const auto usual = expected_members(found, members, *one.nic)) {
      findings.push_back(lost_member(one, *usual));
    }
  }
}

void check_swapped(const FoundRails& found, const Host& host, Findings& findings) {
  for (const Nic& nic : host.rails) {
    const LeftOut* const other = swapped_with(found, host, nic);
    if (other == nullptr) continue;
    findings.push_back(
        fact(Cause::crossed_rails, port_of({&host, &nic}),
             address_of(nic) + " belongs to " + other->device + ", which is " + other->reason,
             "swap their two cables, or their addresses if the cables are right"));
  }
}

void check_members(const FoundRails& found, const RailGroup& group, const Families& ipv4,
                   const BondMembers& bonds, const Boards& boards, Findings& findings) {
  for (const std::size_t member : group.hosts) {
    const Host& host = found.hosts[member];
    for (const Nic& nic : host.rails) {
      const UsualNic* const usual = usual_of(group, nic);
      if (usual == nullptr || !usual->subnet || in_its_subnet(group, nic) || !subnet_of(nic)) {
        continue;
      }
      if (uses_ipv4(nic) != ipv4.at(nic.slot) || bonded_alone(bonds, nic)) continue;
      findings.push_back(outside(found, group, host, nic));
    }
    check_order(found, group, host, boards, findings);
    check_swapped(found, host, findings);
  }
}

// Rails on which hosts do not agree.

std::vector<Placed> holders(const FoundRails& found, const RailGroup& group, int slot) {
  std::vector<Placed> held;
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
std::map<int, int> prefix_lengths(const std::vector<Placed>& held) {
  std::map<int, int> hosts;
  for (const Placed& one : held) ++hosts[one.nic->prefix_length];
  return hosts;
}

/// "/16 on 2 hosts, /24 on 2".
std::string lengths_of(const std::vector<Placed>& held) {
  std::string text;
  for (const auto& [length, count] : prefix_lengths(held)) {
    text += (text.empty() ? "/" : ", /") + std::to_string(length) + " on " + std::to_string(count) +
            (text.empty() ? " hosts" : "");
  }
  return text;
}

/// Two hosts that share other rails and not this one: one of them is wrong.
Finding one_of_two(const std::vector<Placed>& held) {
  Finding finding = fact(Cause::wrong_subnet, port_of(held[0]),
                         with_address(held[0]) + " and " + with_address(held[1]) +
                             " are in different subnets, other rails share theirs",
                         "fix the address or the cable of one of them");
  finding.alternatives.push_back(port_of(held[1]));
  return finding;
}

Finding lengths_differ(const RailPlane& place, const std::string& lengths) {
  return note(Cause::wrong_subnet, rail_of(place), "hosts have different prefix lengths", lengths,
              "set the same on all hosts");
}

/// The fabric routes, or addresses are wrong: nobody knows it here.
Finding not_shared(finding::Location where, const char* detail, const char* unless) {
  Finding finding = note(Cause::wrong_subnet, std::move(where), detail, "",
                         "measure with reachability_perf which rails connect");
  finding.certainty = finding::Certainty::possible;
  finding.excuses.emplace_back(unless);
  return finding;
}

void check_open_rails(const FoundRails& found, const RailGroup& group, Findings& findings) {
  for (std::size_t i = 0; i < group.slots.size(); ++i) {
    const RailPlane& place = found.slots[i];
    const auto held = holders(found, group, static_cast<int>(i));
    if (group.slots[i].subnet || held.size() < 2) continue;
    if (std::ranges::all_of(
            held, [&](const Placed& one) { return within_each_other(*one.nic, *held[0].nic); })) {
      if (prefix_lengths(held).size() > 1)
        findings.push_back(lengths_differ(place, lengths_of(held)));
    } else if (group.by_subnet && group.hosts.size() == 2) {
      findings.push_back(one_of_two(held));
    } else if (group.by_subnet) {
      findings.push_back(fact(Cause::wrong_subnet, rail_of(place),
                              "its hosts share no subnet, those of other rails share theirs",
                              "fix the addresses or the cables of the rail"));
    }
  }
}

// Rails whose subnets say nothing: addresses have one form.

/// How an address reaches others: on the cable alone, or by a subnet of some length.
struct Form {
  bool link_local = false;
  int prefix_length = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const Form&, const Form&) = default;
};

Form form_of(const Nic& nic) {
  const Subnet subnet = *subnet_of(nic);
  return {is_ipv4_link_local(subnet.network), subnet.prefix_length};
}

/// The NICs on rails of which a group knows no subnet, of the usual family.
std::vector<Placed> without_subnets(const FoundRails& found, const Families& ipv4) {
  std::vector<Placed> all;
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) {
      for (const Nic& nic : found.hosts[member].rails) {
        const UsualNic* const usual = usual_of(group, nic);
        if (usual == nullptr || usual->subnet || !subnet_of(nic)) continue;
        if (uses_ipv4(nic) == ipv4.at(nic.slot)) all.push_back({&found.hosts[member], &nic});
      }
    }
  }
  return all;
}

Finding other_form(const Placed& one, const Form& usual) {
  const Form form = form_of(*one.nic);
  if (form.link_local == usual.link_local)
    return wrong_length(*one.host, *one.nic, usual.prefix_length);
  return fact(Cause::wrong_subnet, port_of(one),
              address_of(*one.nic) + " is " + (form.link_local ? "link-local" : "routable") +
                  ", the addresses of the other hosts are " +
                  (usual.link_local ? "link-local" : "routable"),
              "give it an address of the same kind");
}

/// A NIC whose address has another form than most of its rail, or else most of all rails. A whole
/// host with another prefix length may be of another design.
void check_forms(const FoundRails& found, const Families& ipv4, Findings& findings) {
  if (found.rule == RailRule::user_map || found.hosts.size() < 2) return;
  const std::vector<Placed> all = without_subnets(found, ipv4);
  std::map<int, std::map<Form, std::size_t>> of_slot;
  std::map<Form, std::size_t> every;
  for (const Placed& one : all) {
    ++of_slot[one.nic->slot][form_of(*one.nic)];
    ++every[form_of(*one.nic)];
  }
  std::map<const Host*, std::vector<Finding>> odd;
  std::map<const Host*, std::size_t> nics;
  for (const Placed& one : all) {
    ++nics[one.host];
    auto usual = majority(of_slot[one.nic->slot]);
    if (!usual) usual = majority(every);
    if (usual && form_of(*one.nic) != *usual) odd[one.host].push_back(other_form(one, *usual));
  }
  for (auto& [host, its] : odd) {
    const bool whole = its.size() > 1 && its.size() == nics[host];
    for (Finding& finding : its) {
      const bool length_alone = finding.evidence.front().observed.has_value();
      if (whole && length_alone) finding.severity = finding::Severity::warning;
      findings.push_back(std::move(finding));
    }
  }
}

// Several NICs of a host in one subnet.

/// The first two NICs of a host that share a subnet; none if it has none.
std::vector<const Nic*> in_one_subnet(const Host& host) {
  std::map<Subnet, const Nic*> first;
  for (const Nic& nic : host.rails) {
    const auto subnet = subnet_of(nic);
    if (nic.slot < 0 || !subnet || is_point_to_point(*subnet)) continue;
    const auto [other, free] = first.try_emplace(*subnet, &nic);
    if (!free) return {other->second, &nic};
  }
  return {};
}

/// What Linux needs there. It is not read from the hosts whether they have it.
void check_one_subnet(const FoundRails& found, Findings& findings) {
  std::size_t hosts = 0;
  std::string example;
  for (const Host& host : found.hosts) {
    const auto nics = in_one_subnet(host);
    if (nics.empty() || hosts++ > 0) continue;
    example = host.name + ": " + with_address(*nics[0]) + " and " + with_address(*nics[1]);
  }
  if (hosts == 0) return;
  if (hosts > 1) example += ", and on " + finding::counted(hosts - 1, "more host");
  findings.push_back(note(Cause::wrong_subnet, {}, "several NICs of a host are in one subnet",
                          example + "; by default Linux answers ARP for any of them on each",
                          "set arp_ignore=1 and arp_announce=2 on these interfaces, and give each "
                          "address a source route (ip rule from ADDRESS, a table for its "
                          "interface); or use a subnet for each rail"));
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
    findings.push_back(not_shared(host_of(host), "it shares no subnet with another host",
                                  "it may be behind another leaf switch"));
  }
}

Finding guess(finding::Location where, const char* text) {
  return note(Cause::rail_numbering, std::move(where), "", text,
              "measure the rails with reachability_perf, or set --rail-map");
}

/// Where addresses do not say the rail and boards differ, nobody knows it.
void check_boards(const FoundRails& found, Findings& findings) {
  const bool by_order = found.rule == RailRule::pci_order && !found.groups.empty();
  if (by_order && found.hosts.size() > 1 && !found.boards_alike) {
    findings.push_back(guess({},
                             "PCI addresses differ between hosts, and IP addresses do not "
                             "identify rails: rails are numbered by PCI order"));
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
      findings.push_back(guess(host_of(host),
                               "its NICs are at other PCI addresses than on the other hosts, and "
                               "IP addresses do not identify rails: numbered by PCI order"));
    }
  }
}

}  // namespace

void check_subnets(const FoundRails& found, Findings& findings) {
  const Families ipv4 = families(found);
  const BondMembers bonds = bond_members(found);
  const Boards boards(found);
  check_bonds(found, bonds, findings);
  check_families(found, ipv4, findings);
  for (const RailGroup& group : found.groups) {
    check_members(found, group, ipv4, bonds, boards, findings);
    check_open_rails(found, group, findings);
  }
  check_forms(found, ipv4, findings);
  check_one_subnet(found, findings);
  check_lonely(found, ipv4, findings);
  check_boards(found, findings);
}

}  // namespace railgauge::checks
