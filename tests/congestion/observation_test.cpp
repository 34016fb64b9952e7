#include "congestion/observation.hpp"

#include <gtest/gtest.h>

#include <array>

#include "incast.hpp"

namespace railgauge::congestion {
namespace {

TEST(JainIndex, IsOneOfEqualSharesAndAnNthIfOneHasAll) {
  EXPECT_DOUBLE_EQ(*jain_index(std::array{3.0, 3.0, 3.0}), 1);
  EXPECT_DOUBLE_EQ(*jain_index(std::array{4.0, 0.0, 0.0, 0.0}), 0.25);
  EXPECT_FALSE(jain_index(std::array{0.0, 0.0}));
  EXPECT_FALSE(jain_index({}));
}

TEST(Fairness, LeavesTheVictimOut) {
  Step step = incast(2);
  EXPECT_DOUBLE_EQ(*fairness(step), 1);
  step.flows.push_back({.from = nic_of(1), .to = nic_of(2), .victim = true, .gbps = 100});
  EXPECT_DOUBLE_EQ(*fairness(step), 1);
  EXPECT_FALSE(fairness(incast(0.5, 1)));
}

}  // namespace
}  // namespace railgauge::congestion
