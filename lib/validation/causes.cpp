#include "validation/causes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "finding/words.hpp"

namespace railgauge::validation {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Finding;
using finding::Location;
using finding::Nature;
using finding::Scope;
using finding::Severity;

/// From what one replaces to what only shows that something is wrong somewhere.
int vagueness(Scope scope) {
  constexpr std::array kOrder{Scope::port, Scope::link,      Scope::cable, Scope::device,
                              Scope::node, Scope::processor, Scope::host,  Scope::path,
                              Scope::rail, Scope::fabric};
  return static_cast<int>(std::ranges::find(kOrder, scope) - kOrder.begin());
}

/// One that may as well be elsewhere is vaguer than the path between both places.
int vagueness(const Finding& finding) {
  const int of_scope = vagueness(finding.where.scope);
  return finding.alternatives.empty() ? of_scope : std::max(of_scope, vagueness(Scope::rail));
}

bool is_component(const Finding& finding) {
  return vagueness(finding) < vagueness(Scope::path);
}

bool counts(const Finding& finding) {
  return finding.severity != Severity::info && finding.certainty != Certainty::cleared &&
         finding.waived.empty();
}

/// A place with a single end.
Location at_end(const Location& path, bool receiver) {
  return {.scope = Scope::port,
          .direction = receiver ? Direction::receive : Direction::transmit,
          .at = receiver ? path.peer.value_or(finding::Endpoint{}) : path.at};
}

/// Whether what goes one way at `outer` passes `inner` that way.
bool agrees(const Location& outer, const Location& inner) {
  if (outer.direction == Direction::both) return true;
  if (inner.scope != Scope::path)
    return inner.direction == Direction::both || inner.direction == outer.direction;
  return reaches(outer, at_end(inner, outer.direction == Direction::receive));
}

bool is_aggregate(Scope scope) {
  return scope == Scope::host || scope == Scope::rail || scope == Scope::fabric;
}

/// The rail of one that may be at the ports of several hosts; empty: there is no such rail.
std::optional<int> rail_of_alternatives(const Finding& finding) {
  const auto is_other = [&](const Location& place) {
    return place.scope != Scope::port || place.at.rail != finding.where.at.rail;
  };
  const bool none = finding.where.scope != Scope::port || finding.alternatives.empty() ||
                    std::ranges::any_of(finding.alternatives, is_other);
  return none ? std::nullopt : finding.where.at.rail;
}

/// Pairs measure latency by round trips, which do not tell a direction.
bool is_round_trip(const Finding& finding) {
  return finding.cause == Cause::latency && finding.check == "pairs";
}

/// Whether something wrong at `outer` can be seen as something wrong at a place of `inner`. What is
/// only possible may be so in the other direction.
bool shows(const Location& outer, const Location& place, const Finding& inner) {
  const bool either_way = inner.certainty == Certainty::possible || is_round_trip(inner);
  if ((either_way || agrees(outer, place)) && reaches(outer, place)) return true;
  const bool is_wide = is_aggregate(place.scope) || !inner.alternatives.empty();
  return is_wide && reaches(place, outer);
}

/// What one port sends may be noticed by any receiver of its rail, and the other way round.
bool shows(const Finding& outer, const Finding& inner) {
  const auto rail = rail_of_alternatives(inner);
  const bool is_port = outer.where.scope == Scope::port && outer.alternatives.empty();
  if (rail && is_port && outer.where.at.rail == rail &&
      outer.where.direction != inner.where.direction)
    return true;
  return shows(outer.where, inner.where, inner) ||
         std::ranges::any_of(inner.alternatives, [&](const Location& place) {
           return shows(outer.where, place, inner);
         });
}

bool is_of_search(const Finding& finding) {
  return finding.check == "isolation";
}

/// isolate_perf tests every port and every link. What it finds at a switch or between switches,
/// with all that it cannot tell from it, is where packets of many ports pass.
bool is_found_behind_ports(const Finding& finding) {
  const auto is_behind_ports = [](const Location& place) {
    return place.scope == Scope::cable || place.scope == Scope::link || place.scope == Scope::node;
  };
  return is_of_search(finding) && is_behind_ports(finding.where) &&
         std::ranges::all_of(finding.alternatives, is_behind_ports);
}

/// A port that loses packets in a collective, and not in the search, received what was lost before.
bool is_blamed_instead(const Finding& found, const Finding& blamed) {
  return is_found_behind_ports(found) && !is_of_search(blamed) &&
         facts_of(blamed.cause).nature == Nature::symptom;
}

/// Where wrong data come from.
bool is_source(const Finding& wrong) {
  return wrong.cause == Cause::wrong_data && vagueness(wrong) < vagueness(Scope::processor);
}

/// A collective hands wrong data on: hosts that have them are not where they come from, if a port
/// is known to be.
bool is_handed_on(const Finding& source, const Finding& wrong) {
  return is_source(source) && wrong.cause == Cause::wrong_data && !is_source(wrong);
}

/// Of two findings of one cause the smaller is the better place for it, then that of the search.
std::tuple<int, bool, bool, int, std::size_t> rank_of(const std::vector<StageFinding>& all,
                                                      std::size_t at) {
  const Finding& finding = all[at].finding;
  return {vagueness(finding), !is_of_search(finding), is_round_trip(finding),
          -static_cast<int>(finding.certainty), at};
}

bool is_behind(const std::vector<StageFinding>& all, std::size_t cause, std::size_t symptom) {
  const Finding& one = all[cause].finding;
  const Finding& other = all[symptom].finding;
  const bool of_one_search = is_of_search(one) && all[cause].stage == all[symptom].stage;
  if (cause == symptom || of_one_search) return false;  // which tells its components apart itself
  if (one.certainty >= Certainty::likely && is_handed_on(one, other)) return true;
  if (is_blamed_instead(one, other) && one.certainty >= Certainty::likely &&
      (one.cause == other.cause || explains(one.cause, other.cause)))
    return true;
  if (is_blamed_instead(other, one) || !shows(one, other)) return false;
  if (one.cause == other.cause) return rank_of(all, cause) < rank_of(all, symptom);
  return one.certainty >= Certainty::likely && explains(one.cause, other.cause);
}

/// The hosts that a finding names, alternatives included; none: it may be anywhere, as one of a
/// switch or a rail.
std::set<std::string> hosts_of(const Finding& finding) {
  if (rail_of_alternatives(finding) || is_source(finding)) return {};
  std::set<std::string> hosts;
  const auto add = [&](const Location& place) {
    const bool has_switches =
        place.scope == Scope::cable || place.scope == Scope::link || place.scope == Scope::node;
    if (has_switches || place.at.host.empty() || (place.peer && place.peer->host.empty()))
      return false;
    hosts.insert(place.at.host);
    if (place.peer) hosts.insert(place.peer->host);
    return true;
  };
  return add(finding.where) && std::ranges::all_of(finding.alternatives, add)
             ? hosts
             : std::set<std::string>();
}

/// What is behind each finding; itself if nothing is. Findings that name no host in common, and are
/// not anywhere, have nothing to do with each other: of thousands each is held against few.
class Roots {
 public:
  explicit Roots(const std::vector<StageFinding>& all) : all_(all) {
    for (std::size_t at = 0; at < all.size(); ++at) {
      hosts_.push_back(hosts_of(all[at].finding));
      if (hosts_.back().empty()) anywhere_.push_back(at);
      for (const std::string& host : hosts_.back()) by_host_[host].push_back(at);
    }
    for (std::size_t at = 0; at < all.size(); ++at) behind_.push_back(best_behind(at));
  }

  [[nodiscard]] std::size_t of(std::size_t at) const {
    for (std::size_t steps = 0; steps < behind_.size() && behind_[at] != at; ++steps)
      at = behind_[at];
    return at;
  }

 private:
  /// Another cause before the same one elsewhere, then the smaller place.
  [[nodiscard]] std::size_t best_behind(std::size_t symptom) const {
    std::optional<std::size_t> best;
    const auto key = [&](std::size_t one) {
      return std::pair(all_[one].finding.cause == all_[symptom].finding.cause, rank_of(all_, one));
    };
    const auto consider = [&](std::size_t one) {
      if (is_behind(all_, one, symptom) && (!best || key(one) < key(*best))) best = one;
    };
    std::ranges::for_each(anywhere_, consider);
    for (const std::string& host : hosts_[symptom])
      std::ranges::for_each(by_host_.at(host), consider);
    if (hosts_[symptom].empty()) {
      for (std::size_t one = 0; one < all_.size(); ++one) consider(one);
    }
    return best.value_or(symptom);
  }

  const std::vector<StageFinding>& all_;
  std::vector<std::set<std::string>> hosts_{};  // [finding]
  std::vector<std::size_t> anywhere_{};
  std::map<std::string, std::vector<std::size_t>> by_host_{};
  std::vector<std::size_t> behind_{};
};

/// Paths that nothing explains, by an end that they share and their cause.
using EndKey = std::tuple<Cause, bool, std::string>;

std::vector<EndKey> ends_of(const Finding& finding) {
  std::vector<EndKey> ends;
  if (finding.where.scope != Scope::path || !finding.where.peer) return ends;
  for (const bool receiver : {false, true})
    ends.emplace_back(finding.cause, receiver, key_of(at_end(finding.where, receiver)));
  return ends;
}

/// The end that the paths of most peers share; empty if none has two.
std::optional<EndKey> busiest_end(const std::vector<StageFinding>& all, const Roots& roots) {
  std::map<EndKey, std::vector<std::string>> peers;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (roots.of(at) != at) continue;
    for (const EndKey& end : ends_of(all[at].finding)) {
      const Location peer = at_end(all[at].finding.where, !std::get<bool>(end));
      auto& known = peers[end];
      if (std::ranges::find(known, key_of(peer)) == known.end()) known.push_back(key_of(peer));
    }
  }
  const auto most =
      std::ranges::max_element(peers, {}, [](const auto& entry) { return entry.second.size(); });
  if (most == peers.end() || most->second.size() < 2) return std::nullopt;
  return most->first;
}

/// What its paths say of an end.
StageFinding finding_of_end(const std::vector<StageFinding>& all, const Roots& roots,
                            const EndKey& end) {
  StageFinding made;
  std::size_t paths = 0;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const Finding& one = all[at].finding;
    const auto ends = ends_of(one);
    if (roots.of(at) != at || std::ranges::find(ends, end) == ends.end()) continue;
    if (paths++ == 0) {
      made.finding =
          finding::found("validation", one.cause, at_end(one.where, std::get<bool>(end)));
      made.finding.severity = one.severity;
      made.finding.certainty = one.certainty;
      made.finding.remedy = one.remedy;
    }
    made.finding.severity = std::max(made.finding.severity, one.severity);
    made.finding.certainty = std::max(made.finding.certainty, one.certainty);
  }
  // Several paths single an end out; they do not confirm it.
  made.finding.certainty = std::min(made.finding.certainty, Certainty::likely);
  made.finding.detail = std::string(facts_of(std::get<Cause>(end)).headline) + " on " +
                        finding::counted(paths, "path") + " that end there";
  return made;
}

void add_ends(std::vector<StageFinding>& all) {
  constexpr std::size_t kMost = 1000;
  for (std::size_t added = 0; added < kMost; ++added) {
    const Roots roots(all);
    const auto end = busiest_end(all, roots);
    if (!end) return;
    all.push_back(finding_of_end(all, roots, *end));
  }
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Of the same cause it is the same thing seen again, and as sure as the surest of both.
void add_symptom(CauseGroup& group, const StageFinding& symptom) {
  group.symptoms.push_back(symptom);
  group.cause.severity = std::max(group.cause.severity, symptom.finding.severity);
  if (symptom.finding.cause == group.cause.cause)
    group.cause.certainty = std::max(group.cause.certainty, symptom.finding.certainty);
}

std::vector<CauseGroup> grouped(const std::vector<StageFinding>& all) {
  const Roots roots(all);
  std::vector<CauseGroup> groups;
  std::map<std::size_t, std::size_t> place;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (roots.of(at) != at) continue;
    place[at] = groups.size();
    const Finding& cause = all[at].finding;
    groups.push_back({.cause = cause,
                      .located = is_component(cause) || is_found_behind_ports(cause) ||
                                 facts_of(cause.cause).nature == Nature::cause});
  }
  for (std::size_t at = 0; at < all.size(); ++at) {
    CauseGroup& group = groups[place.at(roots.of(at))];
    add_once(group.stages, all[at].stage);
    if (roots.of(at) != at) add_symptom(group, all[at]);
  }
  return groups;
}

}  // namespace

std::vector<CauseGroup> causes_of(const std::vector<StageFinding>& findings) {
  std::vector<StageFinding> all;
  std::ranges::copy_if(findings, std::back_inserter(all),
                       [](const StageFinding& one) { return counts(one.finding); });
  add_ends(all);
  std::vector<CauseGroup> groups = grouped(all);
  std::erase_if(groups,
                [](const CauseGroup& group) { return group.cause.severity != Severity::error; });
  std::ranges::stable_sort(groups, {}, [](const CauseGroup& group) {
    return std::tuple(!group.located, -static_cast<int>(group.cause.certainty),
                      -static_cast<int>(group.stages.size()));
  });
  return groups;
}

}  // namespace railgauge::validation
