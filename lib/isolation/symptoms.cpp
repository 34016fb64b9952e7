#include "isolation/symptoms.hpp"

#include <algorithm>
#include <stdexcept>

#include "normal/cohorts.hpp"

namespace railgauge::isolation {
namespace {

using normal::Deviation;
using normal::Sample;

/// A speed, as lib/normal compares it: 0 if nothing was measured.
double speed_of(const std::optional<double>& latency_us) {
  return latency_us.value_or(0) > 0 ? 1 / *latency_us : 0;
}

/// What tests came to, against what is normal.
class Normal {
 public:
  Normal(const Evidence& evidence, const Limits& limits)
      : nics_(evidence.nics),
        limits_(limits),
        knows_links_(std::ranges::all_of(
            nics_, [](const Nic& nic) { return nic.link_gigabits_per_second > 0; })),
        rates_(rates_of(evidence), normal::Basis::fast_group, limits.slow_below),
        times_(times_of(evidence), normal::Basis::fast_group, 1 / limits.late_above),
        least_usual_share_(least_usual_share_of(evidence)) {}

  /// Only a process that had a CPU for less of the time than usual excuses a rate.
  void add_rate(const Observation& test, Symptoms& symptoms) const {
    const Deviation found = compared_rate(test);
    const bool usual = test.outcome.cpu_share.value_or(1) >= least_usual_share_;
    symptoms.starved = found == Deviation::disturbed && !usual;
    symptoms.perhaps_starved = found == Deviation::disturbed && usual;
    symptoms.slow = found == Deviation::real || symptoms.perhaps_starved;
  }

  [[nodiscard]] Deviation of_latency(const Observation& test) const {
    const double speed = speed_of(test.outcome.latency_us);
    if (speed == 0) return Deviation::unknown;
    const auto& told = test.outcome.expected_latency_us;
    return compare(speed, 1, expected(times_, latency(test), told ? speed_of(told) : 0),
                   1 / limits_.late_above);
  }

 private:
  [[nodiscard]] Deviation compared_rate(const Observation& test) const {
    // Waits of several threads, added up, leave any small share of it or none: how much slower a
    // test became by them is not known then.
    constexpr double kLeastKnownShare = 0.2;
    const Outcome& outcome = test.outcome;
    if (!outcome.gigabytes_per_second) return Deviation::unknown;
    const double share = outcome.cpu_share.value_or(1);
    return compare(*outcome.gigabytes_per_second, share < kLeastKnownShare ? 0 : share,
                   expected(rates_, rate(test), outcome.expected_gigabytes_per_second.value_or(0)),
                   limits_.slow_below);
  }

  /// Of its cohort if it is not `told`.
  static normal::Expectation expected(const normal::Cohorts& cohorts, const Sample& sample,
                                      double told) {
    return {.value = told > 0 ? told : cohorts.median_for(sample), .n = 1};
  }

  [[nodiscard]] std::vector<Sample> rates_of(const Evidence& evidence) const {
    std::vector<Sample> samples;
    for (const Observation& test : evidence.tests) {
      const Outcome& outcome = test.outcome;
      if (!outcome.failed && outcome.gigabytes_per_second && !outcome.expected_gigabytes_per_second)
        samples.push_back(rate(test));
    }
    return samples;
  }

  [[nodiscard]] std::vector<Sample> times_of(const Evidence& evidence) const {
    std::vector<Sample> samples;
    for (const Observation& test : evidence.tests) {
      const Outcome& outcome = test.outcome;
      if (!outcome.failed && outcome.latency_us && !outcome.expected_latency_us)
        samples.push_back(latency(test));
    }
    return samples;
  }

  [[nodiscard]] Sample sample(const Observation& test) const {
    Sample made{.same_rail = nics_[test.from].rail == nics_[test.to].rail};
    if (!test.hops.empty()) made.switches = static_cast<int>(test.hops.size());
    return made;
  }

  [[nodiscard]] Sample rate(const Observation& test) const {
    Sample made = sample(test);
    made.speed = test.outcome.gigabytes_per_second.value_or(0);
    if (knows_links_)
      made.link = std::min(nics_[test.from].link_gigabits_per_second,
                           nics_[test.to].link_gigabits_per_second);
    return made;
  }

  [[nodiscard]] Sample latency(const Observation& test) const {
    Sample made = sample(test);
    made.speed = speed_of(test.outcome.latency_us);
    made.adds_up = true;
    return made;
  }

  /// Nine in ten of the tests that are not slow had a CPU for this share of the time or more.
  [[nodiscard]] double least_usual_share_of(const Evidence& evidence) const {
    constexpr std::size_t kTenth = 10;
    std::vector<double> shares;
    for (const Observation& test : evidence.tests) {
      if (test.outcome.cpu_share && !test.outcome.failed && compared_rate(test) == Deviation::none)
        shares.push_back(*test.outcome.cpu_share);
    }
    std::ranges::sort(shares);
    return shares.empty() ? 0 : shares[shares.size() / kTenth];
  }

  const std::vector<Nic>& nics_;
  Limits limits_;
  bool knows_links_;
  normal::Cohorts rates_;
  normal::Cohorts times_;
  double least_usual_share_;
};

void check(const Observation& test, const Evidence& evidence) {
  const std::size_t nics = evidence.nics.size();
  if (test.from >= nics || test.to >= nics || test.from == test.to) {
    throw std::invalid_argument("a test from NIC " + std::to_string(test.from) + " to NIC " +
                                std::to_string(test.to) + ", of " + std::to_string(nics) +
                                ": it takes two that there are");
  }
  for (const auto* const hops : {&test.hops, &test.hops_back}) {
    for (const int hop : *hops) {
      if (hop >= kUnknownSwitch && hop < static_cast<int>(evidence.switches.size())) continue;
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
    normal.add_rate(test, one);
    one.lossy = outcome.lost_share && *outcome.lost_share > limits.lossy_above;
    one.late = normal.of_latency(test) == Deviation::real;
  }
  return all;
}

}  // namespace railgauge::isolation
