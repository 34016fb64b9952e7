#include "paths/trace.hpp"

#include <gtest/gtest.h>

#include "paths/fake_fabric.hpp"
#include "paths/spread.hpp"

namespace railgauge::paths {
namespace {

using Hops = std::vector<std::optional<topology::IpAddress>>;

TEST(Trace, TellsThePathOfEverySourcePort) {
  FakeFabric fabric;
  const Trace found = trace(fabric, {.source_ports = ports(64)});
  EXPECT_EQ(found.switches, 3);
  EXPECT_EQ(found.balance, Balance::by_port);
  ASSERT_EQ(found.paths.size(), 64U);
  for (const PortPath& path : found.paths) {
    const int spine = fabric.spine_of({path.source_port, 2, 0});
    EXPECT_EQ(path.switches,
              (Hops{switch_address(1, 0), switch_address(2, spine), switch_address(3, 0)}));
  }
}

/// A probe that came to the NIC would be a broken RoCE packet there.
TEST(Trace, SendsNothingToThePeersRocePort) {
  for (const int switches : {0, 1, 2, 3, 5}) {
    FakeFabric fabric;
    fabric.switches = switches;
    static_cast<void>(trace(fabric, {.source_ports = ports(16)}));
    EXPECT_EQ(fabric.farthest_to_roce(), switches);
  }
}

/// The nearest probe that the peer would answer is the one whose answer is lost.
TEST(Trace, DoesNotTakeALostAnswerOfThePeerForASilentSwitch) {
  FakeFabric fabric;
  fabric.peer_answers_lost = 1;
  EXPECT_EQ(trace(fabric, {.source_ports = ports(16)}).switches, 3);
  EXPECT_EQ(fabric.farthest_to_roce(), 3);
}

/// However often: what is behind the last switch that answers may be the NIC.
/// Six at once, and then one a second: how often may it be asked?
TEST(Trace, TakesOneAnswerOfThePeerOverThreeSwitches) {
  FakeFabric fabric;
  fabric.peer_answers_left = 1;
  EXPECT_EQ(trace(fabric, {.source_ports = ports(8)}).switches, 3);
  EXPECT_EQ(fabric.peer_answers_left, 0);
}

TEST(Trace, WaitsForAPeerThatHasUsedUpItsAnswers) {
  for (const int switches : {1, 2, 3, 5, 7}) {
    FakeFabric fabric;
    fabric.switches = switches;
    fabric.peer_answers_left = 0;
    const Trace found = trace(fabric, {.source_ports = ports(8)});
    EXPECT_EQ(found.switches, switches);
    EXPECT_EQ(found.heard, switches);
  }
}

TEST(Trace, SendsNothingBehindTheLastSwitchThatAnswers) {
  FakeFabric fabric;
  fabric.lost_arrivals[4] = 1000;
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.switches, 4);
  EXPECT_TRUE(last_is_unheard(found));
  EXPECT_EQ(fabric.farthest_to_roce(), 3);
  for (const PortPath& path : found.paths) {
    ASSERT_EQ(path.switches.size(), 4U);
    EXPECT_FALSE(path.switches[3].has_value());
  }
}

TEST(Trace, AsksAgainWhileTheLastPlaceIsUnheard) {
  FakeFabric fabric;
  fabric.lost_arrivals[4] = 5;
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.switches, 3);
  EXPECT_FALSE(last_is_unheard(found));
}

/// A last switch that is silent is as before: a place of which nothing is known.
TEST(Trace, GoesOverASilentLastSwitch) {
  FakeFabric fabric;
  fabric.silent = {3};
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.switches, 3);
  EXPECT_TRUE(last_is_unheard(found));
  EXPECT_EQ(found.balance, Balance::by_port);
  EXPECT_EQ(found.paths[0].switches.size(), 3U);
  EXPECT_EQ(distinct_paths(found).ports.size(), 4U);
}

/// Nor does a path that loses everything make the way look longer, or shorter.
TEST(Trace, MeasuresTheDistanceOverOtherPaths) {
  FakeFabric fabric;
  fabric.dead_spines = {0, 1};
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.switches, 3);
  EXPECT_EQ(fabric.farthest_to_roce(), 3);
}

/// Then only as far as switches are known to be: the last answer may not have been the last switch.
TEST(Trace, OfAPeerThatDoesNotAnswerEndsAtTheLastSwitchThatDoes) {
  FakeFabric fabric;
  fabric.peer_answers = false;
  fabric.silent = {3};
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_FALSE(found.switches.has_value());
  EXPECT_EQ(fabric.farthest_to_roce(), 2);
  EXPECT_EQ(found.balance, Balance::by_port);
}

TEST(Trace, WithoutRoutersTellsNothing) {
  FakeFabric fabric;
  fabric.switches = 0;
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.switches, 0);
  EXPECT_EQ(found.balance, Balance::unknown);
}

TEST(Trace, OverOneSwitchHasOnePath) {
  FakeFabric fabric;
  fabric.switches = 1;
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.balance, Balance::single);
  EXPECT_EQ(distinct_paths(found).ports.size(), 1U);
}

TEST(Trace, WithoutAnyAnswerEnds) {
  FakeFabric fabric;
  fabric.peer_answers = false;
  fabric.silent = {1, 2, 3};
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.balance, Balance::unknown);
  EXPECT_EQ(fabric.farthest_to_roce(), 0);
}

TEST(Trace, AsksAgainWhatWasNotAnswered) {
  FakeFabric fabric;
  fabric.answers_every = 2;  // and so at the second time, for an odd number of probes
  const Trace found = trace(fabric, {.source_ports = ports(15)});
  EXPECT_EQ(found.balance, Balance::by_port);
  EXPECT_GE(15 - distinct_paths(found).incomplete.size(), 10U);
}

/// Of what some have answered nothing is left open: tests over a way that is not known say little.
TEST(Trace, AsksOnWhereOthersWereAnswered) {
  FakeFabric fabric;
  fabric.answers_every = 2;
  const Trace found = trace(fabric, {.source_ports = ports(15), .with_controls = false});
  EXPECT_TRUE(distinct_paths(found).incomplete.empty());
}

TEST(Trace, SeesThatTheQueuePairDecides) {
  FakeFabric fabric;
  fabric.hashes_queue_pair = true;
  EXPECT_EQ(trace(fabric, {.source_ports = ports(16)}).balance, Balance::by_queue_pair);
}

/// The paths are the same; whether to believe them is not asked.
TEST(Trace, WithoutControlsBelievesWhatSwitchesSay) {
  FakeFabric fabric;
  fabric.hashes_queue_pair = true;
  const auto source_ports = ports(16);
  const Trace found = trace(fabric, {.source_ports = source_ports, .with_controls = false});
  EXPECT_EQ(found.balance, Balance::by_port);
  EXPECT_EQ(distinct_paths(found).ports, distinct_paths(trace(fabric, {source_ports})).ports);
}

/// Though of one port alone there is no other path to be seen.
TEST(Trace, OfOnePortSeesThatTheQueuePairDecides) {
  FakeFabric fabric;
  fabric.hashes_queue_pair = true;
  EXPECT_EQ(trace(fabric, {.source_ports = ports(1)}).balance, Balance::by_queue_pair);
}

TEST(Trace, TowardsAQueuePairIsThatOnes) {
  FakeFabric fabric;
  fabric.hashes_queue_pair = true;
  const Trace found = trace(fabric, {.source_ports = ports(16), .queue_pair = 77});
  EXPECT_EQ(found.balance, Balance::by_queue_pair);
  for (const PortPath& path : found.paths) {
    EXPECT_EQ(path.switches[1], switch_address(2, fabric.spine_of({path.source_port, 2, 77})));
  }
}

TEST(Trace, SeesSpraying) {
  FakeFabric fabric;
  fabric.sprays = true;
  EXPECT_EQ(trace(fabric, {.source_ports = ports(16)}).balance, Balance::sprayed);
}

/// The healthy twin: two paths only, and nothing varies.
TEST(Trace, DoesNotTakeTwoPathsForSpraying) {
  FakeFabric fabric;
  fabric.spines = 2;
  EXPECT_EQ(trace(fabric, {.source_ports = ports(16)}).balance, Balance::by_port);
}

/// Before the controls, between two of them, and in the middle of one.
TEST(Trace, DoesNotTakeARehashForSpraying) {
  int changed = 0;
  for (int probes = 20; probes < 200; ++probes) {
    FakeFabric fabric;
    fabric.rehashes_at = probes;
    const Trace found = trace(fabric, {.source_ports = ports(16)});
    EXPECT_EQ(found.balance, Balance::by_port) << "after " << probes;
    for (const PortPath& path : found.paths)
      changed += path.switches[1] != switch_address(2, fabric.spine_of({path.source_port, 2, 0}));
  }
  EXPECT_GT(changed, 0);
}

TEST(Trace, SeesSprayingOfOnePort) {
  FakeFabric fabric;
  fabric.sprays = true;
  EXPECT_EQ(trace(fabric, {.source_ports = ports(1)}).balance, Balance::sprayed);
}

TEST(Trace, ForgetsAnswersThatCameLate) {
  FakeFabric fabric;
  fabric.swaps_answers = true;
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.balance, Balance::by_port);
  for (const PortPath& path : found.paths) EXPECT_FALSE(path.switches[2].has_value());
}

TEST(Trace, LeavesOutPortsThatOthersHave) {
  FakeFabric fabric;
  fabric.busy = {49153, 49160};
  const Trace found = trace(fabric, {.source_ports = ports(16)});
  EXPECT_EQ(found.busy_ports, (std::vector<std::uint16_t>{49153, 49160}));
  EXPECT_EQ(found.paths.size(), 14U);
}

}  // namespace
}  // namespace railgauge::paths
