#include "runner/late_start.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using job::LocalRank;
using results::Failure;

constexpr std::chrono::seconds kLate{15};

LocalRank there(int rank) {
  return {.rank = rank, .pid = 100 + rank, .started = true};
}

LocalRank missing(int rank) {
  return {.rank = rank, .pid = 100 + rank, .state = "its process runs sleep, not a benchmark"};
}

/// On two processors.
StartingJob of_ranks(int ranks, int own, const std::string& host) {
  return {.ranks = ranks, .own = own, .host = host, .processors = 2};
}

TEST(LateStart, NamesTheRankThatHasNotStarted) {
  const LateStart late =
      late_start({there(0), missing(1), there(2)}, of_ranks(8, 0, "host0"), kLate);
  EXPECT_TRUE(late.speaks);
  EXPECT_TRUE(late.records);
  ASSERT_EQ(late.failures.size(), 1U);
  EXPECT_EQ(late.failures[0].rank, 1);
  EXPECT_EQ(late.failures[0].host, "host0");
  EXPECT_EQ(late.failures[0].kind, Failure::Kind::lost);
  EXPECT_EQ(late.failures[0].text,
            "has not started after 15 s: its process runs sleep, not a benchmark");
}

TEST(LateStart, IsSaidByTheFirstOfAHostThatHasStarted) {
  const LateStart third =
      late_start({there(0), missing(1), there(2)}, of_ranks(8, 2, "host0"), kLate);
  EXPECT_FALSE(third.speaks);
  EXPECT_FALSE(third.records) << "two would write one document";
  const LateStart without_0 =
      late_start({missing(0), there(1), there(2)}, of_ranks(8, 1, "host0"), kLate);
  EXPECT_TRUE(without_0.speaks);
  EXPECT_TRUE(without_0.records) << "rank 0, of this host, cannot";
}

TEST(LateStart, OnOtherHostsIsSaidAndNotRecorded) {
  const LateStart late = late_start({there(4), missing(5)}, of_ranks(8, 4, "host1"), kLate);
  EXPECT_TRUE(late.speaks);
  EXPECT_FALSE(late.records);
  EXPECT_EQ(late.failures.size(), 1U);
  EXPECT_TRUE(late_start({there(4), there(5)}, of_ranks(8, 4, "host1"), kLate).failures.empty())
      << "a host whose ranks have started has nothing to say";
}

TEST(LateStart, WhereAllHaveStartedIsOfOtherHosts) {
  const LateStart late = late_start({there(0), there(1)}, of_ranks(8, 0, "host0"), kLate);
  ASSERT_EQ(late.failures.size(), 1U);
  EXPECT_EQ(late.failures[0].kind, Failure::Kind::time_out);
  EXPECT_NE(late.failures[0].text.find("all 2 of this host have"), std::string::npos);
}

TEST(LateStart, WhereTheWholeJobRunsIsMpisOwn) {
  const LateStart late = late_start({there(0), there(1)}, of_ranks(2, 0, "host0"), kLate);
  EXPECT_TRUE(late.all_run);
  ASSERT_EQ(late.failures.size(), 1U);
  EXPECT_EQ(
      late.failures[0].text,
      "MPI has not started after 15 s. All 2 ranks run on 2 processors; start fewer ranks, or "
      "allow more time (-T)");
  EXPECT_FALSE(late_start({there(0), missing(1)}, of_ranks(2, 0, "host0"), kLate).all_run);
  EXPECT_FALSE(late_start({there(0), there(1)}, of_ranks(4, 0, "host0"), kLate).all_run);
  EXPECT_FALSE(late_start({}, of_ranks(-1, -1, "host0"), kLate).all_run);
}

TEST(LateStart, OfManyRanksOnFewProcessorsMayTakeLong) {
  using std::chrono::seconds;
  EXPECT_EQ(start_of_crowd(of_ranks(64, 0, "host0")), seconds(20));
  EXPECT_EQ(start_of_crowd(of_ranks(256, 0, "host0")), seconds(328));
  EXPECT_EQ(start_of_crowd({.ranks = 256, .processors = 128}), seconds(5));
  EXPECT_EQ(start_of_crowd({}), seconds(0));
}

/// Started by something that sets no variables.
TEST(LateStart, WithoutALauncherIsSaidByEveryRank) {
  const LateStart late = late_start({}, of_ranks(8, -1, "host0"), kLate);
  EXPECT_TRUE(late.speaks && late.records);
  EXPECT_EQ(late.failures.size(), 1U);
}

}  // namespace
}  // namespace railgauge::runner
