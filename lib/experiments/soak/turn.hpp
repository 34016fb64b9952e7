#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "measure/histogram.hpp"
#include "measure/timing.hpp"

namespace railgauge::runner {

/// How a phase of a soak is run while it has its turn.
struct TurnRule {
  /// Microseconds from the start of one iteration to that of the next, on average; 0: back to back.
  double interval_us = 0;
  /// What an iteration takes when nothing is wrong, which says how many make a burst; 0: not known.
  double expected_us = 0;
  /// The part of the time that verification may take; 1: every iteration is verified.
  double verified_share = 0.1;
  std::uint64_t least = 1;  // iterations
  /// Rank 0's, and by its clock: how long the turn goes on.
  std::function<std::chrono::nanoseconds()> left = [] { return std::chrono::nanoseconds(0); };
};

/// For how long a phase was verified so far, of the time that it had: over all of its turns.
struct VerificationTime {
  std::chrono::nanoseconds verified{0};
  std::chrono::nanoseconds all{0};
};

/// What came of a turn.
struct TurnTimes {
  measure::Histogram times;      // over ranks, the slowest's; of rank 0, empty on the others; of
                                 // long bursts without the first iteration
  std::uint64_t iterations = 0;  // all, on every rank
  std::uint64_t verified = 0;
  double own_us = 0;      // median of what this rank did not wait for others
  double longest_us = 0;  // of this rank
  double slowest_us = 0;  // of all; rank 0, and so is
  std::chrono::system_clock::time_point slowest_when{};
};

/// Collective: runs iterations in bursts of a few milliseconds, until rank 0's time is over. Before
/// each burst ranks meet, so that none is measured waiting for one that comes late; behind it,
/// where an interval is asked for, they rest for as long as they are ahead of it, by clocks of
/// their own. A rest never lasts longer than a second, so that an abort is heard.
///
/// The first burst of a phase ends with an iteration that is verified, and so does every later one
/// as long as `verification` has its share. What it takes counts towards the rest: verification is
/// done while the network is to be idle anyway.
[[nodiscard]] TurnTimes run_turn(const measure::Iteration& iteration, const TurnRule& rule,
                                 VerificationTime& verification, measure::RankGroup& ranks);

}  // namespace railgauge::runner
