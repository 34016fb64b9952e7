#include "isolation/symptoms.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

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

Medians medians_of(std::map<std::size_t, std::vector<double>>&& values, bool more_is_better,
                   double near) {
  Medians medians;
  for (auto& [hops, of_kind] : values) medians[hops] = normal(of_kind, more_is_better, near);
  return medians;
}

/// What tests came to, against what is normal.
class Normal {
 public:
  Normal(const Evidence& evidence, const Limits& limits)
      : nics_(evidence.nics),
        limits_(limits),
        knows_links_(std::ranges::all_of(
            nics_, [](const Nic& nic) { return nic.link_gigabits_per_second > 0; })) {
    std::map<std::size_t, std::vector<double>> rates;
    std::map<std::size_t, std::vector<double>> times;
    for (const Observation& test : evidence.tests) {
      const Outcome& outcome = test.outcome;
      if (outcome.failed) continue;
      if (outcome.gigabytes_per_second && !outcome.expected_gigabytes_per_second)
        rates[test.hops.size()].push_back(*outcome.gigabytes_per_second / link_of(test));
      if (outcome.latency_us && !outcome.expected_latency_us)
        times[test.hops.size()].push_back(*outcome.latency_us);
    }
    rates_ = medians_of(std::move(rates), true, limits.slow_below);
    times_ = medians_of(std::move(times), false, limits.late_above);
    most_waited_ = most_waited_of(evidence);
  }

  [[nodiscard]] bool is_slow(const Observation& test) const {
    return test.outcome.gigabytes_per_second && is_slow(test, *test.outcome.gigabytes_per_second);
  }

  /// Of one that is slow.
  [[nodiscard]] bool is_starved(const Observation& test) const {
    // Threads that each wait a little make much of it, added up.
    constexpr double kMost = 0.9;
    const Outcome& outcome = test.outcome;
    const double waited = std::min(outcome.waited_share.value_or(0), kMost);
    return waited > most_waited_ && !is_slow(test, *outcome.gigabytes_per_second / (1 - waited));
  }

  [[nodiscard]] bool is_late(const Observation& test) const {
    const Outcome& outcome = test.outcome;
    if (!outcome.latency_us) return false;
    const std::optional<double>& told = outcome.expected_latency_us;
    const double expected = told ? *told : times_.at(test.hops.size());
    return *outcome.latency_us > limits_.late_above * expected;
  }

 private:
  [[nodiscard]] bool is_slow(const Observation& test, double gigabytes_per_second) const {
    const std::optional<double>& told = test.outcome.expected_gigabytes_per_second;
    const double expected = told ? *told : rates_.at(test.hops.size()) * link_of(test);
    return gigabytes_per_second < limits_.slow_below * expected;
  }

  /// Nine in ten of the tests that are not slow waited for this share or less.
  [[nodiscard]] double most_waited_of(const Evidence& evidence) const {
    constexpr std::size_t kTenth = 10;
    std::vector<double> shares;
    for (const Observation& test : evidence.tests) {
      const Outcome& outcome = test.outcome;
      if (outcome.failed || !outcome.gigabytes_per_second || is_slow(test)) continue;
      if (outcome.waited_share) shares.push_back(*outcome.waited_share);
    }
    if (shares.empty()) return 1;
    std::ranges::sort(shares);
    return shares[shares.size() - 1 - shares.size() / kTenth];
  }

  /// Of the slower of its two; 1 if they are not known.
  [[nodiscard]] double link_of(const Observation& test) const {
    if (!knows_links_) return 1;
    return std::min(nics_[test.from].link_gigabits_per_second,
                    nics_[test.to].link_gigabits_per_second);
  }

  const std::vector<Nic>& nics_;
  Limits limits_;
  bool knows_links_;
  Medians rates_;  // of the rate of the link
  Medians times_;
  double most_waited_ = 1;
};

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
  const Normal normal(evidence, limits);
  std::vector<Symptoms> all;
  all.reserve(evidence.tests.size());
  for (const Observation& test : evidence.tests) {
    const Outcome& outcome = test.outcome;
    Symptoms& one = all.emplace_back();
    one.dead = outcome.failed;
    if (outcome.failed) continue;  // half a measurement says nothing
    const bool slow = normal.is_slow(test);
    one.starved = slow && normal.is_starved(test);
    one.slow = slow && !one.starved;
    one.lossy = outcome.lost_share && *outcome.lost_share > limits.lossy_above;
    one.late = normal.is_late(test);
  }
  return all;
}

}  // namespace railgauge::isolation
