#include "runner/collective/path_spread.hpp"

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
