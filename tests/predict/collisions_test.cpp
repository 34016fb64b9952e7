#include "predict/collisions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace railgauge::predict {
namespace {

/// Step efficiency in per cent of queue pairs over links as fast as the NIC, or 1/`slower` of it.
double step_percent(double nics, double links, double leaves, double pairs, double slower = 1) {
  return 100 * pairs / slower / expected_most(nics * pairs, links, leaves * links);
}

TEST(Collisions, Of8192NicsFollowTheClosedForm) {
  EXPECT_NEAR(step_percent(64, 64, 128, 1), 15.5, 0.1);
  EXPECT_NEAR(step_percent(64, 64, 128, 4), 29.8, 0.1);
  EXPECT_NEAR(step_percent(64, 64, 128, 16), 48.3, 0.1);
  EXPECT_NEAR(step_percent(64, 64, 128, 64), 66.5, 0.1);
}

TEST(Collisions, Of262144NicsOver100GLinksFollowTheClosedForm) {
  EXPECT_NEAR(step_percent(64, 256, 8 * 512, 4, 4), 11.4, 0.2);
  EXPECT_NEAR(step_percent(64, 256, 8 * 512, 16, 4), 23.6, 0.2);
  EXPECT_NEAR(step_percent(64, 256, 8 * 512, 64, 4), 41.2, 0.2);
}

TEST(Collisions, OfAZoneWith32QueuePairsAreNearThePublishedWorstCase) {
  // Gangidi et al., SIGCOMM 2024: 52 % of roofline at worst; the mean is above it.
  EXPECT_NEAR(step_percent(16, 16, 2 * 192, 32), 59.1, 0.2);  // uplinks and downlinks
}

TEST(Collisions, OfAThousandFlowsOn16LinksExceedTheMeanAsPublished) {
  EXPECT_NEAR(expected_most(1000, 16, 16) / (1000.0 / 16), 1.228, 0.01);  // published: > 1.2
}

TEST(Collisions, AgreeWithDrawnOnes) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::size_t> link(0, 15);
  double sum = 0;
  constexpr int kTimes = 400;
  for (int time = 0; time < kTimes; ++time) {
    int most = 0;
    for (int leaf = 0; leaf < 8; ++leaf) {
      std::vector<int> flows(16);
      for (int flow = 0; flow < 64; ++flow) most = std::max(most, ++flows[link(random)]);
    }
    sum += most;
  }
  EXPECT_NEAR(expected_most(64, 16, 8 * 16), sum / kTimes, 0.15);
}

TEST(Collisions, HaveLimits) {
  EXPECT_EQ(expected_most(0, 16, 16), 0);
  EXPECT_EQ(expected_most(5, 1, 3), 5);
  EXPECT_NEAR(expected_most(1, 16, 16), 1, 0.4);
}

}  // namespace
}  // namespace railgauge::predict
