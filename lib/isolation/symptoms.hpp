#pragma once

#include <vector>

#include "isolation/evidence.hpp"

namespace railgauge::isolation {

/// What is wrong with a test.
struct Symptoms {
  bool dead = false;
  bool slow = false;
  bool lossy = false;
  bool late = false;
  /// It would be slow, but its ends had a CPU for less of the time than nine in ten of the tests
  /// that were not, and with a CPU all the time it would not be: perhaps its host was busy. Of less
  /// than a fifth of the time it would be up to a hundred times as fast.
  bool starved = false;
  /// It is slow, and would be starved, but the tests that were not slow had as little of a CPU.
  bool perhaps_starved = false;

  [[nodiscard]] bool any() const { return dead || slow || lossy || late; }
  /// Neither for nor against what it passed.
  [[nodiscard]] bool says_nothing() const { return starved && !any(); }
  /// What is perhaps starved, is.
  void excuse() {
    starved = starved || perhaps_starved;
    slow = slow && !perhaps_starved;
    perhaps_starved = false;
  }
};

/// What makes a test bad.
struct Limits {
  double slow_below = 0.8;    ///< of the rate that it should have
  double lossy_above = 1e-4;  ///< share of packets
  double late_above = 2;      ///< times the median of tests over as many switches
};

/// Of every test, in order. A test is compared with the fast ones of its cohort (normal::Cohorts):
/// those over as many switches. What is equally slow everywhere is not found, unless the test says
/// what is expected; such tests are in no cohort, since other tests measured them.
/// Throws std::invalid_argument if a test names a NIC or switch that is none, or goes from a NIC to
/// itself.
[[nodiscard]] std::vector<Symptoms> symptoms_of(const Evidence& evidence, const Limits& limits);

}  // namespace railgauge::isolation
