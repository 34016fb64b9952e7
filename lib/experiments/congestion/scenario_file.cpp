#include "experiments/congestion/scenario_file.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "finding/words.hpp"
#include "json/codec.hpp"
#include "json/fields.hpp"
#include "json/text.hpp"

namespace railgauge::runner {
namespace {

using congestion::PlannedStep;
using congestion::Scenario;
using json::FieldError;

Scenario scenario_called(const std::string& word) {
  std::vector<std::string> words;
  const auto all = congestion::scenarios();
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at].word == word) return static_cast<Scenario>(at);
    words.emplace_back(all[at].word);
  }
  throw FieldError("is '" + word + "': expected one of " + finding::joined(words), "judged_as");
}

void check(const ScenarioFile::Flow& flow, std::size_t ranks, const std::string& place) {
  for (const auto& [rank, end] : {std::pair(flow.from, ".from"), std::pair(flow.to, ".to")}) {
    if (rank >= ranks)
      throw FieldError(
          "is " + std::to_string(rank) + ", and there are " + finding::counted(ranks, "rank"),
          place + end);
  }
  if (flow.from == flow.to) throw FieldError("is its own receiver", place);
}

PlannedStep planned(const ScenarioFile& file, std::size_t at, std::span<const std::size_t> nics) {
  const ScenarioFile::Step& step = file.steps[at];
  const std::string place = "steps[" + std::to_string(at) + "].flows";
  if (step.flows.empty()) throw FieldError("is empty: a step has at least one flow", place);
  PlannedStep plan{.scenario = scenario_called(file.judged_as),
                   .name = file.name + ": " + step.name,
                   .queue_pairs = static_cast<int>(step.qps),
                   .spread = step.spread};
  std::map<std::size_t, double> loads;
  for (std::size_t number = 0; number < step.flows.size(); ++number) {
    const ScenarioFile::Flow& flow = step.flows[number];
    check(flow, nics.size(), place + "[" + std::to_string(number) + "]");
    plan.flows.push_back({.from = nics[flow.from],
                          .to = nics[flow.to],
                          .load = flow.load,
                          .victim = flow.victim,
                          .other_class = flow.other_class,
                          .begin = flow.begin,
                          .messages = flow.messages,
                          .burst = flow.messages});
    double& load = loads[flow.to];
    load += flow.load > 0 ? flow.load : 1;
    plan.load = std::max(plan.load, load);
  }
  return plan;
}

}  // namespace

std::vector<PlannedStep> steps_of_file(const std::string& text, const std::string& file,
                                       std::span<const std::size_t> nics) {
  try {
    ScenarioFile scenario;
    json::decode(json::json_of_text(text), scenario);
    if (scenario.steps.empty())
      throw FieldError("is empty: a scenario has at least one step", "steps");
    std::vector<PlannedStep> steps;
    for (std::size_t at = 0; at < scenario.steps.size(); ++at)
      steps.push_back(planned(scenario, at, nics));
    return steps;
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument("scenario " + file + ": " + error.what());
  }
}

}  // namespace railgauge::runner
