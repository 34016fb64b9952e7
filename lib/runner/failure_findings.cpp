#include "runner/failure_findings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "finding/words.hpp"

namespace railgauge::runner {
namespace {

using finding::Cause;
using finding::Endpoint;
using finding::Finding;
using finding::Location;
using finding::Scope;
using results::Failure;

/// A port, whichever ranks drive it.
Endpoint port_of(Endpoint end) {
  end.ranks.clear();
  return end;
}

Endpoint peer_of(const Finding& finding) {
  return finding.where.peer.value_or(Endpoint{});
}

void add_ranks(Endpoint& end, const std::vector<int>& more) {
  std::set<int> all(end.ranks.begin(), end.ranks.end());
  all.insert(more.begin(), more.end());
  end.ranks.assign(all.begin(), all.end());
}

/// "ranks 1 and 2 report it"
std::string reported_by(const std::set<int>& ranks) {
  constexpr std::size_t kMost = 8;
  if (ranks.size() > kMost) return std::to_string(ranks.size()) + " ranks report it";
  std::vector<std::string> numbers;
  numbers.reserve(ranks.size());
  for (const int rank : ranks) numbers.push_back(std::to_string(rank));
  return (ranks.size() == 1 ? "rank " : "ranks ") + finding::listed(numbers) +
         (ranks.size() == 1 ? " reports it" : " report it");
}

/// What ranks report of one place.
struct Case {
  Finding finding{};
  std::set<int> reporters{};
  bool both_ends = false;  // of a link: each reports the other
};

void merge(Case& into, const Finding& more, int reporter) {
  into.reporters.insert(reporter);
  Location& where = into.finding.where;
  const bool back = port_of(more.where.at) != port_of(where.at);
  add_ranks(where.at, back ? peer_of(more).ranks : more.where.at.ranks);
  if (where.peer) add_ranks(*where.peer, back ? more.where.at.ranks : peer_of(more).ranks);
  into.both_ends = into.both_ends || back;
}

/// The ends of a link in one order, whichever of them complains; loss has a direction, as has what
/// did not come.
using Ends = std::pair<Endpoint, Endpoint>;

Ends link_of(const Finding& finding) {
  return std::minmax({port_of(finding.where.at), port_of(peer_of(finding))});
}

using Place = std::tuple<Cause, Scope, Ends, std::string>;

Place place_of(const Finding& finding) {
  const bool directed = finding.cause == Cause::packet_loss || finding.cause == Cause::time_out;
  return {finding.cause, finding.where.scope,
          directed ? Ends(port_of(finding.where.at), port_of(peer_of(finding))) : link_of(finding),
          finding.where.scope == Scope::processor ? std::to_string(finding.where.at.ranks.at(0))
                                                  : finding.detail};
}

Location rank_at(const Failure& failure) {
  return {.scope = Scope::processor, .at = {.host = failure.host, .ranks = {failure.rank}}};
}

/// With what its kind alone says.
std::vector<Finding> reported(const Failure& failure) {
  std::vector<Finding> all = failure.findings;
  if (failure.kind == Failure::Kind::time_out &&
      std::ranges::count(all, Cause::time_out, &Finding::cause) == 0)
    all.push_back(found("run", Cause::time_out, {}));
  if (failure.kind == Failure::Kind::wrong_data)
    all.push_back(found("verification", Cause::wrong_data, rank_at(failure)));
  if (failure.kind == Failure::Kind::transport && all.empty()) {
    all.push_back(found("transport", Cause::other, rank_at(failure)));
    all.back().detail = "transport failure";
  }
  return all;
}

std::vector<Case> cases_of(const std::vector<Failure>& failures) {
  std::vector<Case> cases;
  std::map<Place, std::size_t> known;
  for (const Failure& failure : failures) {
    for (const Finding& finding : reported(failure)) {
      const auto [place, is_new] = known.try_emplace(place_of(finding), cases.size());
      if (is_new) cases.push_back({.finding = finding});
      merge(cases[place->second], finding, failure.rank);
    }
  }
  return cases;
}

bool is_unreachable(const Case& one) {
  return one.finding.cause == Cause::unreachable;
}

bool is_dead_link(const Case& one) {
  return is_unreachable(one) && one.finding.where.scope == Scope::path;
}

/// A queue pair that gave up answers no more.
void drop_consequences_of_loss(std::vector<Case>& cases) {
  std::set<Ends> losing;
  for (const Case& one : cases) {
    if (one.finding.cause == Cause::packet_loss) losing.insert(link_of(one.finding));
  }
  std::erase_if(cases, [&](const Case& one) {
    return is_dead_link(one) && losing.contains(link_of(one.finding));
  });
}

/// The end that all these links have, of several.
std::optional<Endpoint> shared_end(const std::vector<const Case*>& links) {
  if (links.size() < 2) return std::nullopt;
  const Ends first = link_of(links.front()->finding);
  for (const Endpoint& end : {first.first, first.second}) {
    const auto has_it = [&](const Case* const link) {
      const Ends ends = link_of(link->finding);
      return ends.first == end || ends.second == end;
    };
    if (std::ranges::all_of(links, has_it)) return end;
  }
  return std::nullopt;
}

Case port_case(const Endpoint& end, const std::vector<const Case*>& links) {
  Case port{.finding = found("transport", Cause::unreachable, {.scope = Scope::port, .at = end})};
  for (const Case* const link : links) {
    const Location& where = link->finding.where;
    port.reporters.insert(link->reporters.begin(), link->reporters.end());
    port.both_ends = port.both_ends || link->both_ends;
    add_ranks(port.finding.where.at, port_of(where.at) == end ? where.at.ranks : where.peer->ranks);
  }
  port.finding.detail = "unreachable on " + std::to_string(links.size()) + " paths";
  return port;
}

/// Links of a rail that all have one end are that port.
void name_ports(std::vector<Case>& cases) {
  std::map<std::pair<std::optional<int>, std::optional<int>>, std::vector<const Case*>> rails;
  for (const Case& one : cases) {
    const Endpoint& at = one.finding.where.at;
    if (is_dead_link(one)) rails[{at.rail, at.plane}].push_back(&one);
  }
  std::vector<Case> ports;
  std::set<Ends> named;
  for (const auto& [rail, links] : rails) {
    const auto end = shared_end(links);
    if (!end) continue;
    ports.push_back(port_case(*end, links));
    for (const Case* const link : links) named.insert(link_of(link->finding));
  }
  std::erase_if(cases, [&](const Case& one) {
    return is_dead_link(one) && named.contains(link_of(one.finding));
  });
  cases.insert(cases.begin(), ports.begin(), ports.end());
}

/// Where everybody waits for everybody, no place is a suspect.
void name_few(Finding& finding) {
  constexpr std::size_t kMost = 3;
  if (finding.alternatives.size() <= kMost) return;
  finding.evidence.push_back({.text = "data are missing on " +
                                      std::to_string(finding.alternatives.size() + 1) +
                                      " paths, such as " + in_words(finding.where)});
  finding.alternatives.clear();
  finding.where = {};
}

/// Ranks wait for each other: of all that did not come, what tells most is one finding. Data that
/// were not acknowledged tell of their path; else what a rank did not send that reports nothing.
void fold_time_outs(std::vector<Case>& cases, const std::set<int>& reporting) {
  const auto is_other = [](const Case& one) { return one.finding.cause != Cause::time_out; };
  const auto first = std::stable_partition(cases.begin(), cases.end(), is_other);
  if (first == cases.end()) return;
  for (auto one = first; one != cases.end(); ++one) {
    const std::vector<int>& senders = one->finding.where.at.ranks;
    const auto reports = [&](int rank) { return reporting.contains(rank); };
    if (!senders.empty() && std::ranges::none_of(senders, reports))
      one->finding.certainty = finding::Certainty::confirmed;
  }
  std::stable_sort(first, cases.end(), [](const Case& one, const Case& other) {
    return one.finding.certainty > other.finding.certainty;
  });
  Case& told = *first;
  for (auto one = first + 1; one != cases.end(); ++one) {
    told.reporters.insert(one->reporters.begin(), one->reporters.end());
    if (one->finding.certainty == told.finding.certainty &&
        one->finding.where != told.finding.where)
      told.finding.alternatives.push_back(one->finding.where);
  }
  name_few(told.finding);
  cases.erase(first + 1, cases.end());
}

/// Only if both ends live it is the link or the port, and not a peer that is no more.
void weigh(Case& one, const std::set<int>& reporting) {
  Finding& finding = one.finding;
  const bool link = finding.where.scope == Scope::path;
  if (link && one.both_ends) finding.detail = "unreachable in both directions";
  const auto reports = [&](int rank) { return reporting.contains(rank); };
  const Endpoint& silent = link ? *finding.where.peer : finding.where.at;
  if (one.both_ends || std::ranges::any_of(silent.ranks, reports)) return;
  finding.certainty = finding::Certainty::possible;
  finding.excuses = {link ? "the other end has not reported: its process may have ended"
                          : "no rank of this port has reported: its process may have ended"};
}

const results::PortEvents* events_of(const Endpoint& end,
                                     const std::vector<results::PortEvents>& events) {
  const auto found = std::ranges::find_if(events, [&](const results::PortEvents& one) {
    return one.host == end.host && one.device == end.device && one.address == end.address;
  });
  return found == events.end() ? nullptr : &*found;
}

/// Whether nothing arrived at the one port of what the other sent, though it was heard.
bool is_deaf(const results::PortEvents& one, const results::PortEvents& other) {
  return one.packets_sent.value_or(0) > 0 && one.packets_received.value_or(0) == 0 &&
         other.packets_received.value_or(0) > 0 && other.packets_sent.value_or(0) > 0;
}

std::size_t ports_of_rail(const Endpoint& end, const std::vector<results::Rank>& ranks) {
  std::set<std::tuple<std::string, std::string, std::string>> ports;
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) {
      if (rail.rail == end.rail && rail.plane == end.plane.value_or(rail.plane))
        ports.insert({rank.host, rail.device, rail.address});
    }
  }
  return ports.size();
}

/// Whether a port receives, and about as many packets are missing on its rail as it sent.
bool is_mute(const Endpoint& port, const std::vector<results::PortEvents>& events,
             std::size_t ports) {
  constexpr double kMostOff = 0.2;
  const auto* const own = events_of(port, events);
  std::int64_t missing = 0;
  std::size_t counted = 0;
  for (const results::PortEvents& one : events) {
    if (one.rail != port.rail || (port.plane && one.plane != port.plane)) continue;
    missing += one.packets_sent.value_or(0) - one.packets_received.value_or(0);
    ++counted;
  }
  if (own == nullptr || counted != ports || own->packets_received.value_or(0) == 0) return false;
  const auto sent = static_cast<double>(own->packets_sent.value_or(0));
  return sent > 0 && std::abs(static_cast<double>(missing) - sent) <= kMostOff * sent;
}

}  // namespace

void tell_directions(std::vector<Finding>& findings, const std::vector<results::PortEvents>& events,
                     const std::vector<results::Rank>& ranks) {
  for (Finding& finding : findings) {
    Location& where = finding.where;
    if (finding.cause == Cause::unreachable && where.scope == Scope::port &&
        is_mute(where.at, events, ports_of_rail(where.at, ranks)))
      where.direction = finding::Direction::transmit;
    if (finding.cause != Cause::unreachable || !where.peer || ports_of_rail(where.at, ranks) != 2)
      continue;
    const auto* const at = events_of(where.at, events);
    const auto* const peer = events_of(*where.peer, events);
    if (at == nullptr || peer == nullptr) continue;
    if (is_deaf(*at, *peer)) {
      std::swap(where.at, *where.peer);
    } else if (!is_deaf(*peer, *at)) {
      continue;
    }
    finding.detail = "unreachable in this direction only";
  }
}

std::vector<Finding> findings_of(const std::vector<Failure>& failures) {
  std::set<int> reporting;
  for (const Failure& failure : failures) {
    if (failure.kind != Failure::Kind::lost) reporting.insert(failure.rank);
  }
  std::vector<Case> cases = cases_of(failures);
  drop_consequences_of_loss(cases);
  name_ports(cases);
  fold_time_outs(cases, reporting);
  std::vector<Finding> findings;
  findings.reserve(cases.size());
  for (Case& one : cases) {
    if (is_unreachable(one)) weigh(one, reporting);
    if (one.finding.where.scope != Scope::processor)
      one.finding.evidence.push_back({.text = reported_by(one.reporters)});
    findings.push_back(std::move(one.finding));
  }
  return findings;
}

}  // namespace railgauge::runner
