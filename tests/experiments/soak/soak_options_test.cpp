#include "experiments/soak/soak_options.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace railgauge::runner {
namespace {

std::string refusal_of(const soak::PlannedPhase& phase, unsigned ranks = 4) {
  try {
    (void)settled_plan({phase}, {}, 4, ranks);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(SoakOptionsTest, AllRailsAndTheUsualAlgorithmIfNothingElseIsSaid) {
  const auto plan = settled_plan({{.collective = "all_reduce", .size_bytes = 1024}}, {}, 2, 4);
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan[0], (soak::Phase{"all_reduce", "ring", 1024, {0, 1}}));
}

TEST(SoakOptionsTest, APhaseMayNameItsRailsAndAlgorithm) {
  const auto plan = settled_plan(
      {{.collective = "all_reduce", .size_bytes = 1024, .algorithm = "tree", .rails = "3"}}, {}, 4,
      4);
  EXPECT_EQ(plan.at(0).rails, (std::vector<unsigned>{3}));
  EXPECT_EQ(plan.at(0).algorithm, "tree");
}

TEST(SoakOptionsTest, EachRailIsAPhaseOfItsOwn) {
  const auto plan = settled_plan({{.collective = "alltoall", .size_bytes = 1 << 20}},
                                 parse_rail_choice("each"), 3, 2);
  ASSERT_EQ(plan.size(), 3U);
  EXPECT_EQ(plan[2].rails, (std::vector<unsigned>{2}));
}

TEST(SoakOptionsTest, WhatCannotBeRunIsRefusedByName) {
  EXPECT_NE(
      refusal_of({.collective = "barrier", .size_bytes = 64}).find("unknown collective 'barrier'"),
      std::string::npos);
  EXPECT_NE(refusal_of({.collective = "broadcast", .size_bytes = 64}).find("expected one of"),
            std::string::npos)
      << "it has a root";
  EXPECT_NE(refusal_of({.collective = "all_reduce", .size_bytes = 64, .algorithm = "rings"})
                .find("unknown algorithm 'rings'"),
            std::string::npos);
  EXPECT_NE(refusal_of({.collective = "all_reduce", .size_bytes = 64, .rails = "7"}), "");
  EXPECT_NE(refusal_of({.collective = "all_reduce", .size_bytes = 64, .rails = "own"}), "");
}

TEST(SoakOptionsTest, ASizeHasToLeaveEachRankSomething) {
  EXPECT_EQ(refusal_of({.collective = "alltoall", .size_bytes = 64}, 4), "");
  EXPECT_EQ(refusal_of({.collective = "alltoall", .size_bytes = 64}, 5),
            "phase alltoall 64: for 5 ranks the size must be at least 80");
}

TEST(SoakOptionsTest, TheDefaultPlanAlternatesOverSizes) {
  const SoakOptions options;
  const auto software = planned_phases(options, true);
  ASSERT_EQ(software.size(), 6U);
  EXPECT_EQ(software[0].collective, "all_reduce");
  EXPECT_EQ(software[1].collective, "alltoall");
  EXPECT_EQ(software[1].size_bytes, software[0].size_bytes);
  EXPECT_GT(planned_phases(options, false).back().size_bytes, software.back().size_bytes);
}

TEST(SoakOptionsTest, APlanThatIsNotThereIsSaid) {
  SoakOptions options;
  options.plan_file = "/nowhere/plan";
  EXPECT_THROW((void)planned_phases(options, true), std::runtime_error);
}

TEST(SoakOptionsTest, TheRecordLiesBesideTheDocument) {
  SoakOptions options;
  RunOptions run;
  EXPECT_EQ(record_path(options, run), "soak.jsonl");
  run.output_file = "results/night.json";
  EXPECT_EQ(record_path(options, run), "results/soak.jsonl");
  options.record_file = "night.jsonl";
  EXPECT_EQ(record_path(options, run), "night.jsonl");
  options.resume_file = "old.jsonl";
  EXPECT_EQ(record_path(options, run), "old.jsonl");
}

}  // namespace
}  // namespace railgauge::runner
