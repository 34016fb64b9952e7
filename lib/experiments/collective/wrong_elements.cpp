#include "experiments/collective/wrong_elements.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "schedule/suspects.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {
namespace {

using schedule::Edge;

constexpr std::size_t kMostSuspects = 3;  // fewer than that is a trace, more is none

/// What all ranks say of one block in one verification: the first element that any has wrong, and
/// who has it wrong. Those whose first is a later one have it right.
struct Earliest {
  std::uint64_t element = std::numeric_limits<std::uint64_t>::max();
  std::set<schedule::Rank> at;
  int plane = -1;
  schedule::Block carried = 0;

  void add(schedule::Rank rank, const WrongBlock& wrong) {
    if (wrong.element > element) return;
    if (wrong.element < element) *this = {wrong.element, {}, -1, wrong.carried};
    at.insert(rank);
    plane = std::max(plane, wrong.plane);
  }
};

/// By plane, as an element keeps to its stripe.
std::map<int, std::vector<schedule::WrongElement>> elements_of(
    const std::vector<std::vector<WrongBlock>>& all) {
  std::map<std::pair<std::uint64_t, schedule::Block>, Earliest> earliest;
  for (schedule::Rank rank = 0; rank < all.size(); ++rank) {
    for (const WrongBlock& wrong : all[rank])
      earliest[{wrong.verification, wrong.block}].add(rank, wrong);
  }
  std::map<int, std::vector<schedule::WrongElement>> elements;
  for (const auto& [key, found] : earliest)
    elements[found.plane].push_back({found.carried, found.at});
  return elements;
}

finding::Endpoint end_at(const CollectiveSession& session, schedule::Rank rank,
                         const Plane& plane) {
  return {.host = session.host_of(rank),
          .rail = static_cast<int>(plane.rail),
          .plane = plane.plane == 0 ? std::nullopt : std::optional(plane.plane),
          .ranks = {static_cast<int>(rank)}};
}

finding::Location place_of(const CollectiveSession& session, const Edge& edge, const Plane& plane) {
  return {.scope = finding::Scope::path,
          .at = end_at(session, edge.from, plane),
          .peer = end_at(session, edge.to, plane)};
}

/// The connections, or the port that all of them share.
std::vector<finding::Location> places_of(const CollectiveSession& session,
                                         const schedule::Suspects& suspects, const Plane& plane) {
  const auto port = suspects.sender ? suspects.sender : suspects.receiver;
  if (port) {
    return {
        {.scope = finding::Scope::port,
         .direction = suspects.sender ? finding::Direction::transmit : finding::Direction::receive,
         .at = end_at(session, *port, plane)}};
  }
  std::vector<finding::Location> places;
  places.reserve(suspects.edges.size());
  for (const Edge& edge : suspects.edges) places.push_back(place_of(session, edge, plane));
  return places;
}

finding::Finding finding_of(const CollectiveSession& session, const schedule::Suspects& suspects,
                            const Plane& plane) {
  const std::vector<finding::Location> places = places_of(session, suspects, plane);
  finding::Finding finding =
      finding::found("verification", finding::Cause::wrong_data, places.front());
  finding.certainty = finding::Certainty::confirmed;
  finding.alternatives.assign(places.begin() + 1, places.end());
  finding.evidence = {{.metric = "wrong elements that this place explains",
                       .against = suspects.explained,
                       .of = suspects.of,
                       .text = "without a wrong ICRC"}};
  return finding;
}

/// Whether the path begins or ends at the port, in its direction.
bool covers(const finding::Location& port, const finding::Location& path) {
  if (port.scope != finding::Scope::port || path.scope != finding::Scope::path) return false;
  return port.at == (port.direction == finding::Direction::transmit ? path.at : path.peer);
}

/// Of a group, by the ranks among all.
schedule::Suspects among_all(schedule::Suspects suspects,
                             const std::vector<schedule::Rank>& members) {
  for (Edge& edge : suspects.edges) edge = {members[edge.from], members[edge.to]};
  for (auto* rank : {&suspects.sender, &suspects.receiver}) {
    if (*rank) *rank = members[**rank];
  }
  return suspects;
}

/// What most wrong elements lead to, so far.
struct Trace {
  std::size_t elements = 0;
  std::optional<finding::Finding> found{};
};

using WrongBlocks = std::vector<std::vector<WrongBlock>>;  // [rank]

void trace_group(const CollectiveSession& session, const schedule::Schedule& schedule,
                 const std::vector<schedule::Rank>& members, const WrongBlocks& all,
                 const Planes& planes, Trace& trace) {
  WrongBlocks own;
  own.reserve(members.size());
  for (const schedule::Rank rank : members) own.push_back(all[rank]);
  for (const auto& [plane, elements] : elements_of(own)) {
    if (plane < 0 || elements.size() <= trace.elements) continue;
    const schedule::Suspects suspects = schedule::suspects_of(schedule, elements);
    const bool of_port = suspects.sender || suspects.receiver;
    if (suspects.edges.empty() || (!of_port && suspects.edges.size() > kMostSuspects)) continue;
    if (2 * suspects.explained <= suspects.of) continue;  // that many are not of one connection
    trace = {elements.size(), finding_of(session, among_all(suspects, members),
                                         planes.at(static_cast<std::size_t>(plane)))};
  }
}

}  // namespace

std::optional<finding::Finding> trace_wrong_data(CollectiveSession& session,
                                                 const schedule::Schedule& schedule,
                                                 const std::vector<WrongBlock>& own,
                                                 const Planes& planes) {
  const WrongBlocks all = transport::all_gather(session.communicator(), own);
  if (schedule.ranks > kMostTraced) return std::nullopt;
  Trace trace;
  for (const auto& members : session.groups().members())
    trace_group(session, schedule, members, all, planes, trace);
  return trace.found;
}

void keep_closest(std::vector<finding::Finding>& findings, const finding::Finding& found) {
  const auto same = [&](const finding::Finding& one) {
    return one.cause == found.cause &&
           (one.where == found.where || !one.alternatives.empty() || !found.alternatives.empty() ||
            covers(one.where, found.where) || covers(found.where, one.where));
  };
  const auto before = std::ranges::find_if(findings, same);
  if (before == findings.end()) {
    findings.push_back(found);
  } else if (found.alternatives.size() < before->alternatives.size() ||
             covers(found.where, before->where)) {
    *before = found;
  }
}

}  // namespace railgauge::runner
