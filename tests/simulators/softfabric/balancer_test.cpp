#include "softfabric/balancer.hpp"

#include <gtest/gtest.h>

#include <map>

#include "softfabric/flow_hash.hpp"
#include "softfabric/rig.hpp"

namespace railgauge::softfabric {
namespace {

const NextHops kFour{{10, 11, 12, 13}, {100, 200, 300, 400}};
const std::vector<std::uint64_t> kNothingQueued(16);

Headers flow(std::uint16_t port, std::uint32_t queue_pair = 0) {
  return {.source = 1,
          .destination = 2,
          .source_port = port,
          .destination_port = 4791,
          .protocol = kUdp,
          .queue_pair = queue_pair};
}

Balancer balancer(Balance balance, std::uint64_t seed = 7) {
  return {balance, 500us, seed};
}

/// How often each wire was chosen for so many flows of a packet each.
std::map<Index, int> chosen(Balancer& one, const NextHops& hops, int flows) {
  std::map<Index, int> counts;
  for (int number = 0; number < flows; ++number) {
    ++counts[one.choose(hops, flow(static_cast<std::uint16_t>(number)), 0s, kNothingQueued)];
  }
  return counts;
}

TEST(Balancer, EcmpIsTheHashOfTheFiveTuple) {
  Balancer one = balancer(Balance::ecmp);
  for (std::uint16_t port = 0; port < 100; ++port) {
    for (const std::uint32_t queue_pair : {1U, 2U}) {
      EXPECT_EQ(one.choose(kFour, flow(port, queue_pair), 0s, kNothingQueued),
                kFour.wires[flow_hash(flow(port), 7) % 4]);
    }
  }
}

TEST(Balancer, EcmpSpreadsFlowsEvenly) {
  Balancer one = balancer(Balance::ecmp);
  for (const auto& [wire, count] : chosen(one, kFour, 40000)) EXPECT_NEAR(count, 10000, 400);
}

/// Otherwise a second tier would see the flows of one hash bucket only, and use one port.
TEST(Balancer, SeedsMakeChoicesIndependent) {
  Balancer first = balancer(Balance::ecmp, 7);
  Balancer second = balancer(Balance::ecmp, 8);
  std::map<Index, int> counts;
  for (int number = 0; number < 40000; ++number) {
    const Headers headers = flow(static_cast<std::uint16_t>(number));
    if (first.choose(kFour, headers, 0s, kNothingQueued) != 10) continue;
    ++counts[second.choose(kFour, headers, 0s, kNothingQueued)];
  }
  for (const auto& [wire, count] : counts) EXPECT_NEAR(count, 2500, 250);
}

TEST(Balancer, AShuffledSeedMovesFlows) {
  Balancer one = balancer(Balance::ecmp);
  int moved = 0;
  for (std::uint16_t port = 0; port < 1000; ++port) {
    one.set_seed(7);
    const Index before = one.choose(kFour, flow(port), 0s, kNothingQueued);
    one.set_seed(99);
    moved += one.choose(kFour, flow(port), 0s, kNothingQueued) != before ? 1 : 0;
  }
  EXPECT_NEAR(moved, 750, 60);
}

TEST(Balancer, WithTheQueuePairOneTupleIsManyFlows) {
  Balancer one = balancer(Balance::ecmp_queue_pair);
  std::map<Index, int> counts;
  for (std::uint32_t queue_pair = 0; queue_pair < 4000; ++queue_pair) {
    const Index wire = one.choose(kFour, flow(5, queue_pair), 0s, kNothingQueued);
    EXPECT_EQ(one.choose(kFour, flow(5, queue_pair), 1s, kNothingQueued), wire);
    ++counts[wire];
  }
  for (const auto& [wire, count] : counts) EXPECT_NEAR(count, 1000, 120);
}

TEST(Balancer, WcmpFollowsTheRates) {
  const NextHops unequal{{10, 11}, {100, 400}};
  Balancer one = balancer(Balance::wcmp);
  auto counts = chosen(one, unequal, 40000);
  EXPECT_NEAR(counts[10], 10000, 400);
  EXPECT_NEAR(counts[11], 30000, 400);
}

TEST(Balancer, FlowletsMoveOnlyAfterAGap) {
  Balancer one = balancer(Balance::flowlet);
  Time now{};
  Index wire = one.choose(kFour, flow(5), now, kNothingQueued);
  for (int packet = 0; packet < 1000; ++packet) {
    now += 500us;
    ASSERT_EQ(one.choose(kFour, flow(5), now, kNothingQueued), wire);
  }
  int moved = 0;
  for (int packet = 0; packet < 1000; ++packet) {
    now += 501us;
    const Index next = one.choose(kFour, flow(5), now, kNothingQueued);
    moved += next != wire ? 1 : 0;
    wire = next;
  }
  EXPECT_NEAR(moved, 750, 60);
}

TEST(Balancer, FlowletsLeaveAWireThatIsNoLongerThere) {
  Balancer one = balancer(Balance::flowlet);
  const Index wire = one.choose(kFour, flow(5), 0s, kNothingQueued);
  NextHops fewer{{}, {100, 200, 300}};
  for (const Index other : kFour.wires) {
    if (other != wire) fewer.wires.push_back(other);
  }
  EXPECT_NE(one.choose(fewer, flow(5), 1us, kNothingQueued), wire);
}

TEST(Balancer, SprayUsesEveryWireInEveryRound) {
  Balancer one = balancer(Balance::spray, 8);  // a seed that begins with a round
  for (int round = 0; round < 100; ++round) {
    std::map<Index, int> counts;
    for (int packet = 0; packet < 4; ++packet) {
      ++counts[one.choose(kFour, flow(5), 0s, kNothingQueued)];
    }
    EXPECT_EQ(counts.size(), 4U) << round;
  }
}

TEST(Balancer, AdaptiveTakesTheShortestQueue) {
  Balancer one = balancer(Balance::adaptive);
  std::vector<std::uint64_t> queued(16, 5000);
  queued[12] = 4000;
  for (int packet = 0; packet < 10; ++packet)
    EXPECT_EQ(one.choose(kFour, flow(5), 0s, queued), 12U);
  queued[12] = 5000;
  for (const auto& [wire, count] : chosen(one, kFour, 400)) EXPECT_EQ(count, 100) << "equal queues";
}

/// Shares of the four uplinks of a leaf for one flow between two hosts.
std::vector<std::uint64_t> uplinks(Balance balance) {
  Fabric fabric = shaped({.hosts_per_leaf = 1, .leaves = 2, .spines = 4});
  fabric.switching.balance = balance;
  Rig rig(fabric);
  for (int i = 0; i < 400; ++i) rig.send(0, 1);
  rig.run_out();
  EXPECT_EQ(rig.hosts.at(1).size(), 400U);
  std::vector<std::uint64_t> shares;
  for (const char* spine : {"spine0", "spine1", "spine2", "spine3"}) {
    shares.push_back(rig.sent(rig.wire("leaf0", spine)));
  }
  return shares;
}

TEST(Balancer, OneFlowTakesOneUplinkOrAll) {
  for (const Balance one :
       {Balance::ecmp, Balance::ecmp_queue_pair, Balance::wcmp, Balance::flowlet}) {
    const auto shares = uplinks(one);
    EXPECT_EQ(std::ranges::count(shares, 400U), 1) << name_of(one);
  }
  for (const Balance one : {Balance::spray, Balance::adaptive}) {
    for (const std::uint64_t share : uplinks(one))
      EXPECT_NEAR(double(share), 100, 2) << name_of(one);
  }
}

TEST(Balancer, ASwitchMayHaveItsOwn) {
  Fabric fabric = shaped({.hosts_per_leaf = 1, .leaves = 2, .spines = 4});
  fabric.switches[0].balance = Balance::spray;
  Rig rig(fabric);
  EXPECT_EQ(rig.model.balancer(0).balance(), Balance::spray);
  EXPECT_EQ(rig.model.balancer(1).balance(), Balance::ecmp);
}

TEST(Balancer, ThePredictedWireIsTheOneTaken) {
  for (const Balance balance : {Balance::ecmp, Balance::wcmp}) {
    Fabric fabric = shaped({.hosts_per_leaf = 1, .leaves = 2, .spines = 4});
    fabric.switching.balance = balance;
    for (Link& link : fabric.links) {
      if (link.b.node == "spine1") link.rate_mbit_per_s *= 2;
    }
    Rig rig(fabric);
    for (std::uint16_t port = 50000; port < 50050; ++port) {
      Headers headers = flow(port);
      headers.source = rig.address(0);
      headers.destination = rig.address(1);
      const Index wire = rig.model.predicted_wire(0, headers);
      const std::uint64_t before = rig.sent(wire);
      rig.send(0, 1, {.source_port = port});
      rig.run_out();
      EXPECT_EQ(rig.sent(wire), before + 1) << port;
    }
  }
}

}  // namespace
}  // namespace railgauge::softfabric
