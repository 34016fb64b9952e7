#include "verdict/reference_suggestions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

constexpr double kOtherTransport = 0.5;

/// RoCEv2 is RoCE.
bool same_transport(const std::string& one, const std::string& other) {
  constexpr std::size_t kLetters = 4;
  return lower(one).substr(0, kLetters) == lower(other).substr(0, kLetters);
}

/// A difference of speed weighs as much as ten times it in numbers.
constexpr double kNumberWeight = 0.1;

double apart(double one, double other) {
  return std::abs(std::log2(one / other));
}

double distance(const Reference& reference, const Nics& nics) {
  double sum = 0;
  if (nics.gigabits_per_second && reference.line_rate_gigabits_per_second) {
    sum += apart(*nics.gigabits_per_second, *reference.line_rate_gigabits_per_second);
  }
  if (nics.per_node && reference.nics_per_node) {
    sum += kNumberWeight * apart(*nics.per_node, *reference.nics_per_node);
  }
  const bool known = !nics.transport.empty() && !reference.transport.empty();
  if (known && !same_transport(nics.transport, reference.transport)) sum += kOtherTransport;
  return sum;
}

std::optional<PublishedPlateau> plateau_of(const Run& run) {
  if (!why_no_nic_target(run).empty()) return std::nullopt;
  PublishedPlateau best{.collective = run.collective, .nodes = run.nodes};
  for (const Curve& curve : curves_of(run)) {
    const auto plateau = plateau_of(curve);
    if (!plateau || plateau->busbw_gigabytes_per_second <= best.busbw_gigabytes_per_second)
      continue;
    best.busbw_gigabytes_per_second = plateau->busbw_gigabytes_per_second;
    best.line_rate_fraction = line_rate_fraction(run, best.busbw_gigabytes_per_second);
  }
  return best;
}

/// One for each collective, by its name.
std::vector<PublishedPlateau> plateaus_of(const Reference& reference,
                                          const std::string& collective) {
  std::map<std::string, PublishedPlateau> best;
  for (const Run& run : reference.runs) {
    if (!collective.empty() && run.collective != collective) continue;
    const auto plateau = plateau_of(run);
    if (!plateau) continue;
    PublishedPlateau& found = best[run.collective];
    const bool higher = plateau->busbw_gigabytes_per_second > found.busbw_gigabytes_per_second;
    if (found.collective.empty() || higher) found = *plateau;
  }
  std::vector<PublishedPlateau> plateaus;
  plateaus.reserve(best.size());
  for (const auto& [name, plateau] : best) plateaus.push_back(plateau);
  return plateaus;
}

}  // namespace

std::vector<Suggestion> suggested(const std::vector<Reference>& references, const Nics& nics,
                                  const std::string& collective) {
  std::vector<Suggestion> suggestions;
  for (const Reference& reference : references) {
    auto plateaus = plateaus_of(reference, collective);
    if (plateaus.empty()) continue;
    suggestions.push_back({reference.name, distance(reference, nics), std::move(plateaus)});
  }
  std::ranges::stable_sort(suggestions, {}, &Suggestion::distance);
  return suggestions;
}

}  // namespace railgauge::verdict
