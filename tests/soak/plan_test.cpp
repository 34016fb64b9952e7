#include "soak/plan.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace railgauge::soak {
namespace {

std::vector<PlannedPhase> read(const std::string& text) {
  std::istringstream stream(text);
  return read_plan(stream, "night.plan");
}

std::string complaint_about(const std::string& text) {
  try {
    (void)read(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(PlanTest, CollectivesAlternateForEachSize) {
  const auto plan = alternating({"all_reduce", "alltoall"}, {64, 128});
  ASSERT_EQ(plan.size(), 4U);
  EXPECT_EQ(plan[0], (PlannedPhase{.collective = "all_reduce", .size_bytes = 64}));
  EXPECT_EQ(plan[1], (PlannedPhase{.collective = "alltoall", .size_bytes = 64}));
  EXPECT_EQ(plan[2].size_bytes, 128U);
}

TEST(PlanTest, APhaseIsALine) {
  const auto plan = read("# night\n\nall_reduce 64K\n  alltoall 1M rails=3 algo=pairwise # new\n");
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_EQ(plan[0], (PlannedPhase{.collective = "all_reduce", .size_bytes = 65536}));
  EXPECT_EQ(
      plan[1],
      (PlannedPhase{
          .collective = "alltoall", .size_bytes = 1 << 20, .algorithm = "pairwise", .rails = "3"}));
}

TEST(PlanTest, AMistakeIsToldWithItsLine) {
  EXPECT_EQ(complaint_about("all_reduce 1M\nalltoall\n"),
            "night.plan line 2: expected a collective and a size");
  EXPECT_EQ(complaint_about("all_reduce 1M rail=3"),
            "night.plan line 1: 'rail=3' is neither rails=RAILS nor algo=NAME");
  EXPECT_NE(complaint_about("all_reduce 1Q").find("night.plan line 1: "), std::string::npos);
}

TEST(PlanTest, APlanWithoutAPhaseIsNone) {
  EXPECT_NE(complaint_about("# nothing\n"), "");
}

TEST(PlanTest, APhaseIsToldInWords) {
  EXPECT_EQ(in_words({"all_reduce", "ring", 1 << 20, {0, 1}}), "all_reduce 1M, ring, rails 0+1");
}

}  // namespace
}  // namespace railgauge::soak
