#include "runner/collective/wrong_elements.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "schedule/suspects.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {
namespace {

using schedule::Edge;

constexpr const char* kOr = ", or ";      // between suspects
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

std::string in_words(const CollectiveSession& session, const Edge& edge) {
  return "rank " + std::to_string(edge.from) + " (" + session.host_of(edge.from) + ") -> rank " +
         std::to_string(edge.to) + " (" + session.host_of(edge.to) + ")";
}

results::Finding finding_of(const CollectiveSession& session, const schedule::Suspects& suspects,
                            const Plane& plane) {
  const Edge& edge = suspects.edges.front();
  results::Finding finding{.cause = "wrong data",
                           .scope = "path",
                           .direction = "sends",
                           .host = session.host_of(edge.from),
                           .rail = static_cast<int>(plane.rail),
                           .plane = plane.plane,
                           .ranks = {static_cast<int>(edge.from)},
                           .to_host = session.host_of(edge.to),
                           .to_ranks = {static_cast<int>(edge.to)}};
  for (const Edge& one : suspects.edges) {
    if (!finding.text.empty()) finding.text += kOr;
    finding.text += in_words(session, one);
  }
  finding.evidence = {std::to_string(suspects.explained) + " of " + std::to_string(suspects.of) +
                      " wrong elements are as if changed there"};
  finding.text += " on rail " + std::to_string(plane.rail) +
                  ": wrong data: " + finding.evidence.front() +
                  ", without a wrong ICRC: check memory and firmware of both hosts, of their NICs "
                  "and of the switches between";
  return finding;
}

}  // namespace

std::optional<results::Finding> trace_wrong_data(CollectiveSession& session,
                                                 const schedule::Schedule& schedule,
                                                 const std::vector<WrongBlock>& own,
                                                 const Planes& planes) {
  const auto all = transport::all_gather(session.communicator(), own);
  if (schedule.ranks > kMostTraced) return std::nullopt;
  std::optional<results::Finding> found;
  std::size_t most = 0;
  for (const auto& [plane, elements] : elements_of(all)) {
    if (plane < 0 || elements.size() <= most) continue;
    const schedule::Suspects suspects = schedule::suspects_of(schedule, elements);
    if (suspects.edges.empty() || suspects.edges.size() > kMostSuspects) continue;
    if (2 * suspects.explained <= suspects.of) continue;  // that many are not of one connection
    most = elements.size();
    found = finding_of(session, suspects, planes.at(static_cast<std::size_t>(plane)));
  }
  return found;
}

void keep_closest(std::vector<results::Finding>& findings, const results::Finding& found) {
  const auto suspects = [](const results::Finding& one) {
    std::size_t count = 1;
    for (std::size_t at = one.text.find(kOr); at != std::string::npos;
         at = one.text.find(kOr, at + 1)) {
      ++count;
    }
    return count;
  };
  const auto same = [&](const results::Finding& one) {
    return one.cause == found.cause &&
           ((one.ranks == found.ranks && one.to_ranks == found.to_ranks &&
             one.rail == found.rail) ||
            suspects(one) > 1 || suspects(found) > 1);
  };
  const auto before = std::ranges::find_if(findings, same);
  if (before == findings.end()) {
    findings.push_back(found);
  } else if (suspects(found) < suspects(*before)) {
    *before = found;
  }
}

}  // namespace railgauge::runner
