#include "congestion/fairness.hpp"

namespace railgauge::congestion {

std::optional<double> jain_index(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  if (squares <= 0) return std::nullopt;
  return sum * sum / (static_cast<double>(values.size()) * squares);
}

std::vector<const Flow*> rivals(const Step& step) {
  std::vector<const Flow*> flows;
  for (const Flow& flow : step.flows) {
    if (!flow.victim) flows.push_back(&flow);
  }
  return flows;
}

std::vector<double> shares(const Step& step) {
  std::vector<double> all;
  for (const Flow* const flow : rivals(step)) all.push_back(flow->gbps);
  return all;
}

std::optional<double> fairness(const Step& step) {
  const std::vector<double> all = shares(step);
  return all.size() < 2 ? std::nullopt : jain_index(all);
}

}  // namespace railgauge::congestion
