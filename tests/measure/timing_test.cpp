#include "measure/timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

namespace railgauge::measure {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// One rank: all there are.
class Alone final : public RankGroup {
 public:
  void barrier() override { ++barriers; }
  std::vector<double> reduce(std::span<const double> own, OverRanks) override {
    batches.push_back(own.size());
    return {own.begin(), own.end()};
  }
  std::uint64_t broadcast(std::uint64_t value) override { return value; }
  std::vector<double> all_gather(double own) override { return {own}; }

  int barriers = 0;
  std::vector<std::size_t> batches;
};

/// Counts what is called, in order.
struct Calls {
  Iteration iteration{.run = [this] { return ++runs, nanoseconds(0); },
                      .prepare = [this] { prepared_at.push_back(runs); },
                      .verify = [this] { verified_at.push_back(runs); }};
  int runs = 0;
  std::vector<int> prepared_at;
  std::vector<int> verified_at;
};

TEST(Timing, TimesAsManyIterationsAsAskedFor) {
  Alone alone;
  Calls calls;
  const Timing timing = time_iterations(
      calls.iteration, {.stopping = {.iterations = 20}, .warm_up = 3, .verified = 0}, alone);
  EXPECT_EQ(calls.runs, 23);
  EXPECT_EQ(timing.times.count(), 20U);
  EXPECT_EQ(timing.stopped_by, StoppedBy::iterations);
  EXPECT_EQ(timing.verified, 0U);
}

TEST(Timing, KeepsIterationsWithoutTheFirstFewToo) {
  Alone alone;
  Calls calls;
  calls.iteration.run = [&calls] {
    if (++calls.runs <= 2) std::this_thread::sleep_for(milliseconds(5));
    return nanoseconds(0);
  };
  const Timing timing = time_iterations(
      calls.iteration, {.stopping = {.iterations = 9}, .warm_up = 0, .verified = 0, .skipped = 2},
      alone);
  EXPECT_EQ(timing.later.count(), 7U);
  EXPECT_GE(timing.times.max_us(), 5000);
  EXPECT_LT(timing.later.quantile_us(500), 5000);
}

TEST(Timing, KeepsTheFirstTimesOneByOne) {
  for (const std::uint64_t kept : {0U, 3U, 5000U, 20'000U}) {
    Alone alone;
    Calls calls;
    const Timing timing = time_iterations(
        calls.iteration, {.stopping = {.iterations = 6000}, .verified = 0, .kept = kept}, alone);
    EXPECT_EQ(timing.kept_us.size(), std::min<std::uint64_t>(kept, 6000));
  }
}

TEST(Timing, ManyIterationsAreBatchesEachWithAnUntimedOneBefore) {
  Alone alone;
  Calls calls;
  const Timing timing = time_iterations(
      calls.iteration, {.stopping = {.iterations = 10'000}, .warm_up = 0, .verified = 0}, alone);
  EXPECT_EQ(timing.times.count(), 10'000U);
  EXPECT_EQ(alone.batches, (std::vector<std::size_t>{4096, 4096, 1808}));
  EXPECT_EQ(calls.runs, 10'002);
}

TEST(Timing, VerifiesTimedIterationsEvenlySpreadTheLastAmongThem) {
  Alone alone;
  Calls calls;
  const Timing timing = time_iterations(
      calls.iteration, {.stopping = {.iterations = 20}, .warm_up = 0, .verified = 4}, alone);
  EXPECT_EQ(calls.prepared_at, (std::vector<int>{4, 9, 14, 19}));
  EXPECT_EQ(calls.verified_at, (std::vector<int>{5, 10, 15, 20}));
  EXPECT_EQ(timing.verified, 4U);
}

TEST(Timing, VerifiesNoMoreThanThereAre) {
  Alone alone;
  Calls calls;
  const Timing timing = time_iterations(
      calls.iteration, {.stopping = {.iterations = 3}, .warm_up = 0, .verified = 9}, alone);
  EXPECT_EQ(timing.verified, 3U);
  EXPECT_EQ(timing.times.count(), 3U);
}

TEST(Timing, PreparingAndVerifyingAreNotTimedButTold) {
  Alone alone;
  Calls calls;
  calls.iteration.prepare =
      calls.iteration.verify = [] { std::this_thread::sleep_for(milliseconds(5)); };
  const Timing timing = time_iterations(
      calls.iteration, {.stopping = {.iterations = 9}, .warm_up = 0, .verified = 3}, alone);
  EXPECT_LT(timing.times.quantile_us(500), 5000);
  EXPECT_GE(timing.verification, milliseconds(30));
}

TEST(Timing, AnIterationOfSeveralCollectivesIsTheirMean) {
  Alone alone;
  Calls calls;
  calls.iteration.run = [&calls] {
    std::this_thread::sleep_for(milliseconds(2));
    return ++calls.runs, nanoseconds(0);
  };
  const Timing timing = time_iterations(
      calls.iteration,
      {.stopping = {.iterations = 5}, .warm_up = 0, .collectives = 4, .verified = 0}, alone);
  EXPECT_EQ(calls.runs, 20);
  EXPECT_GE(timing.times.min_us(), 2000);
  EXPECT_LT(timing.times.min_us(), 8000);
}

TEST(Timing, AVerifiedIterationIsOfOneCollective) {
  Alone alone;
  Calls calls;
  const Timing timing = time_iterations(
      calls.iteration,
      {.stopping = {.iterations = 5}, .warm_up = 0, .collectives = 4, .verified = 2}, alone);
  EXPECT_EQ(timing.times.count(), 5U);
  EXPECT_EQ(calls.runs, 3 * 4 + 2);
}

TEST(Timing, WhatWasWaitedIsNotOwnTime) {
  Alone alone;
  Calls calls;
  calls.iteration.run = [] {
    std::this_thread::sleep_for(milliseconds(4));
    return nanoseconds(milliseconds(3));
  };
  const Timing timing = time_iterations(
      calls.iteration, {.stopping = {.iterations = 5}, .warm_up = 0, .verified = 0}, alone);
  EXPECT_GE(timing.medians_us.at(0), 4000);
  EXPECT_NEAR(timing.own_us.at(0), timing.medians_us.at(0) - 3000,
              timing.medians_us.at(0) * 2 * Histogram::kRelativeError);
}

TEST(Timing, SeparatesIterationsByBarriers) {
  Alone alone;
  Calls calls;
  const TimingRule rule{.stopping = {.iterations = 7},
                        .separation = Separation::barrier_outside,
                        .warm_up = 0,
                        .verified = 0};
  (void)time_iterations(calls.iteration, rule, alone);
  EXPECT_EQ(alone.barriers, 1 + 7);
}

using std::chrono::seconds;

/// `n` durations of 100 µs and a bit, evenly over a range of this part of it.
Histogram times_of(int n, double spread) {
  Histogram times;
  for (int i = 0; i < n; ++i) {
    const double us = 100 * (1 + spread * i / n);
    times.record(std::chrono::nanoseconds(static_cast<std::int64_t>(us * 1000)));
  }
  return times;
}

TEST(Stopping, ByTheNumberOfIterations) {
  const StoppingRule rule{.iterations = 20};
  EXPECT_FALSE(stop(rule, times_of(19, 0), seconds(100)));
  EXPECT_EQ(stop(rule, times_of(20, 0), seconds(0)), StoppedBy::iterations);
}

TEST(Stopping, ByTheDurationButNotBeforeTheIterations) {
  const StoppingRule rule{.iterations = 20, .duration = seconds(2)};
  EXPECT_FALSE(stop(rule, times_of(19, 0), seconds(3)));
  EXPECT_FALSE(stop(rule, times_of(1000, 0), seconds(1)));
  EXPECT_EQ(stop(rule, times_of(20, 0), seconds(2)), StoppedBy::duration);
}

TEST(Stopping, ByTheIntervalOrTheDurationWhicheverIsFirst) {
  const StoppingRule rule{.iterations = 20, .duration = seconds(2), .interval = 0.01};
  EXPECT_EQ(stop(rule, times_of(100, 0.001), seconds(1)), StoppedBy::interval);
  EXPECT_FALSE(stop(rule, times_of(100, 0.5), seconds(1)));
  EXPECT_EQ(stop(rule, times_of(100, 0.5), seconds(2)), StoppedBy::duration);
  EXPECT_EQ(stop(rule, times_of(10'000, 0.5), seconds(1)), StoppedBy::interval);
}

TEST(Stopping, ABatchIsWhatIsMissingOrAboutASecond) {
  EXPECT_EQ(next_batch({.iterations = 5000}, times_of(4096, 0), seconds(1), 4096), 904U);
  const StoppingRule rule{.iterations = 20, .duration = seconds(60)};
  EXPECT_NEAR(static_cast<double>(next_batch(rule, times_of(20, 0), seconds(1), 100'000)), 10'000,
              100);
  EXPECT_EQ(next_batch(rule, times_of(20, 0), seconds(1), 4096), 4096U);
  EXPECT_EQ(next_batch(rule, times_of(20, 0), seconds(60), 4096), 1U);  // never none
}

}  // namespace

}  // namespace railgauge::measure
