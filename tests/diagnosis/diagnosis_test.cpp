#include "diagnosis/diagnosis.hpp"

#include <gtest/gtest.h>

#include "diagnosis/simulated_run.hpp"

namespace railgauge::diagnosis {
namespace {

using Shape = SimulatedRun::Shape;
using Trouble = SimulatedRun::Trouble;
using results::Finding;

constexpr unsigned kSeeds = 20;

std::vector<Finding> findings_of(SimulatedRun& run) {
  const auto rows = run.rows();
  return diagnose(run.ranks(), rows);
}

std::string texts(const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& one : findings) all += one.text + "\n";
  return all;
}

/// What a planted fault has to be called.
struct Expected {
  std::string cause;
  std::string scope;
  std::string direction;
  std::vector<int> ranks;
  std::optional<int> rail;
};

void expect_only(const std::vector<Finding>& findings, const Expected& expected) {
  ASSERT_EQ(findings.size(), 1U) << texts(findings);
  const Finding& one = findings[0];
  EXPECT_EQ(one.cause, expected.cause) << one.text;
  EXPECT_EQ(one.scope, expected.scope) << one.text;
  EXPECT_EQ(one.direction, expected.direction) << one.text;
  EXPECT_EQ(one.ranks, expected.ranks) << one.text;
  EXPECT_EQ(one.rail, expected.rail) << one.text;
}

struct Case {
  Shape shape;
  int ranks;
  Trouble trouble;
  Expected expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      // Along a ring each rank sends to one other: the path is all that can be told of data.
      {Shape::ring,
       4,
       {.from = 2, .rail = 1, .loss = 0.01},
       {"packet loss", "path", "sends", {2}, 1}},
      {Shape::ring,
       4,
       {.to = 2, .rail = 1, .loss = 0.01},
       {"packet loss", "path", "sends", {1}, 1}},
      {Shape::ring,
       4,
       {.from = 2, .rail = 1, .megabytes_per_second = 60},
       {"rate limit", "path", "sends", {2}, 1}},
      {Shape::ring,
       5,
       {.from = 3, .rail = 0, .delay_us = 1000},
       {"latency", "port", "sends", {3}, 0}},
      {Shape::ring,
       5,
       {.to = 3, .rail = 0, .delay_us = 1000},
       {"latency", "port", "receives", {3}, 0}},
      {Shape::ring,
       4,
       {.from = 1, .rail = 1, .reordering = 0.03},
       {"reordering", "path", "sends", {1}, 1}},
      {Shape::ring,
       4,
       {.from = 1, .rail = 1, .duplication = 0.05},
       {"duplication", "path", "sends", {1}, 1}},
      {Shape::all_to_all,
       4,
       {.to = 3, .rail = 0, .duplication = 0.05},
       {"duplication", "port", "receives", {3}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 3, .rail = 0, .duplication = 0.05},
       {"duplication", "port", "sends", {3}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 0, .rail = 1, .loss = 0.01},
       {"packet loss", "port", "sends", {0}, 1}},
      {Shape::all_to_all,
       4,
       {.to = 3, .rail = 0, .loss = 0.1},
       {"packet loss", "port", "receives", {3}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 1, .rail = 0, .megabytes_per_second = 40},
       {"rate limit", "port", "sends", {1}, 0}},
      {Shape::all_to_all,
       4,
       {.to = 1, .rail = 0, .megabytes_per_second = 40},
       {"rate limit", "port", "receives", {1}, 0}},
      {Shape::all_to_all,
       6,
       {.from = 2, .rail = 0, .delay_us = 1000},
       {"latency", "port", "sends", {2}, 0}},
      {Shape::all_to_all,
       6,
       {.to = 2, .rail = 0, .delay_us = 1000},
       {"latency", "port", "receives", {2}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 2, .to = 3, .rail = 1, .loss = 0.02},
       {"packet loss", "path", "sends", {2}, 1}},
      {Shape::all_to_all,
       4,
       {.from = 2, .to = 3, .rail = 1, .delay_us = 800},
       {"latency", "path", "sends", {2}, 1}},
      {Shape::all_to_all,
       4,
       {.to = 2, .rail = 0, .corruption = 0.01},
       {"corruption", "port", "receives", {2}, 0}},
      {Shape::ring,
       4,
       {.from = 2, .rail = 0, .corruption = 0.01},
       {"corruption", "port", "sends", {2}, 0}},
      {Shape::ring,
       4,
       {.from = 1, .rail = 1, .marks = 0.2},
       {"congestion", "port", "sends", {1}, 1}},
      {Shape::all_to_all,
       4,
       {.to = 1, .rail = 0, .jitter_us = 6000},
       {"jitter", "port", "receives", {1}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 2, .megabytes_per_second = 30},
       {"rate limit", "host", "sends", {2}, {}}},
      {Shape::all_to_all, 4, {.rail = 1, .delay_us = 500}, {"latency", "rail", "both", {}, 1}},
      {Shape::ring, 4, {.rail = 1, .loss = 0.01}, {"packet loss", "rail", "both", {}, 1}},
      {Shape::all_to_all, 8, {.rail = 1, .marks = 0.2}, {"congestion", "rail", "both", {}, 1}},
  };
  return all;
}

TEST(Diagnosis, NamesWhatWasPlanted) {
  for (const Case& one : cases()) {
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      SimulatedRun run(one.shape, one.ranks, 2, seed);
      run.plant(one.trouble);
      SCOPED_TRACE(one.expected.cause + ", seed " + std::to_string(seed));
      expect_only(findings_of(run), one.expected);
    }
  }
}

TEST(Diagnosis, HealthyTwinsAreSilent) {
  for (const Shape shape : {Shape::ring, Shape::all_to_all}) {
    for (const int ranks : {2, 3, 4, 5, 6, 8}) {
      for (unsigned seed = 1; seed <= 2 * kSeeds; ++seed) {
        SimulatedRun run(shape, ranks, 2, seed);
        const auto findings = findings_of(run);
        EXPECT_TRUE(findings.empty())
            << ranks << " ranks, seed " << seed << ": " << texts(findings);
      }
    }
  }
}

TEST(Diagnosis, PathsWithinAHostAreNotWhatOthersAreComparedWith) {
  for (const Shape shape : {Shape::ring, Shape::all_to_all}) {
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      SimulatedRun run(shape, 8, 2, seed, 2);
      const auto findings = findings_of(run);
      EXPECT_TRUE(findings.empty()) << "seed " << seed << ": " << texts(findings);
    }
  }
}

TEST(Diagnosis, OfTwoPortsThatOnlyHaveEachOtherTheirRailIsNamed) {
  SimulatedRun run(Shape::all_to_all, 2, 2, 1);
  run.plant({.rail = 1, .megabytes_per_second = 20});
  expect_only(findings_of(run), {"rate limit", "rail", "both", {}, 1});
}

/// The findings of a delay on one path, in rows of this algorithm.
std::vector<Finding> delayed(const std::string& algorithm) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.plant({.from = 0, .to = 3, .rail = 0, .delay_us = 5000});
  std::vector<results::CollectiveRow> rows = run.rows();
  for (results::CollectiveRow& row : rows) {
    row.algorithm = algorithm;
    row.point.root = -1;
    row.out_of_place = row.in_place = results::Measurement{.rank_own_us = {900, 10, 11, 10}};
    row.out_of_place->time.p50_us = row.in_place->time.p50_us = 1000;
  }
  return diagnose(run.ranks(), rows);
}

TEST(Diagnosis, TurnsOfOneRankThatServesAllAreNobodysFault) {
  EXPECT_TRUE(delayed("direct").empty()) << texts(delayed("direct"));
  EXPECT_FALSE(delayed("ring").empty());
}

TEST(Diagnosis, AStarvedRankIsNotBlamedOnTheNetwork) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  run.starve(2, 0.98).plant({.to = 2, .jitter_us = 90'000}).plant({.from = 2, .jitter_us = 90'000});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 1U) << texts(findings);
  EXPECT_EQ(findings[0].cause, "starved processor");
  EXPECT_EQ(findings[0].ranks, std::vector<int>{2});
}

TEST(Diagnosis, ALateRailIsNotBlamedOnTheProcessorThatWaitsForIt) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.starve(2, 0.9).plant({.from = 2, .rail = 0, .delay_us = 5000});
  expect_only(findings_of(run), {"latency", "port", "sends", {2}, 0});
}

TEST(Diagnosis, WhatIsSlowEverywhereIsNotBlamedOnAnybody) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.plant({.delay_us = 5000});
  EXPECT_TRUE(findings_of(run).empty());
}

TEST(Diagnosis, WithoutACommonClockTheRoundTripIsJudged) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.of_several_clocks().plant({.to = 3, .rail = 1, .megabytes_per_second = 40});
  const auto findings = findings_of(run);
  expect_only(findings, {"rate limit", "port", "receives", {3}, 1});
}

TEST(Diagnosis, LossOutranksTheSlownessItCauses) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  run.plant({.from = 2, .rail = 1, .delay_us = 400, .loss = 0.02});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 1U) << texts(findings);
  EXPECT_EQ(findings[0].cause, "packet loss");
  ASSERT_TRUE(findings[0].slower);
  EXPECT_GT(*findings[0].slower, 3);
}

TEST(Diagnosis, WhereNotAllPortsCountNothingIsSaidOfPackets) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.plant({.from = 1, .rail = 0, .delay_us = 1000});
  auto rows = run.rows();
  const auto text = [&] { return texts(diagnose(run.ranks(), rows)); };
  EXPECT_NE(text().find("no packet was lost"), std::string::npos) << text();
  for (results::CollectiveRow& row : rows) row.events.pop_back();
  EXPECT_EQ(text().find("no packet was lost"), std::string::npos) << text();
}

/// All of its peers notice it, too, but less often than it does.
TEST(Diagnosis, AHostThatHasItWithAllOthersIsNotItsRails) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SimulatedRun run(Shape::all_to_all, 6, 2, seed);
    run.plant({.from = 2, .marks = 0.2}).plant({.to = 2, .marks = 0.2});
    expect_only(findings_of(run), {"congestion", "host", "both", {2}, {}});
  }
}

/// What all ports of all rails notice is no host's: each rail is named.
TEST(Diagnosis, WhatIsEverywhereAccusesNobody) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SimulatedRun run(Shape::all_to_all, 8, 2, seed);
    run.plant({.marks = 0.2});
    const auto findings = findings_of(run);
    ASSERT_EQ(findings.size(), 2U) << texts(findings);
    for (const Finding& one : findings) EXPECT_EQ(one.scope, "rail") << one.text;
  }
}

TEST(Diagnosis, TwoFaultsAreBothNamed) {
  SimulatedRun run(Shape::all_to_all, 5, 2, 1);
  run.plant({.from = 1, .rail = 0, .loss = 0.02}).plant({.to = 4, .rail = 1, .loss = 0.02});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 2U) << texts(findings);
}

TEST(Diagnosis, OfNothingIsNothing) {
  EXPECT_TRUE(diagnose({}, {}).empty());
  const SimulatedRun run(Shape::ring, 2, 1, 1);
  EXPECT_TRUE(diagnose(run.ranks(), {results::CollectiveRow{}}).empty());
}

TEST(Diagnosis, IsASentenceWithWhereWhyAndWhatToDo) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  run.plant({.from = 2, .rail = 1, .loss = 0.01});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 1U);
  for (const char* part : {"rank 2 (host2) -> rank 3 (host3) on rail 1 (soft1)", "packet loss",
                           "150 gaps", "check cable and port of host2 soft1"}) {
    EXPECT_NE(findings[0].text.find(part), std::string::npos) << findings[0].text;
  }
}

}  // namespace
}  // namespace railgauge::diagnosis
