#include "isolation/planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "isolation/simulated_fabric.hpp"

namespace railgauge::isolation {
namespace {

std::vector<Nic> nics(int hosts, int rails) {
  std::vector<Nic> all;
  for (int host = 0; host < hosts; ++host) {
    for (int rail = 0; rail < rails; ++rail)
      all.push_back(
          {"host" + std::to_string(host), {.device = "rail" + std::to_string(rail)}, rail});
  }
  return all;
}

TEST(Matching, HasEveryNicOnceWithOneOfItsRail) {
  const auto all = nics(8, 3);
  for (int round = 0; round < 20; ++round) {
    std::set<std::size_t> busy;
    for (const Pair& pair : matching({.nics = all}, round, {})) {
      EXPECT_TRUE(busy.insert(pair.first).second);
      EXPECT_TRUE(busy.insert(pair.second).second);
      EXPECT_EQ(all[pair.first].rail, all[pair.second].rail);
      EXPECT_NE(all[pair.first].host, all[pair.second].host);
    }
    EXPECT_EQ(busy.size(), all.size());
  }
}

TEST(Matching, IsAnotherInEveryRound) {
  const auto all = nics(16, 1);
  std::set<std::pair<std::size_t, std::size_t>> met;
  for (int round = 0; round < 8; ++round) {
    for (const Pair& pair : matching({.nics = all}, round, {}))
      met.insert(std::minmax(pair.first, pair.second));
  }
  EXPECT_GT(met.size(), 40U);  // of 64 at most
}

TEST(Matching, LetsOneRestOfAnOddNumber) {
  EXPECT_EQ(matching({.nics = nics(7, 1)}, 0, {}).size(), 3U);
}

TEST(Matching, OfOneHostIsEmpty) {
  auto all = nics(1, 1);
  EXPECT_TRUE(matching({.nics = all}, 0, {}).empty());
  all.push_back({"host0", {.device = "other"}, 0});
  EXPECT_TRUE(matching({.nics = all}, 0, {}).empty());
}

/// Several NICs of a host on one rail, as planes may be: they meet other hosts'.
TEST(Matching, PartsNicsOfOneHost) {
  auto all = nics(4, 1);
  for (const Nic& nic : nics(4, 1)) all.push_back(nic);
  for (int round = 0; round < 20; ++round) {
    const auto pairs = matching({.nics = all}, round, {});
    EXPECT_EQ(pairs.size(), 4U);
    for (const Pair& pair : pairs) EXPECT_NE(all[pair.first].host, all[pair.second].host);
  }
}

Observation below(std::size_t from, int leaf, std::size_t to, int other) {
  Observation test;
  test.from = from;
  test.to = to;
  test.hops = {leaf, 9, other};
  return test;
}

/// Once their leaves are known; NICs of which nothing is known meet anybody.
TEST(Matching, PartsNicsBelowOneLeaf) {
  Evidence evidence{.nics = nics(8, 1), .switches = std::vector<std::string>(10)};
  for (std::size_t nic = 0; nic < 4; ++nic) evidence.tests.push_back(below(nic, 0, nic + 4, 1));
  for (int round = 0; round < 20; ++round) {
    const auto pairs = matching(evidence, round, {});
    EXPECT_EQ(pairs.size(), 4U);
    for (const Pair& pair : pairs) EXPECT_NE(pair.first / 4, pair.second / 4);
  }
}

/// Where there is but one leaf, and where most are below one.
TEST(Matching, PairsNicsBelowOneLeafIfItHasTo) {
  Evidence evidence{.nics = nics(8, 1), .switches = std::vector<std::string>(10)};
  for (std::size_t nic = 0; nic + 1 < 8; ++nic)
    evidence.tests.push_back(below(nic, 0, 7, nic == 0 ? 0 : 1));
  for (int round = 0; round < 20; ++round) EXPECT_EQ(matching(evidence, round, {}).size(), 4U);
}

Observation tested(std::size_t from, std::size_t to, bool failed) {
  Observation test;
  test.from = from;
  test.to = to;
  test.outcome.failed = failed;
  return test;
}

bool is_in(const std::vector<Pair>& pairs, std::size_t nic) {
  return std::ranges::any_of(
      pairs, [&](const Pair& pair) { return pair.first == nic || pair.second == nic; });
}

/// Once it failed with two others; who has met it works with others, and goes on.
TEST(Matching, LetsWhatIsDeadRest) {
  Evidence evidence{.nics = nics(8, 1)};
  evidence.tests = {tested(0, 1, true), tested(1, 0, true), tested(0, 1, true),
                    tested(2, 3, false)};
  EXPECT_TRUE(is_in(matching(evidence, 1, {}), 0)) << "it may be the other";
  evidence.tests.push_back(tested(0, 2, true));
  evidence.tests.push_back(tested(1, 3, false));
  for (int round = 2; round < 20; ++round) {
    const auto pairs = matching(evidence, round, {});
    EXPECT_FALSE(is_in(pairs, 0));
    EXPECT_EQ(pairs.size(), 3U);
  }
}

TEST(Matching, LetsNobodyRestThatWorksAgain) {
  Evidence evidence{.nics = nics(8, 1)};
  evidence.tests = {tested(2, 3, false), tested(0, 1, true), tested(0, 1, true),
                    tested(0, 2, true),  tested(0, 2, true), tested(0, 3, false)};
  EXPECT_TRUE(is_in(matching(evidence, 1, {}), 0));
}

/// One that only met dead ones may be well.
TEST(Matching, LetsNobodyRestThatMetOnlyDeadOnes) {
  Evidence evidence{.nics = nics(8, 1)};
  for (int port = 0; port < 2; ++port) {
    for (const std::size_t dead : {6U, 7U}) {
      evidence.tests.push_back(tested(0, dead, true));
      evidence.tests.push_back(tested(dead, dead - 5, true));
    }
  }
  evidence.tests.push_back(tested(1, 2, false));
  const auto pairs = matching(evidence, 1, {});
  EXPECT_TRUE(is_in(pairs, 0));
  EXPECT_FALSE(is_in(pairs, 6));
  EXPECT_FALSE(is_in(pairs, 7));
}

/// What another run saw may have been mended.
TEST(Matching, LetsNobodyRestForTestsOfEarlierRuns) {
  Evidence evidence{.nics = nics(8, 1)};
  evidence.tests = {tested(2, 3, false), tested(0, 2, true), tested(0, 2, true), tested(0, 3, true),
                    tested(0, 3, true)};
  for (Observation& test : evidence.tests) test.earlier = true;
  EXPECT_TRUE(is_in(matching(evidence, 1, {}), 0));
}

TEST(SourcePorts, AreThoseOfQueuePairsAndAllDifferent) {
  std::set<std::uint16_t> seen;
  for (int round = 0; round < 100; ++round) {
    for (const std::uint16_t port : source_ports(round, {.seed = 9})) {
      EXPECT_GE(port, 49152);
      EXPECT_TRUE(seen.insert(port).second);
    }
  }
}

TEST(Enough, IsWhenEverythingWasTestedAndDecided) {
  Verdict verdict;
  verdict.components = verdict.covered = 100;
  EXPECT_TRUE(enough(verdict, 3, {}));
  EXPECT_FALSE(enough(verdict, 1, {})) << "one round convicts nobody";
  verdict.suspects.push_back({.status = Status::doubtful});
  EXPECT_FALSE(enough(verdict, 3, {}));
  EXPECT_TRUE(enough(verdict, 8, {})) << "as many as planned";
  verdict.suspects[0].status = Status::named;
  EXPECT_TRUE(enough(verdict, 3, {}));
  verdict.covered = 50;
  EXPECT_FALSE(enough(verdict, 3, {}));
}

TEST(Retests, PassTheSuspectAndHaveControls) {
  SimulatedFabric fabric({}, 7);
  fabric.plant(fabric.uplink(0, 2));
  const IsolationRun run = isolate(fabric, {});
  const auto flows = retests(fabric.evidence(), run.verdict);
  std::set<std::size_t> senders;
  int controls = 0;
  for (const Flow& flow : flows) {
    if (!flow.control) senders.insert(flow.from);
  }
  for (const Flow& flow : flows) {
    controls += flow.control ? 1 : 0;
    EXPECT_TRUE(senders.contains(flow.from));
  }
  EXPECT_GE(flows.size() - static_cast<std::size_t>(controls), 3U);
  EXPECT_GE(controls, 1);
}

TEST(Retests, AreThreeMoreBetweenOthersUntilItIsClear) {
  SimulatedFabric fabric({}, 7);
  fabric.plant(fabric.uplink(0, 2));
  IsolationRun run = isolate(fabric, {});
  ASSERT_EQ(run.verdict.suspects.size(), 1U);
  Suspect& suspect = run.verdict.suspects[0];
  std::map<std::pair<std::size_t, std::size_t>, int> met;
  for (int turn = 0; turn < 3; ++turn) {
    suspect.tests_alone = 4U * static_cast<unsigned>(turn);
    suspect.bad_alone = suspect.tests_alone / 2;
    const auto flows = retests(fabric.evidence(), run.verdict);
    int count = 0;
    for (const Flow& flow : flows) {
      if (flow.control) continue;
      ++met[{flow.from, flow.to}];
      ++count;
    }
    EXPECT_EQ(count, 3);
    fabric.test_alone(run.rounds + turn, flows);
  }
  const auto [least, most] =
      std::ranges::minmax_element(met, {}, [](const auto& pair) { return pair.second; });
  EXPECT_LE(most->second, least->second + 1);
  suspect.tests_alone = suspect.bad_alone = 3;
  EXPECT_TRUE(retests(fabric.evidence(), run.verdict).empty());
}

TEST(Retests, OfAHealthyFabricAreNone) {
  SimulatedFabric fabric({}, 7);
  EXPECT_TRUE(retests(fabric.evidence(), isolate(fabric, {}).verdict).empty());
}

}  // namespace
}  // namespace railgauge::isolation
