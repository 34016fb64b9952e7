#include "verdict/reference_suggestions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "verdict/line_rate.hpp"

namespace railgauge::verdict {
namespace {

/// A difference of speed weighs as much as ten times it in numbers.
constexpr double kNumberWeight = 0.1;

double separate_buffers(double one, double other) {
  return std::abs(std::log2(one / other));
}

double distance(const Reference& reference, const Nics& nics) {
  double sum = 0;
  if (nics.gigabits_per_second && reference.line_rate_gigabits_per_second) {
    sum += separate_buffers(*nics.gigabits_per_second, *reference.line_rate_gigabits_per_second);
  }
  if (nics.per_node && reference.nics_per_node) {
    sum += kNumberWeight * separate_buffers(*nics.per_node, *reference.nics_per_node);
  }
  return sum;
}

std::vector<std::string> collectives_of(const Reference& reference) {
  std::set<std::string> names;
  for (const Run& run : reference.runs) {
    if (why_no_nic_target(run).empty()) names.insert(run.collective);
  }
  return {names.begin(), names.end()};
}

}  // namespace

std::vector<Suggestion> suggested(const std::vector<Reference>& references, const Nics& nics,
                                  const std::string& collective) {
  std::vector<Suggestion> suggestions;
  for (const Reference& reference : references) {
    const std::vector<std::string> names = collectives_of(reference);
    const bool wanted =
        collective.empty() ? !names.empty() : std::ranges::find(names, collective) != names.end();
    if (wanted) suggestions.push_back({reference.name, distance(reference, nics), names});
  }
  std::ranges::stable_sort(suggestions, {}, &Suggestion::distance);
  return suggestions;
}

}  // namespace railgauge::verdict
