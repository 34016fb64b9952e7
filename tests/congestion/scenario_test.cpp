#include "congestion/scenario.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

namespace railgauge::congestion {
namespace {

Ground hosts(std::size_t count, std::vector<double> loads = {2}) {
  Ground ground{.nics = std::vector<std::size_t>(count), .loads = std::move(loads)};
  std::iota(ground.nics.begin(), ground.nics.end(), 0);
  return ground;
}

std::vector<PlannedStep> planned(Scenario scenario, const Ground& ground) {
  return facts_of(scenario).steps(ground);
}

TEST(Incast, BeginsWithOneSenderAndTwoAtHalfLoad) {
  const auto steps = planned(Scenario::incast, hosts(5));
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].load, 0.5);
  EXPECT_EQ(steps[0].flows, (std::vector<PlannedFlow>{{.from = 1, .to = 0, .load = 0.5}}));
  EXPECT_EQ(steps[0].name, "1 sender, load 0.5");
  EXPECT_EQ(steps[1].flows, (std::vector<PlannedFlow>{{.from = 1, .to = 0, .load = 0.3},
                                                      {.from = 2, .to = 0, .load = 0.2}}));
  EXPECT_EQ(steps[1].name, "2 senders, load 0.5");
  EXPECT_EQ(planned(Scenario::incast, hosts(3)).size(), 2U) << "both are all";
}

TEST(Incast, SharesEachLoadAndTakesTheLowerFirst) {
  const auto steps = planned(Scenario::incast, hosts(5, {kMostLoad, 1.2, 9, 0.9}));
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_EQ(steps[2].load, 0.9);
  EXPECT_EQ(steps[3].load, 1.2);
  ASSERT_EQ(steps[3].flows.size(), 4U);
  EXPECT_DOUBLE_EQ(steps[3].flows[3].load, 0.3);
  EXPECT_EQ(steps[4].load, 4) << "as many as there are senders, once";
  EXPECT_EQ(steps[4].flows[0].load, 0) << "as fast as it can";
}

TEST(Victim, IsMeasuredAloneThenNextToTheOthers) {
  const auto steps = planned(Scenario::victim, hosts(5));
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].flows, (std::vector<PlannedFlow>{{.from = 4, .to = 1, .victim = true}}));
  EXPECT_EQ(steps[0].load, 0);
  ASSERT_EQ(steps[1].flows.size(), 4U);
  EXPECT_EQ(steps[1].load, 3);
  EXPECT_EQ(steps[1].flows.back(), steps[0].flows.front());
}

TEST(Victim, NeedsThreeSenders) {
  EXPECT_TRUE(planned(Scenario::victim, hosts(3)).empty());
}

TEST(Burst, IsRepeatedAsOftenAsHalfOfTheStepHasRoomFor) {
  Ground ground = hosts(5);
  ground.most_burst = 256;
  ground.step_messages = 256;
  const auto steps = planned(Scenario::burst, ground);
  ASSERT_EQ(steps.size(), 9U);
  EXPECT_EQ(steps[0].name, "4 senders, 1 message each, 50 times");
  EXPECT_EQ(steps[0].flows[0],
            (PlannedFlow{.from = 1, .to = 0, .load = 0.125, .messages = 50, .burst = 1}));
  EXPECT_EQ(steps[4].name, "4 senders, 16 messages each, 8 times");
  EXPECT_EQ(steps[8].name, "4 senders, 256 messages each");
  EXPECT_EQ(steps[8].flows[0], (PlannedFlow{.from = 1, .to = 0, .messages = 256, .burst = 256}));
}

/// Of any number of hosts, with any numbers of queue pairs.
class Scenarios : public testing::TestWithParam<std::size_t> {};

TEST_P(Scenarios, UseTheNicsOfTheRunAndNeverSendToThemselves) {
  Ground ground = hosts(GetParam());
  ground.queue_pairs = {1, 4};
  ground.most_burst = 20;
  for (const ScenarioFacts& facts : scenarios()) {
    const auto steps = facts.steps(ground);
    EXPECT_TRUE(GetParam() < 4 || !steps.empty()) << facts.word;
    std::set<std::string> names;
    for (const PlannedStep& step : steps) {
      EXPECT_EQ(word(step.scenario), facts.word);
      EXPECT_TRUE(names.insert(step.name).second) << step.name;
      EXPECT_FALSE(step.flows.empty());
      for (const PlannedFlow& flow : step.flows) {
        EXPECT_NE(flow.from, flow.to) << step.name;
        EXPECT_LT(std::max(flow.from, flow.to), GetParam());
      }
    }
  }
}

TEST_P(Scenarios, ThatPermuteHaveEachNicSendAndReceiveOnce) {
  for (const Scenario scenario : {Scenario::permutation, Scenario::shift, Scenario::bisection}) {
    for (const PlannedStep& step : planned(scenario, hosts(GetParam()))) {
      std::set<std::size_t> from;
      std::set<std::size_t> to;
      for (const PlannedFlow& flow : step.flows) {
        EXPECT_TRUE(from.insert(flow.from).second);
        EXPECT_TRUE(to.insert(flow.to).second);
      }
      const std::size_t all = scenario == Scenario::bisection ? GetParam() / 2 * 2 : GetParam();
      EXPECT_EQ(from.size(), all) << step.name;
    }
  }
}

TEST_P(Scenarios, AllToAllHasEachPairOnce) {
  std::map<std::pair<std::size_t, std::size_t>, int> pairs;
  for (const PlannedStep& step : planned(Scenario::alltoall, hosts(GetParam()))) {
    EXPECT_LE(step.flows.size(), 4 * GetParam());
    for (const PlannedFlow& flow : step.flows) ++pairs[{flow.from, flow.to}];
  }
  EXPECT_EQ(pairs.size(), GetParam() * (GetParam() - 1));
  for (const auto& [pair, times] : pairs) EXPECT_EQ(times, 1);
}

INSTANTIATE_TEST_SUITE_P(Hosts, Scenarios, testing::Values(1, 2, 3, 5, 8, 13));

TEST(Permutation, IsRepeatedWithSpreadPaths) {
  const auto steps = planned(Scenario::permutation, hosts(8));
  ASSERT_EQ(steps.size(), 6U);
  EXPECT_FALSE(steps[0].spread);
  EXPECT_TRUE(steps[1].spread);
  EXPECT_EQ(steps[1].name, steps[0].name + ", spread");
  EXPECT_EQ(steps[1].flows, steps[0].flows);
  EXPECT_NE(steps[2].flows, steps[0].flows) << "another one";
  EXPECT_EQ(planned(Scenario::permutation, hosts(8))[0].flows, steps[0].flows) << "in each run";
}

}  // namespace
}  // namespace railgauge::congestion
