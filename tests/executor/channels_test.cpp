#include "executor/channels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "schedule/algorithms.hpp"

namespace railgauge::executor {
namespace {

using schedule::Rank;
using transport::ChannelRequest;

TEST(Channels, LeadToBothNeighboursOnEveryRail) {
  EXPECT_EQ(channels_of(schedule::ring_all_reduce(5), 0, Stripes{2, 1}),
            (std::vector<ChannelRequest>{{1, 0}, {1, 1}, {4, 0}, {4, 1}}));
  EXPECT_EQ(channels_of(schedule::ring_all_reduce(2), 1, Stripes{}),
            (std::vector<ChannelRequest>{{0, 0}}));
  EXPECT_TRUE(channels_of(schedule::ring_all_reduce(1), 0, Stripes{2, 1}).empty());
}

TEST(Channels, AreAsManyOnARailAsThereAreQueuePairs) {
  EXPECT_EQ(channels_of(schedule::ring_all_reduce(2), 0, Stripes{2, 2}),
            (std::vector<ChannelRequest>{{1, 0}, {1, 1}, {1, 0}, {1, 1}}));
}

TEST(Channels, OfSeveralSchedulesAreSharedByThem) {
  const std::array schedules{schedule::ring_all_reduce(4),
                             schedule::halving_doubling_all_reduce(4)};
  EXPECT_EQ(channels_of(schedules, 0, std::array{Stripes{}, Stripes{}}),
            (std::vector<ChannelRequest>{{1, 0}, {2, 0}, {3, 0}}));
}

/// Taken from the end: the next rank, and so on around the circle.
TEST(Channels, BeginWithTheNextRank) {
  const auto peers_of = [](Rank rank) {
    const auto channels = channels_of(schedule::pairwise_all_to_all(5), rank, Stripes{2, 1});
    std::vector<Rank> peers;
    for (const auto channel : from_farthest(channels, rank))
      peers.push_back(channels[channel].peer);
    std::ranges::reverse(peers);
    return peers;
  };
  EXPECT_EQ(peers_of(0), (std::vector<Rank>{1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(peers_of(2), (std::vector<Rank>{3, 3, 4, 4, 0, 0, 1, 1}));
  EXPECT_EQ(peers_of(4), (std::vector<Rank>{0, 0, 1, 1, 2, 2, 3, 3}));
}

/// Both ends have to number what is between them alike: the k-th channel of one is the k-th of the
/// other.
TEST(Channels, MeetTheSameChannelsOfThePeer) {
  const std::array schedules{schedule::ring_all_reduce(13), schedule::two_tree_all_reduce(13)};
  const Stripes stripes{2, 3};
  for (Rank rank = 0; rank < 13; ++rank) {
    const auto ours = channels_of(schedules, rank, std::array{stripes, stripes});
    for (Rank peer = 0; peer < 13; ++peer) {
      for (const unsigned rail : {0U, 1U}) {
        const auto theirs = channels_of(schedules, peer, std::array{stripes, stripes});
        EXPECT_EQ(std::ranges::count(ours, ChannelRequest{peer, rail}),
                  std::ranges::count(theirs, ChannelRequest{rank, rail}));
      }
    }
  }
}

/// Ranks 0 to 3 take rails 0 and 1 among themselves, 4 to 7 the others; all four to those of the
/// other half.
Stripes halves(Rank rank) {
  Stripes stripes{4, 2};
  const bool first = rank < 4;
  stripes.fewer.rails = first ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{2, 3};
  for (Rank peer = 0; peer < 8; ++peer) stripes.fewer.peers.push_back((peer < 4) == first);
  return stripes;
}

TEST(Channels, OverFewerRailsCarryTheSameStripes) {
  const auto ring = schedule::ring_all_reduce(8);
  const auto on = [&](Rank rank, const ChannelRequest& wanted) {
    return std::ranges::count(channels_of(ring, rank, halves(rank)), wanted);
  };
  EXPECT_EQ(on(1, {2, 0}), 4);
  EXPECT_EQ(on(1, {2, 3}), 0);
  EXPECT_EQ(on(3, {4, 0}), 2);
  EXPECT_EQ(on(4, {3, 0}), 2);
  EXPECT_EQ(on(5, {6, 3}), 4);
}

/// One of two schedules takes fewer rails: the transport has what either needs.
TEST(Channels, OfSchedulesWithDifferentRailsServeBoth) {
  const std::array schedules{schedule::ring_all_reduce(8), schedule::two_tree_all_reduce(8)};
  const auto of = [&](Rank rank) {
    return channels_of(schedules, rank, std::array{halves(rank), Stripes{4, 2}});
  };
  for (Rank rank = 0; rank < 8; ++rank) {
    const auto ours = of(rank);
    EXPECT_NO_THROW(ChannelMap(schedules[0], rank, halves(rank), ours));
    EXPECT_NO_THROW(ChannelMap(schedules[1], rank, {4, 2}, ours));
    for (const ChannelRequest& one : ours)
      EXPECT_EQ(std::ranges::count(ours, one),
                std::ranges::count(of(one.peer), ChannelRequest{rank, one.rail}));
  }
}

TEST(Channels, OfAThreadsShareAreOnItsRails) {
  const Stripes part = RailShare{1, 2}.part_of(halves(5));
  EXPECT_EQ(part.rails, 2U);
  EXPECT_EQ(part.fewer.rails, std::vector<unsigned>{1});  // rail 3 of all
  EXPECT_EQ(part.rail(0, 6), 1U);
  EXPECT_EQ(part.rail(0, 1), 0U);
}

/// Of 8,192 ranks, one queue pair each: a rank of a ring has two, of two binary trees at most three
/// a tree, and in halving and doubling log2(n).
TEST(Channels, GrowByTheLogarithmOfTheRanksAtMost) {
  constexpr Rank kRanks = 8192;
  constexpr std::size_t kLogarithm = 13;
  const auto ring = schedule::ring_all_reduce(kRanks);
  const auto trees = schedule::two_tree_all_reduce(kRanks);
  const auto halving = schedule::halving_doubling_all_reduce(kRanks);
  for (const Rank rank : {0U, 1U, 63U, 4095U, 4096U, 8190U, 8191U}) {
    EXPECT_EQ(channels_of(ring, rank, Stripes{}).size(), 2U);
    EXPECT_LE(channels_of(trees, rank, Stripes{}).size(), 6U);
    EXPECT_EQ(channels_of(halving, rank, Stripes{}).size(), kLogarithm);
  }
}

TEST(Channels, OfTreesAreOneATree) {
  const auto schedule = schedule::two_tree_all_reduce(2);
  const std::vector<ChannelRequest> channels = channels_of(schedule, 0, Stripes{});
  EXPECT_EQ(channels, (std::vector<ChannelRequest>{{1, 0}, {1, 0}}));
  const ChannelMap map(schedule, 0, {}, channels);
  EXPECT_NE(map.channel(1, 0, 0), map.channel(1, 0, 1));
}

TEST(Channels, HaveToBeThere) {
  const std::vector<ChannelRequest> channels{{1, 0}};
  EXPECT_THROW(ChannelMap(schedule::two_tree_all_reduce(2), 0, {}, channels), std::logic_error);
}

TEST(Stripes, AreNotSmallerThanIsWorthIt) {
  const Stripes stripes{4, 2, 1000};
  EXPECT_EQ(stripes.used(0), 1U);
  EXPECT_EQ(stripes.used(1999), 1U);
  EXPECT_EQ(stripes.used(3000), 3U);
  EXPECT_EQ(stripes.used(1'000'000), 8U);
  EXPECT_EQ((Stripes{4, 2, 0}.used(0)), 8U);
  EXPECT_EQ(stripes.rail(5), 1U);
}

}  // namespace
}  // namespace railgauge::executor
