#include "reachability/meetings.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace railgauge::reachability {
namespace {

class Circle : public ::testing::TestWithParam<int> {};

TEST_P(Circle, EveryTwoMeetOnceAndNobodyTwoAtATime) {
  const int players = GetParam();
  std::map<std::pair<int, int>, int> met;
  for (int round = 0; round < round_robin_rounds(players); ++round) {
    std::set<int> busy;
    for (const Match& match : round_robin(players, round)) {
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
  EXPECT_EQ(round_robin_rounds(1), 0);
  EXPECT_EQ(round_robin_rounds(0), 0);
}

TEST(Circle, HasAsFewRoundsAsThereCanBe) {
  EXPECT_EQ(round_robin_rounds(8), 7);
  EXPECT_EQ(round_robin_rounds(7), 7);
}

using Rails = std::vector<int>;
using Key = std::pair<int, int>;

/// How often each two met; none may be in two meetings of a round.
std::map<std::set<Key>, int> meet_all(const Rails& rails, Scope scope) {
  std::map<std::set<Key>, int> met;
  for (int round = 0; round < meeting_rounds(rails, scope); ++round) {
    std::set<Key> busy;
    for (const Meeting& meeting : meetings(rails, scope, round)) {
      const Key first{meeting.first.host, meeting.first.rail};
      const Key second{meeting.second.host, meeting.second.rail};
      EXPECT_NE(first.first, second.first) << "of one host";
      EXPECT_TRUE(busy.insert(first).second) << "round " << round;
      EXPECT_TRUE(busy.insert(second).second) << "round " << round;
      EXPECT_LT(second.second, rails.at(static_cast<std::size_t>(second.first)));
      ++met[{first, second}];
    }
  }
  for (const auto& [pair, times] : met) EXPECT_EQ(times, 1);
  return met;
}

std::size_t pairs_of(const Rails& rails) {
  int pairs = 0;
  for (std::size_t i = 0; i < rails.size(); ++i) {
    pairs += rails[i] * std::accumulate(rails.begin() + static_cast<int>(i) + 1, rails.end(), 0);
  }
  return static_cast<std::size_t>(pairs);
}

class Meetings : public ::testing::TestWithParam<Rails> {};

TEST_P(Meetings, EveryTwoNicsOfDifferentHostsMeetOnce) {
  EXPECT_EQ(meet_all(GetParam(), Scope::all_rails).size(), pairs_of(GetParam()));
}

TEST_P(Meetings, OfOneRailOnlyThese) {
  for (const auto& [pair, times] : meet_all(GetParam(), Scope::same_rail)) {
    EXPECT_EQ(pair.begin()->second, pair.rbegin()->second);
  }
}

INSTANTIATE_TEST_SUITE_P(Hosts, Meetings,
                         ::testing::Values(Rails{1}, Rails{1, 1}, Rails{1, 1, 1}, Rails(5, 1),
                                           Rails(6, 1), Rails(7, 1), Rails(8, 1), Rails(12, 1),
                                           Rails(13, 1), Rails{2, 2}, Rails{2, 2, 2}, Rails(8, 8),
                                           Rails(5, 4), Rails{2, 1}, Rails{1, 2, 3},
                                           Rails{4, 0, 3, 4}));

TEST(Meetings, TakeAsManyRoundsAsANicHasPeers) {
  EXPECT_EQ(meeting_rounds(Rails(8, 8), Scope::all_rails), 56);
  EXPECT_EQ(meeting_rounds(Rails(8, 8), Scope::same_rail), 7);
}

TEST(Meetings, KeepEveryNicBusy) {
  EXPECT_EQ(meetings(Rails(8, 8), Scope::all_rails, 13).size(), 32U);
}

}  // namespace

}  // namespace railgauge::reachability
