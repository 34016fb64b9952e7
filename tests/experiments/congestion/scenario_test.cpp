#include "experiments/congestion/scenario.hpp"

#include <gtest/gtest.h>

#include <array>

namespace railgauge::runner {
namespace {

constexpr std::array<std::size_t, 4> kSenders{1, 2, 3, 4};

TEST(Incast, BeginsWithOneSenderAtHalfLoad) {
  const auto steps = incast(kSenders, 0, {2});
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].load, 0.5);
  EXPECT_EQ(steps[0].flows, (std::vector<PlannedFlow>{{.from = 1, .to = 0, .load = 0.5}}));
  EXPECT_EQ(steps[0].name, "1 sender, load 0.5");
}

TEST(Incast, SharesEachLoadAndTakesTheLowerFirst) {
  const auto steps = incast(kSenders, 0, {kMostLoad, 1.2, 9, 0.9});
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[1].load, 0.9);
  EXPECT_EQ(steps[2].load, 1.2);
  ASSERT_EQ(steps[2].flows.size(), 4U);
  EXPECT_DOUBLE_EQ(steps[2].flows[3].load, 0.3);
  EXPECT_EQ(steps[3].load, 4) << "as many as there are senders, once";
  EXPECT_EQ(steps[3].flows[0].load, 0) << "as fast as it can";
}

TEST(Victim, IsMeasuredAloneThenNextToTheOthers) {
  const auto steps = victim(kSenders, 0);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].flows, (std::vector<PlannedFlow>{{.from = 4, .to = 1, .victim = true}}));
  EXPECT_EQ(steps[0].load, 0);
  ASSERT_EQ(steps[1].flows.size(), 4U);
  EXPECT_EQ(steps[1].load, 3);
  EXPECT_EQ(steps[1].flows.back(), steps[0].flows.front());
}

TEST(Victim, NeedsThreeSenders) {
  EXPECT_TRUE(victim(std::span(kSenders).first(2), 0).empty());
}

}  // namespace
}  // namespace railgauge::runner
