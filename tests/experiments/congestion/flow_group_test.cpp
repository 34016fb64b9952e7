#include "experiments/congestion/flow_group.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

/// A sender of 400 Gb/s and a receiver of 200 Gb/s.
AllNics of_two_speeds() {
  std::vector<results::Rank> ranks;
  for (const double gigabits : {400.0, 200.0}) {
    results::Rank rank{.host = "host" + std::to_string(ranks.size())};
    rank.rails.push_back({.device = "mlx5_0", .link_gigabits_per_second = gigabits});
    ranks.push_back(rank);
  }
  return nics_of(ranks);
}

TEST(OfferedRate, OfALoadIsAPartOfTheReceiversLink) {
  const AllNics all = of_two_speeds();
  const double link = payload_rate(all.nics[1]);
  EXPECT_NEAR(link, 24.5, 0.1);
  EXPECT_DOUBLE_EQ(offered_rate({.from = 0, .to = 1, .load = 0.6}, all), 0.6 * link);
}

TEST(OfferedRate, WithoutALoadIsTheSendersLink) {
  const AllNics all = of_two_speeds();
  EXPECT_DOUBLE_EQ(offered_rate({.from = 0, .to = 1}, all), payload_rate(all.nics[0]));
}

}  // namespace
}  // namespace railgauge::runner
