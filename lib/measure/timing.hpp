#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "measure/histogram.hpp"
#include "measure/iteration_times.hpp"
#include "measure/rank_group.hpp"
#include "measure/stopping.hpp"

namespace railgauge::measure {

/// How iterations follow each other.
enum class Separation : std::uint8_t {
  none,             // back to back: one begins on a rank when the one before has ended there
  barrier_outside,  // all ranks begin together; the barrier is not timed
  barrier_inside,   // a barrier ends every collective, and is timed
};

struct TimingRule {
  StoppingRule stopping;
  Separation separation = Separation::none;
  OverRanks over_ranks = OverRanks::slowest;
  std::uint64_t warm_up = 1;      // iterations that are not timed, before the first that is
  std::uint64_t collectives = 1;  // in an iteration, whose time is their mean
  std::uint64_t verified = 1;     // iterations of the first batch, of those that are timed
  std::uint64_t skipped = 0;      // of the first iterations, in Timing::later
};

/// What is timed.
struct Iteration {
  /// One collective. Returns for how long of it this rank waited for others.
  std::function<std::chrono::nanoseconds()> run;
  /// Before and after an iteration that is verified; neither is timed.
  std::function<void()> prepare = [] {};
  std::function<void()> verify = [] {};
};

struct Timing {
  Histogram times;  // over ranks; of rank 0, empty on the others
  Histogram later;  // the same without the first `rule.skipped`
  StoppedBy stopped_by = StoppedBy::iterations;
  std::vector<double> medians_us;            // [rank] of its own iterations
  std::vector<double> own_us;                // [rank] the median of what it did not wait in them
  std::uint64_t verified = 0;                // iterations
  std::chrono::nanoseconds verification{0};  // what that took, of this rank
};

/// Collective: times iterations, in batches, until the rule says so. lib/measure/README.md says
/// what the numbers are, and with what error.
///
/// Verified are `rule.verified` iterations of the first batch, spread evenly, its last one among
/// them; and of every later batch its last, as long as verifying has taken less than a tenth of
/// the time. They are timed as all others are, but are of one collective, because in place a second
/// would work on the result of the first.
[[nodiscard]] Timing time_iterations(const Iteration& iteration, const TimingRule& rule,
                                     RankGroup& ranks);

}  // namespace railgauge::measure
