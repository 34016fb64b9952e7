#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "congestion/class_changes.hpp"
#include "congestion/evidence.hpp"
#include "congestion/findings.hpp"
#include "finding/words.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Finding;
using finding::Scope;

std::int64_t drops_in(Steps steps, int priority) {
  std::int64_t sum = 0;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      if (link.priority == priority) sum += drops_on(link);
    }
  }
  return sum;
}

Finding changed(Steps steps, const ClassChange& change) {
  Finding finding =
      found(Cause::roce_setting, {.scope = Scope::node, .switches = {change.node}},
            frames(change.packets, "packet") + " came in another priority and left in priority " +
                std::to_string(change.to),
            "compare the DSCP to priority map of this switch with the others, and check whether "
            "DSCP is rewritten on the links to it");
  finding.certainty = Certainty::confirmed;
  finding.evidence.push_back(
      observed_by(Observer::network_switch, "packets that changed their priority", "packets",
                  change.packets, 0, "the same DSCP to priority map on all switches"));
  if (const std::int64_t drops = drops_in(steps, change.to); drops > 0)
    finding.evidence.push_back(observed_by(Observer::network_switch, "drops of that priority",
                                           "packets", drops, 0, "a lossless class"));
  return finding;
}

using ByPriority = std::vector<std::int64_t>;

void add(ByPriority& sum, const ByPriority& more) {
  sum.resize(std::max(sum.size(), more.size()));
  std::transform(more.begin(), more.end(), sum.begin(), sum.begin(), std::plus());
}

/// Of the steps in which all that a receiver gets has one class, of NICs that count by priority.
struct Carried {
  ByPriority sent{};
  ByPriority received{};
};

void add(Carried& carried, const Step& step, const finding::Endpoint& receiver) {
  Carried of_step;
  for (const Flow& flow : step.flows) {
    const PortSeries* const from = port_of(step, flow.from);
    if (flow.to != receiver || flow.other_class) return;
    if (from == nullptr || from->sent_by_priority.empty()) return;
    add(of_step.sent, from->sent_by_priority);
  }
  const PortSeries* const port = port_of(step, receiver);
  if (port == nullptr || port->received_by_priority.empty()) return;
  add(carried.sent, of_step.sent);
  add(carried.received, port->received_by_priority);
}

double sum_of(const ByPriority& all) {
  return static_cast<double>(std::accumulate(all.begin(), all.end(), std::int64_t{0}));
}

/// The priority in which most comes that was not sent in it, and its part of all. Nothing where
/// that is others' traffic: what the senders sent then arrives as it was sent.
std::optional<std::pair<std::size_t, double>> foreign(const Carried& carried) {
  constexpr double kHalf = 0.5;
  const double all = sum_of(carried.received);
  const bool comparable = all > kHalf * sum_of(carried.sent) && all * kHalf < sum_of(carried.sent);
  if (carried.sent.size() != carried.received.size() || !comparable) return std::nullopt;
  ByPriority more(carried.sent.size());
  std::ranges::transform(carried.received, carried.sent, more.begin(), std::minus());
  const auto most = std::ranges::max_element(more);
  const auto missing = static_cast<double>(-*std::ranges::min_element(more));
  if (missing < kHalf * static_cast<double>(*most)) return std::nullopt;
  return std::pair(static_cast<std::size_t>(most - more.begin()), static_cast<double>(*most) / all);
}

Finding arrived(const finding::Endpoint& receiver, std::size_t priority, double share) {
  Finding finding = found(
      Cause::roce_setting, port(receiver, Direction::receive),
      finding::percent(share) + " of what arrives has priority " + std::to_string(priority) +
          ", in which the senders did not send it",
      "compare the DSCP to priority maps of the switches and of this NIC (trust DSCP), and check "
      "whether DSCP is rewritten; --switch-counters tells in which switch");
  finding.evidence.push_back(observed_by(Observer::nic, "packets in a foreign priority", "%",
                                         100 * share, 0, "priorities in which the senders sent"));
  return finding;
}

std::vector<Finding> by_nics(Steps steps) {
  std::vector<Finding> findings;
  for (const finding::Endpoint& receiver : ends(steps, &Flow::to)) {
    Carried carried;
    for (const Step* const step : steps) add(carried, *step, receiver);
    const auto found = foreign(carried);
    if (found && found->second > kMostReclassifiedShare)
      findings.push_back(arrived(receiver, found->first, found->second));
  }
  return findings;
}

}  // namespace

std::vector<Finding> of_classes(Steps steps) {
  if (observer_of(steps) == Observer::nic) return by_nics(steps);
  std::vector<Finding> findings;
  for (const ClassChange& change : class_changes(steps)) findings.push_back(changed(steps, change));
  return findings;
}

}  // namespace railgauge::congestion
