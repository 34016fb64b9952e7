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

TEST(LateStart, NamesTheRankThatHasNotStarted) {
  const LateStart late = late_start({there(0), missing(1), there(2)}, 0, "host0", kLate);
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
  const LateStart third = late_start({there(0), missing(1), there(2)}, 2, "host0", kLate);
  EXPECT_FALSE(third.speaks);
  EXPECT_FALSE(third.records) << "two would write one document";
  const LateStart without_0 = late_start({missing(0), there(1), there(2)}, 1, "host0", kLate);
  EXPECT_TRUE(without_0.speaks);
  EXPECT_TRUE(without_0.records) << "rank 0, of this host, cannot";
}

TEST(LateStart, OnOtherHostsIsSaidAndNotRecorded) {
  const LateStart late = late_start({there(4), missing(5)}, 4, "host1", kLate);
  EXPECT_TRUE(late.speaks);
  EXPECT_FALSE(late.records);
  EXPECT_EQ(late.failures.size(), 1U);
  EXPECT_TRUE(late_start({there(4), there(5)}, 4, "host1", kLate).failures.empty())
      << "a host whose ranks have started has nothing to say";
}

TEST(LateStart, WhereAllHaveStartedIsOfOtherHosts) {
  const LateStart late = late_start({there(0), there(1)}, 0, "host0", kLate);
  ASSERT_EQ(late.failures.size(), 1U);
  EXPECT_EQ(late.failures[0].kind, Failure::Kind::time_out);
  EXPECT_NE(late.failures[0].text.find("all 2 of this host have"), std::string::npos);
}

/// Started by something that sets no variables.
TEST(LateStart, WithoutALauncherIsSaidByEveryRank) {
  const LateStart late = late_start({}, -1, "host0", kLate);
  EXPECT_TRUE(late.speaks && late.records);
  EXPECT_EQ(late.failures.size(), 1U);
}

}  // namespace
}  // namespace railgauge::runner
