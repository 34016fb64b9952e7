#include "experiments/collective/path_spread.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

/// Ranks on hosts of these names, with a port on rail 0 at 192.0.2.N, which is no address of any
/// host (RFC 5737).
std::vector<results::Rank> ranks_on(const std::vector<std::string>& hosts) {
  std::vector<results::Rank> ranks;
  for (const std::string& host : hosts) {
    results::Rank& rank = ranks.emplace_back();
    rank.rank = static_cast<int>(ranks.size()) - 1;
    rank.host = host;
    results::RankRail port;
    port.address = "192.0.2." + std::to_string(ranks.size());
    rank.rails.push_back(port);
  }
  return ranks;
}

TEST(PathSpread, LeavesRanksOfOneHostAlone) {
  const auto ranks = ranks_on({"host0", "host0"});
  PathSpread spread(ranks, 0);
  EXPECT_EQ(spread.label(1, ranks[0].rails[0], 0, 0), 0U);
  EXPECT_TRUE(spread.take_notes().empty());
}

TEST(PathSpread, LeavesPeersWithoutThatRailAlone) {
  const auto ranks = ranks_on({"host0", "host1"});
  PathSpread spread(ranks, 0);
  results::RankRail other = ranks[0].rails[0];
  other.rail = 1;
  EXPECT_EQ(spread.label(1, other, 0, 0), 0U);
  EXPECT_TRUE(spread.take_notes().empty());
}

/// Ranks take turns over the hosts of two leaves: their addresses say which are below one.
TEST(PathSpread, SendersBeginInTheOrderOfTheirAddresses) {
  auto ranks = ranks_on({"host0", "host9", "host1", "host10", "host10"});
  const std::vector<std::string> addresses{"192.0.2.1", "192.0.2.9", "192.0.2.2", "192.0.2.10",
                                           "192.0.2.10"};
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    ranks[rank].rails[0].address = addresses[rank];
  results::RankRail other = ranks[0].rails[0];
  other.rail = 1;
  ranks[0].rails.push_back(other);
  const std::vector<std::size_t> turns{0, 2, 1, 3, 4};
  for (transport::Rank rank = 0; rank < ranks.size(); ++rank)
    EXPECT_EQ(turn_of(ranks, rank, ranks[rank].rails[0]), turns[rank]);
  EXPECT_EQ(turn_of(ranks, 0, other), 0U);
}

/// The driver chooses then, and the run goes on.
TEST(PathSpread, SaysOnceWhyPathsCannotBeTraced) {
  const auto ranks = ranks_on({"host0", "host1"});
  PathSpread spread(ranks, 0);
  for (unsigned number = 0; number < 4; ++number)
    EXPECT_EQ(spread.label(1, ranks[0].rails[0], 0, number), 0U);
  const auto notes = spread.take_notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].find("--spread-paths has no effect from 192.0.2.1 to 192.0.2.2: "), 0U);
  EXPECT_NE(notes[0].find("is no address of this host"), std::string::npos);
  EXPECT_TRUE(spread.take_notes().empty());
}

TEST(PathSpread, SaysOnceWhenceSourcePortsAre) {
  const auto ranks = ranks_on({"host0", "host1"});
  PathSpread spread(ranks, 0);
  spread.connected(verbs::SourcePort::by_driver);
  EXPECT_TRUE(spread.take_notes().empty());
  for (int pair = 0; pair < 2; ++pair) spread.connected(verbs::SourcePort::set);
  const auto set = spread.take_notes();
  ASSERT_EQ(set.size(), 1U);
  EXPECT_NE(set[0].find("were set by mlx5dv_modify_qp_udp_sport()"), std::string::npos);
  for (int pair = 0; pair < 2; ++pair) spread.connected(verbs::SourcePort::assumed);
  const auto assumed = spread.take_notes();
  ASSERT_EQ(assumed.size(), 1U);
  EXPECT_NE(assumed[0].find("are assumed"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::runner
