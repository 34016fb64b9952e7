#include "congestion/scenario.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "finding/words.hpp"

namespace railgauge::congestion {
namespace {

using Nics = std::vector<std::size_t>;
using PlannedSteps = std::vector<PlannedStep>;

Nics senders_of(const Ground& ground) {
  Nics senders = ground.nics;
  std::erase(senders, ground.receiver);
  return senders;
}

/// `load` in equal parts; as much as all can send is no rate at all.
PlannedStep step_of(Scenario scenario, std::span<const std::size_t> senders, std::size_t receiver,
                    double load) {
  const auto count = static_cast<double>(senders.size());
  PlannedStep step{
      .scenario = scenario,
      .name = finding::counted(senders.size(), "sender") + ", load " + finding::number(load),
      .load = load};
  for (const std::size_t sender : senders)
    step.flows.push_back({.from = sender, .to = receiver, .load = load < count ? load / count : 0});
  return step;
}

/// The same steps with each number of queue pairs; where paths do not matter, with the first.
PlannedSteps with_queue_pairs(const PlannedSteps& steps, const Ground& ground) {
  PlannedSteps all;
  if (steps.empty()) return all;
  for (const int pairs : ground.queue_pairs) {
    if (pairs != ground.queue_pairs.front() && !fills_paths(steps.front().scenario)) break;
    for (PlannedStep step : steps) {
      step.queue_pairs = pairs;
      if (ground.queue_pairs.size() > 1 && fills_paths(step.scenario))
        step.name += ", " + finding::counted(static_cast<std::uint64_t>(pairs), "queue pair");
      if (step.spread && fills_paths(step.scenario)) step.name += ", spread";
      all.push_back(std::move(step));
    }
  }
  return all;
}

/// One sender at half of the line rate, which makes no queue; two, at unequal rates so that their
/// messages meet now and then; then all of them at each of the loads, the lower first.
PlannedSteps incast(const Ground& ground) {
  constexpr double kControlLoad = 0.5;
  constexpr std::array kUnequal{0.3, 0.2};
  const Nics senders = senders_of(ground);
  if (senders.empty()) return {};
  std::vector<double> loads = ground.loads;
  for (double& load : loads) load = std::min(load, static_cast<double>(senders.size()));
  std::ranges::sort(loads);
  loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
  const std::span all(senders);
  PlannedSteps steps{step_of(Scenario::incast, all.first(1), ground.receiver, kControlLoad)};
  if (senders.size() > kUnequal.size()) {
    steps.push_back(
        step_of(Scenario::incast, all.first(kUnequal.size()), ground.receiver, kControlLoad));
    for (std::size_t at = 0; at < kUnequal.size(); ++at) steps.back().flows[at].load = kUnequal[at];
  }
  for (const double load : loads)
    steps.push_back(step_of(Scenario::incast, all, ground.receiver, load));
  return with_queue_pairs(steps, ground);
}

/// A flow from the last sender to the first, alone, and next to an incast of all the others.
PlannedSteps victim(const Ground& ground) {
  constexpr std::size_t kLeast = 3;
  const Nics senders = senders_of(ground);
  if (senders.size() < kLeast) return {};
  const PlannedFlow flow{.from = senders.back(), .to = senders.front(), .victim = true};
  const auto others = std::span(senders).first(senders.size() - 1);
  PlannedStep both =
      step_of(Scenario::victim, others, ground.receiver, static_cast<double>(others.size()));
  both.name += ", and the victim";
  both.flows.push_back(flow);
  const PlannedStep alone{
      .scenario = Scenario::victim, .name = "the victim alone", .flows = {flow}};
  return with_queue_pairs({alone, both}, ground);
}

/// Each NIC sends to the `distance`-th after it.
PlannedStep shifted(Scenario scenario, const Nics& nics, std::size_t distance) {
  PlannedStep step{.scenario = scenario, .name = "to NIC + " + std::to_string(distance), .load = 1};
  for (std::size_t at = 0; at < nics.size(); ++at)
    step.flows.push_back({.from = nics[at], .to = nics[(at + distance) % nics.size()]});
  return step;
}

/// All NICs in one circle, each pair of neighbours a flow (S. Sattolo, 1986): nobody sends to
/// itself.
PlannedStep permuted(Nics nics, unsigned seed) {
  std::mt19937 random(seed);
  for (std::size_t at = nics.size(); at > 1; --at) std::swap(nics[at - 1], nics[random() % at]);
  PlannedStep step = shifted(Scenario::permutation, nics, 1);
  step.name = "permutation " + std::to_string(seed);
  return step;
}

/// Random permutations, which are the same in each run: as the hash has it, then spread.
PlannedSteps permutation(const Ground& ground) {
  constexpr unsigned kPermutations = 3;
  PlannedSteps steps;
  for (unsigned seed = 1; seed <= kPermutations && ground.nics.size() > 1; ++seed) {
    steps.push_back(permuted(ground.nics, seed));
    steps.push_back(steps.back());
    steps.back().spread = true;
  }
  return with_queue_pairs(steps, ground);
}

/// Each NIC to the next, to the second after it, to the fourth.
PlannedSteps shift(const Ground& ground) {
  PlannedSteps steps;
  for (std::size_t distance = 1; distance < ground.nics.size(); distance *= 2)
    steps.push_back(shifted(Scenario::shift, ground.nics, distance));
  return with_queue_pairs(steps, ground);
}

/// Between both halves of the NICs, both directions; of an odd number the last has none.
PlannedSteps bisection(const Ground& ground) {
  Nics nics = ground.nics;
  nics.resize(nics.size() / 2 * 2);
  if (nics.empty()) return {};
  PlannedStep step = shifted(Scenario::bisection, nics, nics.size() / 2);
  step.name = "both halves, both directions";
  return with_queue_pairs({step}, ground);
}

/// Each NIC to all others, to a few at a time.
PlannedSteps alltoall(const Ground& ground) {
  constexpr std::size_t kWindow = 4;
  PlannedSteps steps;
  const std::size_t count = ground.nics.size();
  for (std::size_t first = 1; first < count; first += kWindow) {
    const std::size_t end = std::min(first + kWindow, count);
    PlannedStep step{
        .scenario = Scenario::alltoall,
        .name = "to NIC + " + std::to_string(first) + " to + " + std::to_string(end - 1),
        .load = 1};
    for (std::size_t distance = first; distance < end; ++distance) {
      for (const PlannedFlow& flow : shifted(Scenario::alltoall, ground.nics, distance).flows)
        step.flows.push_back(flow);
    }
    steps.push_back(std::move(step));
  }
  return with_queue_pairs(steps, ground);
}

/// A flow of few messages, alone; then next to what checkpoints are like, as much as the others can
/// send to the same receiver, of the same traffic class and of the other.
PlannedSteps classes(const Ground& ground) {
  constexpr double kProbeLoad = 0.05;
  const Nics senders = senders_of(ground);
  if (senders.size() < 2) return {};
  const PlannedFlow probe{
      .from = senders.back(), .to = ground.receiver, .load = kProbeLoad, .victim = true};
  PlannedStep step{.scenario = Scenario::classes, .name = "the probe alone", .flows = {probe}};
  PlannedSteps steps{step};
  for (const bool other : {false, true}) {
    step.name = other ? "next to bulk of the other class" : "next to bulk of its class";
    step.load = static_cast<double>(senders.size() - 1);
    step.flows = {probe};
    for (std::size_t at = 0; at + 1 < senders.size(); ++at)
      step.flows.push_back({.from = senders[at], .to = ground.receiver, .other_class = other});
    steps.push_back(step);
  }
  return with_queue_pairs(steps, ground);
}

/// 1, 2, 4... and all.
std::vector<std::size_t> doubled(std::size_t most) {
  std::vector<std::size_t> numbers;
  for (std::size_t number = 1; number < most; number *= 2) numbers.push_back(number);
  if (most > 0) numbers.push_back(most);
  return numbers;
}

/// More and more hosts of the first half send to the other half.
PlannedSteps oversubscription(const Ground& ground) {
  const std::size_t half = ground.nics.size() / 2;
  PlannedSteps steps;
  for (const std::size_t hosts : doubled(half)) {
    PlannedStep step{.scenario = Scenario::oversubscription,
                     .name = finding::counted(hosts, "host") + " to the other half",
                     .load = 1,
                     .spread = true};
    for (std::size_t at = 0; at < hosts; ++at)
      step.flows.push_back({.from = ground.nics[at], .to = ground.nics[at + half]});
    steps.push_back(std::move(step));
  }
  return with_queue_pairs(steps, ground);
}

/// How often such a burst fits into a step: the link is idle for half of the time.
std::uint64_t repetitions(std::size_t messages, const Ground& ground) {
  constexpr double kMost = 50;  // draft-calabria-bmwg-ai-fabric-training-bench
  const double fit = ground.step_messages / 2 / static_cast<double>(messages);
  return static_cast<std::uint64_t>(std::clamp(fit, 1.0, kMost));
}

/// All other hosts send so many messages to the receiver at once, again and again.
PlannedSteps burst(const Ground& ground) {
  const Nics senders = senders_of(ground);
  PlannedSteps steps;
  for (const std::size_t messages : doubled(senders.empty() ? 0 : ground.most_burst)) {
    PlannedStep step{.scenario = Scenario::burst,
                     .name = finding::counted(senders.size(), "sender") + ", " +
                             finding::counted(messages, "message") + " each",
                     .load = static_cast<double>(senders.size())};
    const std::uint64_t times = repetitions(messages, ground);
    if (times > 1) step.name += ", " + std::to_string(times) + " times";
    const double load = times > 1 ? 0.5 / static_cast<double>(senders.size()) : 0;
    for (const std::size_t sender : senders)
      step.flows.push_back({.from = sender,
                            .to = ground.receiver,
                            .load = load,
                            .messages = messages * times,
                            .burst = messages});
    steps.push_back(std::move(step));
  }
  return steps;
}

/// So many flows to the receiver, and then as many more.
PlannedSteps convergence(const Ground& ground) {
  constexpr double kLater = 0.25;
  const Nics senders = senders_of(ground);
  PlannedSteps steps;
  for (const std::size_t flows : doubled(senders.size() / 2)) {
    const std::string number = std::to_string(flows);
    PlannedStep step{.scenario = Scenario::convergence,
                     .name = finding::counted(flows, "flow") + ", then " + number + " more",
                     .load = static_cast<double>(2 * flows)};
    for (std::size_t at = 0; at < 2 * flows; ++at)
      step.flows.push_back(
          {.from = senders[at], .to = ground.receiver, .begin = at < flows ? 0 : kLater});
    steps.push_back(std::move(step));
  }
  return with_queue_pairs(steps, ground);
}

/// Each host of the first half to one of the other, at a load that what is left can carry.
PlannedSteps failure(const Ground& ground) {
  constexpr double kLoad = 0.4;
  const std::size_t half = ground.nics.size() / 2;
  if (half == 0) return {};
  PlannedStep step{
      .scenario = Scenario::failure, .name = "a link fails", .load = kLoad, .spread = true};
  for (std::size_t at = 0; at < half; ++at)
    step.flows.push_back({.from = ground.nics[at], .to = ground.nics[at + half], .load = kLoad});
  return with_queue_pairs({step}, ground);
}

constexpr std::array kTable{
    ScenarioFacts{"incast", "all other hosts send to the receiver", 3, incast},
    ScenarioFacts{"victim", "a flow to another host, alone and next to an incast", 3, victim},
    ScenarioFacts{"permutation",
                  "each host sends to another, by chance; then with source ports that spread the "
                  "flows",
                  2, permutation},
    ScenarioFacts{"shift", "each host sends to the next, the second, the fourth after it", 2,
                  shift},
    ScenarioFacts{"bisection", "both halves of the hosts send to each other", 2, bisection},
    ScenarioFacts{"alltoall", "each host sends to all others, to four at a time", 2, alltoall},
    ScenarioFacts{"classes",
                  "a small flow alone, next to bulk of its traffic class, and of --other-class", 3,
                  classes},
    ScenarioFacts{"oversubscription", "more and more hosts of one half send to the other", 2,
                  oversubscription},
    ScenarioFacts{
        "burst",
        "all other hosts send messages at once, up to 50 times; twice as many in each step", 3,
        burst},
    ScenarioFacts{"convergence", "flows to the receiver, then as many more", 3, convergence},
    ScenarioFacts{"failure", "one half sends to the other, and --break-command breaks a link", 2,
                  failure},
};

}  // namespace

std::span<const ScenarioFacts> scenarios() {
  return kTable;
}

const ScenarioFacts& facts_of(Scenario scenario) {
  return kTable.at(static_cast<std::size_t>(scenario));
}

std::string_view word(Scenario scenario) {
  return facts_of(scenario).word;
}

}  // namespace railgauge::congestion
