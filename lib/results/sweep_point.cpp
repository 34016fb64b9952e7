#include "results/sweep_point.hpp"

namespace railgauge::results {

std::string joined(const std::vector<unsigned>& rails) {
  std::string text;
  for (const unsigned rail : rails) text += (text.empty() ? "" : "+") + std::to_string(rail);
  return text;
}

std::string rails_of(const SweepPoint& point) {
  return point.own_rails ? "own" : joined(point.rails);
}

}  // namespace railgauge::results
