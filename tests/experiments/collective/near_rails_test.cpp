#include "experiments/collective/near_rails.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "executor/progress_team.hpp"
#include "experiments/collective/hosts_with_nodes.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

using schedule::Collective;
using schedule::Rank;
using Rails = std::vector<unsigned>;

schedule::Schedule made(Collective collective, const std::string& name, const HostsWithNodes& of) {
  return schedule::find_algorithm(collective, name)
      ->make({.ranks = of.ranks(), .per_host = of.ranks() / of.hosts});
}

TEST(NearRails, AreThoseOfTheNodeThatTwoRanksShare) {
  const NearRails near(nodes_of_all({}));
  ASSERT_TRUE(near.any());
  const executor::FewerRails first = near.of(1);
  EXPECT_EQ(first.rails, (Rails{0, 1, 2, 3}));
  for (const Rank peer : {0U, 2U, 3U, 8U, 11U}) EXPECT_TRUE(first.lead_to(peer)) << peer;
  for (const Rank peer : {4U, 7U, 12U, 15U, 16U}) EXPECT_FALSE(first.lead_to(peer)) << peer;
  EXPECT_EQ(near.of(15).rails, (Rails{4, 5, 6, 7}));
  EXPECT_TRUE(near.of(15).lead_to(4));
}

/// Each a machine that one of the conditions leaves out, and a twin that has them all.
TEST(NearRails, NeedARankNearEachNicAndEquallyManyNicsNearEachRank) {
  const auto any = [](const std::vector<RankNodes>& nodes) { return NearRails(nodes).any(); };
  EXPECT_TRUE(any(nodes_of_all({.nodes = 4, .nics = 2, .per_node = 1})));
  EXPECT_FALSE(any({}));
  EXPECT_FALSE(any(nodes_of_all({.nodes = 1}))) << "all rails are near";
  auto nodes = nodes_of_all({});
  nodes[3].bound = false;
  EXPECT_FALSE(any(nodes)) << "its memory may be anywhere";
  nodes = nodes_of_all({});
  std::erase_if(nodes, [](const RankNodes& rank) { return rank.node == 1; });
  EXPECT_FALSE(any(nodes)) << "nobody is near four of the NICs";
  nodes = nodes_of_all({});
  nodes[3].planes[0] = -1;
  EXPECT_FALSE(any(nodes)) << "a NIC whose node is not known";
  nodes = nodes_of_all({});
  for (RankNodes& rank : nodes) rank.planes[4] = 0;
  EXPECT_FALSE(any(nodes)) << "five NICs on one node, three on the other";
  nodes = nodes_of_all({.nics = 3});
  EXPECT_TRUE(any(nodes));
}

TEST(NearRails, AreDividedAmongThreadsAlike) {
  EXPECT_EQ(NearRails(nodes_of_all({})).threads(8), 4U);
  EXPECT_EQ(NearRails(nodes_of_all({})).threads(3), 2U);
  EXPECT_EQ(NearRails(nodes_of_all({})).threads(1), 1U);
  auto nodes = nodes_of_all({});
  for (RankNodes& rank : nodes) rank.planes = {0, 1, 0, 1, 0, 1, 0, 1};
  EXPECT_EQ(NearRails(nodes).threads(8), 1U) << "even rails on one node: two shares cannot";
}

/// Which algorithms keep the NICs of a host equally busy although ranks take near ones. A tree
/// whose root sends first would use half of its host's.
TEST(NearRails, LoadTheNicsOfAHostEquallyOrNot) {
  const HostsWithNodes hosts;
  const NearRails near(nodes_of_all(hosts));
  const auto equally = [&](Collective collective, const std::string& name, bool by_memory) {
    return near.load_equally(made(collective, name, hosts), 0, by_memory);
  };
  for (const std::string name : {"ring", "halving-doubling", "doubling"})
    EXPECT_TRUE(equally(Collective::all_reduce, name, false)) << name;
  for (const bool by_memory : {false, true})
    EXPECT_TRUE(equally(Collective::all_reduce, "hierarchical", by_memory)) << by_memory;
  EXPECT_TRUE(equally(Collective::all_gather, "ring", false));
  EXPECT_TRUE(equally(Collective::all_to_all, "pairwise", false));
  EXPECT_TRUE(equally(Collective::all_to_all, "pairwise", true));
  EXPECT_FALSE(equally(Collective::all_reduce, "tree", false));
  EXPECT_FALSE(equally(Collective::all_reduce, "direct", false));
  EXPECT_FALSE(equally(Collective::broadcast, "binomial", false));
}

/// Six ranks of a host, four on one node: its NICs would carry twice as much.
TEST(NearRails, LoadTheNicsUnequallyWhereNodesHaveUnequallyManyRanks) {
  auto nodes = nodes_of_all({.per_node = 3});
  nodes[3].node = nodes[9].node = 0;
  const NearRails near(nodes);
  ASSERT_TRUE(near.any());
  EXPECT_FALSE(
      near.load_equally(made(Collective::all_to_all, "pairwise", {.per_node = 3}), 0, false));
}

/// What a rank has at the end, and what it sent over each rail.
struct Sent {
  std::vector<float> result{};
  std::map<unsigned, std::uint64_t> by_rail{};
};

/// All ranks, with progress threads, over in-process wires.
std::vector<Sent> run(const schedule::Schedule& schedule, const std::vector<RankNodes>& nodes,
                      Take take, unsigned threads) {
  constexpr std::size_t kElements = 4096;
  std::vector<std::unique_ptr<transport::InProcessFabric>> wires;
  for (unsigned thread = 0; thread < threads; ++thread)
    wires.push_back(std::make_unique<transport::InProcessFabric>(schedule.ranks));
  const auto connect = [&](unsigned share, transport::Exchange& exchange,
                           std::span<const transport::ChannelRequest> channels) {
    return wires[share]->join(exchange, channels);
  };
  std::vector<Sent> sent(schedule.ranks);
  executor::run_ranks(*wires[0], schedule.ranks, [&](transport::Exchange& exchange) {
    const executor::Stripes stripes = stripes_of(nodes, exchange.rank(), take);
    executor::Member member(connect, threads, exchange, schedule, stripes, kElements);
    Sent& own = sent[exchange.rank()];
    own.result = executor::results_of_rank(member, {kElements});
    const auto channels = member.threads().channels();
    for (transport::Channel channel = 0; channel < channels.size(); ++channel)
      own.by_rail[channels[channel].rail] += member.threads().traffic(channel).bytes;
  });
  return sent;
}

double share_far(const std::vector<Sent>& sent, const std::vector<RankNodes>& nodes) {
  double all = 0;
  double far = 0;
  for (Rank rank = 0; rank < sent.size(); ++rank) {
    for (const auto& [rail, bytes] : sent[rank].by_rail) {
      all += static_cast<double>(bytes);
      if (!nodes[rank].is_near(rail)) far += static_cast<double>(bytes);
    }
  }
  return far / all;
}

/// Bytes that all ranks of the first host sent over each of its NICs.
std::set<std::uint64_t> loads(const std::vector<Sent>& sent, const HostsWithNodes& hosts) {
  std::map<unsigned, std::uint64_t> of_host;
  for (unsigned rank = 0; rank < hosts.ranks() / hosts.hosts; ++rank) {
    for (const auto& [rail, bytes] : sent[rank].by_rail) of_host[rail] += bytes;
  }
  std::set<std::uint64_t> different;
  for (const auto& [rail, bytes] : of_host) different.insert(bytes);
  return different;
}

/// On two hosts of two nodes with two NICs and two ranks each, counted in the bytes that were sent.
/// Two of four links of a ring lead from a node to the other; of seven pairs, four in an all-to-all
/// and one of three rounds of halving and doubling. Half of their data go to far NICs.
TEST(NearRails, CarryWhatCrossedBetweenNodes) {
  const HostsWithNodes hosts{.nics = 2, .per_node = 2};
  const auto nodes = nodes_of_all(hosts);
  struct Share {
    Collective collective;
    std::string algorithm;
    double far;
  };
  for (const Share& one : {Share{Collective::all_reduce, "ring", 0.25},
                           Share{Collective::all_reduce, "halving-doubling", 1.0 / 7},
                           Share{Collective::all_to_all, "pairwise", 2.0 / 7}}) {
    const auto schedule = made(one.collective, one.algorithm, hosts);
    const auto all = run(schedule, nodes, Take::all, 1);
    EXPECT_DOUBLE_EQ(share_far(all, nodes), 0.5) << one.algorithm;
    for (const unsigned threads : {1U, 2U}) {
      const auto near = run(schedule, nodes, Take::near, threads);
      EXPECT_NEAR(share_far(near, nodes), one.far, 1e-9) << one.algorithm;
      EXPECT_EQ(loads(near, hosts), loads(all, hosts)) << one.algorithm;
      for (Rank rank = 0; rank < schedule.ranks; ++rank)
        EXPECT_EQ(near[rank].result, all[rank].result) << one.algorithm << " " << rank;
    }
  }
}

}  // namespace
}  // namespace railgauge::runner
