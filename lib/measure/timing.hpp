#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "measure/histogram.hpp"

namespace railgauge::measure {

/// When enough iterations have been timed.
struct StoppingRule {
  std::uint64_t iterations = 20;  // at least
  /// Go on until this much time has passed.
  std::optional<std::chrono::milliseconds> duration{};
  /// Go on until the median's 95 % confidence interval is this narrow, as a part of the median
  /// (0.01), or the duration has passed.
  std::optional<double> interval{};
};

enum class StoppedBy : std::uint8_t { iterations, duration, interval };

/// Why to stop; empty to go on. `elapsed` is the time since the row's first iteration.
[[nodiscard]] std::optional<StoppedBy> stop(const StoppingRule& rule, const Histogram& times,
                                            std::chrono::nanoseconds elapsed);

/// How many iterations to time before asking again, at most `most`: those that are missing, or as
/// many as take about a second (or the rest of the duration) at the pace so far.
[[nodiscard]] std::uint64_t next_batch(const StoppingRule& rule, const Histogram& times,
                                       std::chrono::nanoseconds elapsed, std::uint64_t most);

/// Which rank's time counts as an iteration's: nccl-tests' -a, with its numbers.
enum class OverRanks : std::uint8_t { first, mean, fastest, slowest };

/// All ranks, as far as timing needs them. Every call is collective, and throws what its
/// implementation throws when another rank does not take part. lib/job implements it over MPI,
/// tests over threads.
class RankGroup {
 public:
  RankGroup() = default;
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;
  virtual ~RankGroup() = default;

  virtual void barrier() = 0;
  /// Combines each element over all ranks. On rank 0 only; empty on the others.
  virtual std::vector<double> reduce(std::span<const double> own, OverRanks which) = 0;
  /// Returns rank 0's value on every rank.
  virtual std::uint64_t broadcast(std::uint64_t value) = 0;
  /// Returns every rank's value on every rank.
  virtual std::vector<double> all_gather(double own) = 0;
};

/// What separates an iteration from the next.
enum class Separation : std::uint8_t {
  none,             // back to back: one starts on a rank as soon as the one before has ended there
  barrier_outside,  // all ranks start together; the barrier is not timed
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
  std::uint64_t kept = 0;         // of the first iterations, in Timing::kept_us
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
  std::vector<double> kept_us;               // this rank's own times, one by one
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
