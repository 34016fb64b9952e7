#include "congestion/figures.hpp"

#include <algorithm>

#include "congestion/path_shares.hpp"
#include "congestion/verdict.hpp"

namespace railgauge::congestion {
namespace {

void add_links(std::vector<Figure>& figures, const Step& step) {
  std::vector<double> flows;
  double sum = 0;
  for (const auto& [link, load] : link_loads(step)) {
    flows.push_back(load);
    sum += load;
  }
  if (sum <= 0) return;
  const double most = *std::ranges::max_element(flows);
  figures.push_back({.metric = kMostOverMean,
                     .value = most * static_cast<double>(flows.size()) / sum,
                     .expected = 1,
                     .expected_from = "equal loads"});
  figures.push_back({.metric = kLinksJain,
                     .value = jain_index(flows).value_or(1),
                     .expected = 1,
                     .expected_from = "equal loads"});
}

}  // namespace

Slowest slowest(const Step& step, std::span<const double> could) {
  Slowest least;
  for (std::size_t at = 0; at < step.flows.size(); ++at) {
    const double share = step.flows[at].gbps / (could[at] * step.line_gbps);
    if (least.flow == nullptr || share < least.share) least = {&step.flows[at], share, could[at]};
  }
  return least;
}

std::vector<Figure> figures_of_paths(const Step& step) {
  const std::vector<double> fair = fair_shares(step);
  const Slowest measured = slowest(step, fair);
  if (measured.flow == nullptr || step.line_gbps <= 0) return {};
  std::vector<Figure> figures{{.metric = kSlowestFlow, .value = measured.share}};
  if (const auto predicted = path_shares(step)) {
    double least = 1;
    for (std::size_t at = 0; at < fair.size(); ++at)
      least = std::min(least, (*predicted)[at] / fair[at]);
    figures.front().expected = least;
    figures.front().expected_from = "paths, with " + rates_from(step);
    add_links(figures, step);
  }
  return figures;
}

std::vector<Figure> figures_of(std::span<const Step> steps) {
  if (steps.empty() || !void_because(steps.back()).empty()) return {};
  const Step& step = steps.back();
  if (fills_paths(step.scenario)) return figures_of_paths(step);
  switch (step.scenario) {
    case Scenario::classes: return figures_of_classes(steps);
    case Scenario::oversubscription: return figures_of_oversubscription(step);
    case Scenario::burst: return figures_of_bursts(steps);
    case Scenario::convergence: return figures_of_convergence(step);
    case Scenario::failure: return figures_of_failure(step);
    default: return {};
  }
}

}  // namespace railgauge::congestion
