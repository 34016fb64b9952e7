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
  /// It would be slow, but waited for processors for longer than nine in ten of the tests that were
  /// not, and would not be slow if all that waiting had held it up, which is the most that it may
  /// have, and is taken to be ten times at most: perhaps its host was busy.
  bool starved = false;

  [[nodiscard]] bool any() const { return dead || slow || lossy || late; }
  /// Neither for nor against what it passed.
  [[nodiscard]] bool says_nothing() const { return starved && !any(); }
};

/// What makes a test bad.
struct Limits {
  double slow_below = 0.8;    ///< of the rate that it should have
  double lossy_above = 1e-4;  ///< share of packets
  double late_above = 2;      ///< times the median of tests over as many switches
};

/// Of every test, in order. A test is held to the median of those over as many switches, since more
/// hops take longer, and of ten or more to that of the fast ones among them, so that a fault that
/// most tests pass is seen; what is equally slow everywhere is not, unless it is said what is
/// expected. Those of which that is said are not in the median: other tests measure otherwise.
/// Throws std::invalid_argument if a test names a NIC or switch that is none, or goes from a NIC to
/// itself.
[[nodiscard]] std::vector<Symptoms> symptoms_of(const Evidence& evidence, const Limits& limits);

}  // namespace railgauge::isolation
