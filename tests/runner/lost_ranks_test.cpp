#include "runner/failure_summary.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace railgauge::runner {
namespace {

using results::Failure;

// Beyond the kernel's largest (PID_MAX_LIMIT): no process has it.
constexpr int kNoProcess = 1 << 23;

std::vector<results::Rank> four_ranks() {
  return {{.rank = 0, .host = "host0", .pid = getpid()},
          {.rank = 1, .host = "host0", .pid = kNoProcess},
          {.rank = 2, .host = "host1", .pid = kNoProcess},
          {.rank = 3, .host = "host1", .pid = kNoProcess}};
}

Failure report_of(int rank) {
  return {rank, "host", Failure::Kind::time_out, "the collective did not end within 4 s"};
}

TEST(LostRanks, NobodyIsWhereAllReported) {
  EXPECT_TRUE(lost_ranks(four_ranks(), "host0",
                         {report_of(0), report_of(1), report_of(2), report_of(3)}, false)
                  .empty());
}

TEST(LostRanks, OneOfThisHostThatHasEndedIsNamed) {
  const auto lost =
      lost_ranks(four_ranks(), "host0", {report_of(0), report_of(2), report_of(3)}, true);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].rank, 1);
  EXPECT_EQ(lost[0].host, "host0");
  EXPECT_EQ(lost[0].kind, Failure::Kind::lost);
  EXPECT_NE(lost[0].text.find("its process 8388608 has ended without reporting"),
            std::string::npos);
}

TEST(LostRanks, OfAnotherHostItIsOnlyKnownThatItDidNotAnswer) {
  const auto lost =
      lost_ranks(four_ranks(), "host0", {report_of(0), report_of(1), report_of(2)}, false);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].rank, 3);
  EXPECT_NE(lost[0].text.find("did not answer"), std::string::npos);
  EXPECT_EQ(lost[0].text.find("has ended"), std::string::npos);
}

TEST(LostRanks, AfterASignalSilenceAccusesNobody) {
  EXPECT_TRUE(lost_ranks({four_ranks()[0], four_ranks()[2]}, "host0", {}, true).empty())
      << "this process is there, and the other host's may have been told to end";
}

TEST(LostRanks, RanksThatHaveNotMetAreNotLost) {
  EXPECT_TRUE(lost_ranks({}, "host0", {}, false).empty());
}

}  // namespace
}  // namespace railgauge::runner
