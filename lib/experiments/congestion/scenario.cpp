#include "experiments/congestion/scenario.hpp"

#include <algorithm>

#include "finding/words.hpp"
#include "json/members.hpp"

namespace railgauge::runner {
namespace {

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

}  // namespace

std::string_view word(Scenario scenario) {
  return json::word_of(scenario, {"incast", "victim"});
}

std::vector<PlannedStep> incast(std::span<const std::size_t> senders, std::size_t receiver,
                                std::vector<double> loads) {
  constexpr double kControlLoad = 0.5;
  for (double& load : loads) load = std::min(load, static_cast<double>(senders.size()));
  std::ranges::sort(loads);
  loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
  std::vector<PlannedStep> steps{
      step_of(Scenario::incast, senders.first(1), receiver, kControlLoad)};
  for (const double load : loads)
    steps.push_back(step_of(Scenario::incast, senders, receiver, load));
  return steps;
}

std::vector<PlannedStep> victim(std::span<const std::size_t> senders, std::size_t receiver) {
  constexpr std::size_t kLeast = 3;
  if (senders.size() < kLeast) return {};
  const PlannedFlow flow{.from = senders.back(), .to = senders.front(), .victim = true};
  const auto others = senders.first(senders.size() - 1);
  PlannedStep both =
      step_of(Scenario::victim, others, receiver, static_cast<double>(others.size()));
  both.name += ", and the victim";
  both.flows.push_back(flow);
  return {{.scenario = Scenario::victim, .name = "the victim alone", .flows = {flow}},
          std::move(both)};
}

}  // namespace railgauge::runner
