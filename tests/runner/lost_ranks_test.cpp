#include "runner/failure_summary.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace railgauge::runner {
namespace {

using job::Ender;
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
                         {report_of(0), report_of(1), report_of(2), report_of(3)}, Ender::nobody)
                  .empty());
}

TEST(LostRanks, OneOfThisHostThatHasEndedIsNamed) {
  const auto lost =
      lost_ranks(four_ranks(), "host0", {report_of(0), report_of(2), report_of(3)}, Ender::user);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].rank, 1);
  EXPECT_EQ(lost[0].host, "host0");
  EXPECT_EQ(lost[0].kind, Failure::Kind::lost);
  EXPECT_NE(lost[0].text.find("its process 8388608 has ended without reporting"),
            std::string::npos);
}

TEST(LostRanks, OfAnotherHostItIsOnlyKnownThatItDidNotAnswer) {
  const auto lost =
      lost_ranks(four_ranks(), "host0", {report_of(0), report_of(1), report_of(2)}, Ender::nobody);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].rank, 3);
  EXPECT_NE(lost[0].text.find("did not answer"), std::string::npos);
  EXPECT_EQ(lost[0].text.find("has ended"), std::string::npos);
}

TEST(LostRanks, AfterASignalSilenceAccusesNobody) {
  EXPECT_TRUE(lost_ranks({four_ranks()[0], four_ranks()[2]}, "host0", {}, Ender::user).empty())
      << "this process is there, and the other host's may have been told to end";
}

TEST(LostRanks, SilenceWhenTheLauncherEndsAllUntoldIsADeath) {
  const auto lost = lost_ranks(four_ranks(), "host0", {report_of(0), report_of(1), report_of(3)},
                               Ender::launcher);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].rank, 2);
  EXPECT_EQ(lost[0].findings.at(0).certainty, finding::Certainty::likely);
}

TEST(LostRanks, SilenceIsOnlyADoubtWhereTheLauncherMayHaveBeenTold) {
  const auto lost =
      lost_ranks(four_ranks(), "host0", {report_of(0), report_of(1), report_of(3)}, Ender::either);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].findings.at(0).certainty, finding::Certainty::possible);
  EXPECT_FALSE(lost[0].findings.at(0).excuses.empty());
}

TEST(LostRanks, WhenTheLauncherEndsAllARankOfThisHostThatLivesIsNotLost) {
  for (const Ender ender : {Ender::launcher, Ender::either})
    EXPECT_TRUE(lost_ranks({four_ranks()[0]}, "host0", {}, ender).empty());
}

TEST(DeathSomewhere, IsAsSureAsTheLauncherIsUntold) {
  EXPECT_EQ(death_somewhere(Ender::launcher).value().certainty, finding::Certainty::likely);
  EXPECT_EQ(death_somewhere(Ender::either).value().certainty, finding::Certainty::possible);
}

TEST(DeathSomewhere, IsNoneWhereAUserOrNobodyEndsTheJob) {
  EXPECT_FALSE(death_somewhere(Ender::user));
  EXPECT_FALSE(death_somewhere(Ender::nobody));
}

TEST(LostRanks, RanksThatHaveNotMetAreNotLost) {
  EXPECT_TRUE(lost_ranks({}, "host0", {}, Ender::nobody).empty());
}

}  // namespace
}  // namespace railgauge::runner
