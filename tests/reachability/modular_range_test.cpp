#include "reachability/modular_range.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace railgauge::reachability {
namespace {

class Circle : public ::testing::TestWithParam<int> {};

TEST_P(Circle, EveryTwoMeetOnceAndNobodyTwoAtATime) {
  const int players = GetParam();
  std::map<std::pair<int, int>, int> met;
  for (int round = 0; round < circle_rounds(players); ++round) {
    std::set<int> busy;
    for (const Match& match : circle_round(players, round)) {
      for (const int player : {match.first, match.second}) {
        EXPECT_TRUE(player >= 0 && player < players);
        EXPECT_TRUE(busy.insert(player).second) << "round " << round << ": " << player;
      }
      ++met[std::minmax(match.first, match.second)];
    }
    EXPECT_EQ(busy.size(), static_cast<std::size_t>(players - players % 2));
  }
  EXPECT_EQ(met.size(), static_cast<std::size_t>(players * (players - 1) / 2));
  for (const auto& [pair, times] : met) EXPECT_EQ(times, 1) << pair.first << " " << pair.second;
}

INSTANTIATE_TEST_SUITE_P(Players, Circle, ::testing::Values(2, 3, 4, 5, 6, 7, 8, 12, 13, 64));

TEST(Circle, HasNoRoundForOne) {
  EXPECT_EQ(circle_rounds(1), 0);
  EXPECT_EQ(circle_rounds(0), 0);
}

TEST(Circle, HasAsFewRoundsAsThereCanBe) {
  EXPECT_EQ(circle_rounds(8), 7);
  EXPECT_EQ(circle_rounds(7), 7);
}

}  // namespace
}  // namespace railgauge::reachability
