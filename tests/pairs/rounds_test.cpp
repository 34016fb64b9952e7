#include "pairs/rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "fabric_of_pairs.hpp"

namespace railgauge::pairs {
namespace {

std::vector<std::size_t> themselves(const Hosts& hosts) {
  std::vector<std::size_t> players(hosts.nics.size());
  std::iota(players.begin(), players.end(), std::size_t{0});
  return players;
}

std::vector<Round> expect_conflict_free(const std::vector<Pair>& pairs,
                                        const std::vector<std::size_t>& player_of) {
  const std::vector<Round> rounds = rounds_of(pairs, player_of);
  std::size_t count = 0;
  for (const Round& round : rounds) {
    std::set<std::size_t> busy;
    EXPECT_FALSE(round.empty());
    for (const Pair& pair : round) {
      EXPECT_TRUE(busy.insert(player_of[pair.first]).second);
      EXPECT_TRUE(busy.insert(player_of[pair.second]).second);
      EXPECT_NE(std::ranges::find(pairs, pair), pairs.end());
    }
    count += round.size();
  }
  EXPECT_EQ(count, pairs.size());
  return rounds;
}

TEST(RoundRobin, EveryTwoMeetOnceAndNobodyTwoAtATime) {
  for (const std::size_t players : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 12U, 13U, 64U}) {
    std::set<std::pair<std::size_t, std::size_t>> met;
    const auto rounds = round_robin(players);
    EXPECT_EQ(rounds.size(), players - 1 + players % 2);
    for (const Round& round : rounds) {
      std::set<std::size_t> busy;
      for (const Pair& pair : round) {
        EXPECT_LT(std::max(pair.first, pair.second), players);
        EXPECT_TRUE(busy.insert(pair.first).second && busy.insert(pair.second).second);
        EXPECT_TRUE(met.insert(std::minmax(pair.first, pair.second)).second) << "twice";
      }
      EXPECT_EQ(busy.size(), players - players % 2);
    }
    EXPECT_EQ(met.size(), players * (players - 1) / 2);
  }
}

TEST(RoundRobin, HasNoRoundForOne) {
  EXPECT_TRUE(round_robin(1).empty());
  EXPECT_TRUE(round_robin(0).empty());
}

TEST(Rounds, AllNicsOfARailTakeTheFewestThereCanBe) {
  for (const auto& [count, least] : std::vector<std::pair<std::size_t, std::size_t>>{
           {2, 1}, {3, 3}, {4, 3}, {7, 7}, {8, 7}, {64, 63}}) {
    const Hosts hosts(count, 4);
    const auto rounds =
        expect_conflict_free(pairs_of(hosts.nics, hosts.host_of, {}), themselves(hosts));
    EXPECT_EQ(rounds.size(), least) << count;
  }
}

TEST(Rounds, SixtyFourNicsOfEightHostsMeetInFiftySix) {
  const Hosts hosts(8, 8);
  const auto pairs = pairs_of(hosts.nics, hosts.host_of, {.cross_rail = true});
  EXPECT_EQ(expect_conflict_free(pairs, themselves(hosts)).size(), 56U);
}

TEST(Rounds, AHostMayBeThePlayer) {
  const Hosts hosts(4, 3);
  const auto pairs = pairs_of(hosts.nics, hosts.host_of, {});
  EXPECT_EQ(expect_conflict_free(pairs, hosts.host_of).size(), 9U);
}

TEST(Rounds, ARingOfManyHostsTakesTwoOrThree) {
  for (const std::size_t count : {64U, 65U}) {
    const Hosts hosts(count, 2);
    const auto pairs = pairs_of(hosts.nics, hosts.host_of, {.kind = Selection::Kind::ring});
    EXPECT_LE(expect_conflict_free(pairs, themselves(hosts)).size(), 3U);
  }
}

TEST(Rounds, OfNothingAreNone) {
  EXPECT_TRUE(rounds_of({}, {}).empty());
}

using Groups = std::vector<std::vector<std::size_t>>;

TEST(GroupsApart, ShareNoLink) {
  const Links up{{"leaf0", "spine0"}};
  const Links both{{"leaf0", "spine0"}, {"spine0", "leaf1"}};
  const Links down{{"spine0", "leaf1"}};
  const Links other{{"leaf0", "spine1"}};
  EXPECT_EQ(groups_apart({up, up}), (Groups{{0}, {1}}));
  EXPECT_EQ(groups_apart({both, up, down}), (Groups{{0}, {1, 2}}));
  EXPECT_EQ(groups_apart({up, other, up, other}), (Groups{{0, 1}, {2, 3}}));
}

TEST(GroupsApart, AreOneWhereNoLinkIsSharedOrKnown) {
  EXPECT_EQ(groups_apart({{{"leaf0", "spine0"}}, {{"spine0", "leaf0"}}, {}, {}}),
            (Groups{{0, 1, 2, 3}}));
  EXPECT_TRUE(groups_apart({}).empty());
}

}  // namespace
}  // namespace railgauge::pairs
