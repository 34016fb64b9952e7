#include "isolation/symptoms.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace railgauge::isolation {
namespace {

/// The worse one of two in the middle; the best come first.
double median(const std::vector<double>& sorted, std::size_t count) {
  return sorted[count / 2];
}

/// What is normal: the median, but where the majority is slow, that of the others. Of ten or more
/// the second best, or the best tenth of many, says what is possible, and what does not come near
/// it is left out.
double normal(std::vector<double>& values, bool more_is_better, double near) {
  std::ranges::sort(values);
  if (more_is_better) std::ranges::reverse(values);
  constexpr std::size_t kEnough = 10;
  if (values.size() < kEnough) return median(values, values.size());
  const double best = values[values.size() / kEnough];
  const auto is_near = [&](double value) {
    return more_is_better ? value >= near * best : value <= near * best;
  };
  return median(values, static_cast<std::size_t>(std::ranges::count_if(values, is_near)));
}

using Medians = std::map<std::size_t, double>;  // by number of hops

using Figure = std::optional<double> Outcome::*;

Medians medians_of(const std::vector<Observation>& tests, Figure figure, Figure expected,
                   bool more_is_better, double near) {
  std::map<std::size_t, std::vector<double>> values;
  for (const Observation& test : tests) {
    const std::optional<double>& value = test.outcome.*figure;
    if (value && !(test.outcome.*expected) && !test.outcome.failed)
      values[test.hops.size()].push_back(*value);
  }
  Medians medians;
  for (auto& [hops, of_kind] : values) medians[hops] = normal(of_kind, more_is_better, near);
  return medians;
}

bool is_slow(const Observation& test, const Medians& rates, const Limits& limits) {
  const Outcome& outcome = test.outcome;
  if (!outcome.gigabytes_per_second) return false;
  const std::optional<double>& told = outcome.expected_gigabytes_per_second;
  const double expected = told ? *told : rates.at(test.hops.size());
  return *outcome.gigabytes_per_second < limits.slow_below * expected;
}

bool is_late(const Observation& test, const Medians& times, const Limits& limits) {
  const Outcome& outcome = test.outcome;
  if (!outcome.latency_us) return false;
  const std::optional<double>& told = outcome.expected_latency_us;
  const double expected = told ? *told : times.at(test.hops.size());
  return *outcome.latency_us > limits.late_above * expected;
}

void check(const Observation& test, const Evidence& evidence) {
  const std::size_t nics = evidence.nics.size();
  if (test.from >= nics || test.to >= nics || test.from == test.to) {
    throw std::invalid_argument("a test from NIC " + std::to_string(test.from) + " to NIC " +
                                std::to_string(test.to) + ", of " + std::to_string(nics) +
                                ": it takes two that there are");
  }
  for (const int hop : test.hops) {
    if (hop < kUnknownSwitch || hop >= static_cast<int>(evidence.switches.size())) {
      throw std::invalid_argument("a test over switch " + std::to_string(hop) + ", of " +
                                  std::to_string(evidence.switches.size()));
    }
  }
}

}  // namespace

std::vector<Symptoms> symptoms_of(const Evidence& evidence, const Limits& limits) {
  for (const Observation& test : evidence.tests) check(test, evidence);
  const Medians rates =
      medians_of(evidence.tests, &Outcome::gigabytes_per_second,
                 &Outcome::expected_gigabytes_per_second, true, limits.slow_below);
  const Medians times = medians_of(evidence.tests, &Outcome::latency_us,
                                   &Outcome::expected_latency_us, false, limits.late_above);
  std::vector<Symptoms> all;
  all.reserve(evidence.tests.size());
  for (const Observation& test : evidence.tests) {
    const Outcome& outcome = test.outcome;
    Symptoms& one = all.emplace_back();
    one.dead = outcome.failed;
    if (outcome.failed) continue;  // half a measurement says nothing
    one.slow = is_slow(test, rates, limits);
    one.lossy = outcome.lost_share && *outcome.lost_share > limits.lossy_above;
    one.late = is_late(test, times, limits);
  }
  return all;
}

}  // namespace railgauge::isolation
