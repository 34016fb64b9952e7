#include "experiments/soak/turn.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace railgauge::runner {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// One rank: all there are.
class LoneRank final : public measure::RankGroup {
 public:
  void barrier() override { ++barriers; }
  std::vector<double> reduce(std::span<const double> own, measure::OverRanks) override {
    bursts.push_back(own.size());
    return {own.begin(), own.end()};
  }
  std::uint64_t broadcast(std::uint64_t value) override { return value; }
  std::vector<double> all_gather(double own) override { return {own}; }

  int barriers = 0;
  std::vector<std::size_t> bursts;
};

/// Counts what is called, and takes as long as it is told to.
struct SlowCalls {
  measure::Iteration iteration{
      .run =
          [this] {
            ++runs;
            std::this_thread::sleep_for(takes);
            return nanoseconds(0);
          },
      .prepare = [this] { ++prepared; },
      .verify = [this] { std::this_thread::sleep_for(verify_takes), ++verified; }};
  nanoseconds takes{0};
  nanoseconds verify_takes{0};
  int runs = 0;
  int prepared = 0;
  int verified = 0;
};

/// Over after it was asked so often, whatever the clock says.
auto asked(int times) {
  return [left = times]() mutable {
    return left-- > 0 ? nanoseconds(std::chrono::hours(1)) : nanoseconds(0);
  };
}

TEST(TurnTest, GoesOnUntilItsTimeIsOver) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  const TurnTimes turn = run_turn(calls.iteration, {.left = asked(3)}, time, rank);
  EXPECT_EQ(rank.bursts.size(), 3U);
  EXPECT_EQ(turn.iterations, static_cast<std::uint64_t>(calls.runs));
  EXPECT_LE(turn.times.count(), turn.iterations);
  EXPECT_GE(rank.barriers, 3) << "ranks meet before each burst";
}

TEST(TurnTest, TheFirstIterationOfALongBurstIsNotTimed) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  const TurnTimes turn =
      run_turn(calls.iteration, {.expected_us = 1000, .left = asked(2)}, time, rank);
  EXPECT_EQ(rank.bursts, (std::vector<std::size_t>{100, 100})) << "of 100 ms, as nothing is paced";
  EXPECT_EQ(turn.iterations, 202U);
  EXPECT_EQ(turn.times.count(), 200U);
}

TEST(TurnTest, PacedBurstsAreShortAndDoNotShrinkWhenIterationsBecomeSlow) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  calls.takes = milliseconds(20);
  (void)run_turn(calls.iteration, {.interval_us = 1, .expected_us = 5000, .left = asked(3)}, time,
                 rank);
  EXPECT_EQ(rank.bursts, (std::vector<std::size_t>{2, 2, 2}));
}

TEST(TurnTest, RunsOnceThoughItsTimeIsOverAlready) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  EXPECT_EQ(run_turn(calls.iteration, {}, time, rank).iterations, 1U);
  EXPECT_EQ(run_turn(calls.iteration, {.least = 5}, time, rank).iterations, 5U);
}

TEST(TurnTest, TheFirstBurstOfAPhaseIsVerified) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  const TurnTimes turn = run_turn(calls.iteration, {.left = asked(1)}, time, rank);
  EXPECT_EQ(turn.verified, 1U);
  EXPECT_EQ(calls.prepared, 1);
  EXPECT_EQ(calls.verified, 1);
}

TEST(TurnTest, VerificationKeepsToItsShare) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time{.verified = std::chrono::hours(2), .all = std::chrono::hours(10)};
  EXPECT_EQ(
      run_turn(calls.iteration, {.verified_share = 0.1, .left = asked(5)}, time, rank).verified,
      0U);
  EXPECT_GT(
      run_turn(calls.iteration, {.verified_share = 0.3, .left = asked(5)}, time, rank).verified,
      0U);
}

TEST(TurnTest, AShareOfAllVerifiesEveryIteration) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  const TurnTimes turn =
      run_turn(calls.iteration, {.verified_share = 1, .left = asked(7)}, time, rank);
  EXPECT_EQ(turn.iterations, 7U);
  EXPECT_EQ(turn.verified, 7U);
}

TEST(TurnTest, RestsUntilItIsNoLongerAheadOfItsInterval) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  const TurnRule rule{.interval_us = 20'000, .verified_share = 1, .left = asked(3)};
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(run_turn(calls.iteration, rule, time, rank).iterations, 3U);
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took, milliseconds(60)) << "a busy machine makes it only longer";
}

TEST(TurnTest, TellsTheSlowestIteration) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  calls.iteration.run = [&] {
    if (++calls.runs == 3) std::this_thread::sleep_for(milliseconds(30));
    return nanoseconds(0);
  };
  const auto before = std::chrono::system_clock::now();
  const TurnTimes turn = run_turn(calls.iteration, {.least = 5}, time, rank);
  EXPECT_GE(turn.slowest_us, 30'000);
  EXPECT_EQ(turn.longest_us, turn.slowest_us);
  EXPECT_GE(turn.slowest_when, before);
}

TEST(TurnTest, WhatARankWaitedIsNotItsOwn) {
  LoneRank rank;
  SlowCalls calls;
  VerificationTime time;
  calls.iteration.run = [&] {
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(milliseconds(2));
    return std::chrono::steady_clock::now() - begin;
  };
  const TurnTimes turn = run_turn(calls.iteration, {.least = 9}, time, rank);
  EXPECT_GE(turn.times.quantile_us(500), 2000);
  EXPECT_LT(turn.own_us, turn.times.quantile_us(500) / 2);
}

}  // namespace
}  // namespace railgauge::runner
