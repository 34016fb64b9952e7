#include "isolation/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "isolation/simulated_fabric.hpp"

namespace railgauge::isolation {
namespace {

const Component kBad{Kind::link, 0, 6};  // leaf0 -> spine2

SimulatedFabric with_bad_link() {
  SimulatedFabric fabric({}, 7);
  fabric.plant(fabric.uplink(0, 2));
  return fabric;
}

const Suspect* found(const Verdict& verdict, const Component& component) {
  const auto it = std::ranges::find(verdict.suspects, component, &Suspect::component);
  return it == verdict.suspects.end() ? nullptr : &*it;
}

/// Whether a test of it was bad.
bool was_bad(const Evidence& evidence, const Flow& flow) {
  return std::ranges::any_of(evidence.tests, [&](const Observation& one) {
    return one.from == flow.from && one.to == flow.to && one.source_port == flow.source_port &&
           one.outcome.lost_share.value_or(0) > 0;
  });
}

TEST(VerdictOfALink, HasOddsAndTestsForAndAgainst) {
  SimulatedFabric fabric = with_bad_link();
  const Verdict verdict = isolate(fabric, {}).verdict;
  EXPECT_EQ(verdict.state, State::found);
  const Suspect* suspect = found(verdict, kBad);
  ASSERT_NE(suspect, nullptr);
  EXPECT_EQ(suspect->status, Status::named);
  EXPECT_GE(suspect->log_odds_to_rival, kDecisiveLogOdds);
  EXPECT_EQ(suspect->symptoms.lossy, suspect->bad);
  ASSERT_FALSE(suspect->speak_for.empty());
  for (const std::size_t test : suspect->speak_for) {
    const Observation& one = fabric.evidence().tests[test];
    EXPECT_EQ(one.hops[1], 6);
    EXPECT_EQ(one.outcome.lost_share, 0.01);
  }
  for (const std::size_t test : suspect->speak_against)
    EXPECT_EQ(fabric.evidence().tests[test].outcome.lost_share, 0.0);
}

TEST(Retests, AloneConfirm) {
  SimulatedFabric fabric = with_bad_link();
  const IsolationRun run = isolate(fabric, {});
  fabric.test_alone(run.rounds, retests(fabric.evidence(), run.verdict));
  const Verdict after = judge(fabric.evidence());
  const Suspect* suspect = found(after, kBad);
  ASSERT_NE(suspect, nullptr);
  EXPECT_EQ(suspect->status, Status::named);
  EXPECT_GE(suspect->tests_alone, 3U);
}

/// Bad while others ran, good alone: a collision.
TEST(Retests, AloneWithdraw) {
  SimulatedFabric fabric = with_bad_link();
  const IsolationRun run = isolate(fabric, {});
  fabric.test_alone(run.rounds, retests(fabric.evidence(), run.verdict));
  for (Observation& test : fabric.evidence().tests) {
    if (test.alone) test.outcome.lost_share = 0;
  }
  const Verdict after = judge(fabric.evidence());
  EXPECT_NE(after.state, State::found);
  const Suspect* suspect = found(after, kBad);
  ASSERT_NE(suspect, nullptr);  // what was seen first is kept
  EXPECT_EQ(suspect->status, Status::withdrawn);
}

TEST(TooFewTests, AreNoHealth) {
  SimulatedFabric fabric({.hosts = 256, .rails = 1, .leaves = 16, .spines = 32}, 1);
  fabric.test(0, matching(fabric.evidence(), 0, {}), {49152});
  const Verdict verdict = judge(fabric.evidence());
  EXPECT_EQ(verdict.state, State::undecided);
  EXPECT_LT(verdict.coverage(), 0.99);
}

/// As of a cable that is pulled: every test of a round through the NIC fails.
void fail_tests_of(std::size_t nic, int round, Evidence& evidence) {
  for (Observation& test : evidence.tests) {
    if (test.round == round && (test.from == nic || test.to == nic)) test.outcome.failed = true;
  }
}

TEST(ANicThatDiesInTheLastRound, IsNoHealth) {
  SimulatedFabric fabric({.hosts = 4, .spines = 2}, 7);
  const Plan plan;
  const int last = isolate(fabric, plan).rounds - 1;
  ASSERT_EQ(judge(fabric.evidence()).state, State::healthy);
  fail_tests_of(3, last, fabric.evidence());
  const Verdict verdict = judge(fabric.evidence());
  EXPECT_NE(verdict.state, State::healthy);
  EXPECT_FALSE(enough(verdict, last + 1, plan));
}

TEST(ANicThatDiesInTheMiddle, IsFoundInFurtherRounds) {
  SimulatedFabric fabric({}, 7);
  const Plan plan;
  Verdict verdict;
  int round = 0;
  do {
    fabric.test(round, matching(fabric.evidence(), round, plan), source_ports(round, plan));
    if (round >= 2) fail_tests_of(3, round, fabric.evidence());
    verdict = judge(fabric.evidence());
    ++round;
  } while (!enough(verdict, round, plan));
  EXPECT_EQ(verdict.state, State::found);
  EXPECT_EQ(verdict.suspects.front().component.kind, Kind::nic);
  EXPECT_EQ(verdict.suspects.front().component.first, 3);
}

/// As of a collective: between whom, and no more.
Observation of_unknown_path(std::size_t from, std::size_t to) {
  Observation test;
  test.from = from;
  test.to = to;
  test.outcome.lost_share = 0;
  return test;
}

TEST(EarlierTestsOfUnknownPaths, DoNotKeepAHealthyFabricFromBeingCalledSo) {
  for (const bool earlier : {true, false}) {
    SimulatedFabric fabric({}, 7);
    (void)isolate(fabric, {});
    ASSERT_EQ(judge(fabric.evidence()).state, State::healthy);
    for (std::size_t nic = 0; nic + 2 < fabric.evidence().nics.size(); ++nic) {
      fabric.evidence().tests.push_back(of_unknown_path(nic, nic + 2));
      fabric.evidence().tests.back().earlier = earlier;
    }
    EXPECT_EQ(judge(fabric.evidence()).state, earlier ? State::healthy : State::undecided);
  }
}

/// Both directions between neighbours, by turns.
TEST(EarlierTestsOfUnknownPaths, SpeakAgainstTheirEnds) {
  SimulatedFabric fabric({}, 7);
  for (int round = 0; round < 4; ++round) {
    for (std::size_t nic = 1; nic < fabric.evidence().nics.size(); ++nic) {
      const bool back = round % 2 == 0;
      Observation test = of_unknown_path(back ? nic : nic - 1, back ? nic - 1 : nic);
      test.round = round;
      test.earlier = true;
      test.outcome.lost_share = test.from == 5 ? 0.01 : 0;
      fabric.evidence().tests.push_back(test);
    }
  }
  const Verdict verdict = judge(fabric.evidence());
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].component, (Component{Kind::nic_transmit, 5, 0}));
}

TEST(OneTestThatFails, IsNoHealthAndAccusesNobody) {
  SimulatedFabric fabric({}, 7);
  (void)isolate(fabric, {});
  fabric.evidence().tests.front().outcome.failed = true;
  const Verdict verdict = judge(fabric.evidence());
  EXPECT_EQ(verdict.state, State::undecided);
  EXPECT_EQ(verdict.unexplained_failures, 1U);
  EXPECT_TRUE(verdict.suspects.empty());
}

TEST(NoTests, AreNoHealth) {
  const Verdict verdict = judge({});
  EXPECT_EQ(verdict.state, State::undecided);
  EXPECT_TRUE(verdict.suspects.empty());
}

/// One NIC per host and one rail: nothing tells a NIC from its host.
TEST(OneNicPerHost, IsToldWithItsHost) {
  SimulatedFabric fabric({.hosts = 8, .rails = 1, .leaves = 2, .spines = 4}, 2);
  fabric.plant({Kind::nic, 3, 0});
  const Verdict verdict = isolate(fabric, {}).verdict;
  ASSERT_EQ(verdict.suspects.size(), 1U);
  EXPECT_EQ(verdict.suspects[0].component, (Component{Kind::nic, 3, 0}));
  EXPECT_EQ(verdict.suspects[0].alike, (std::vector<Component>{{Kind::host, 3, 0}}));
}

/// A fabric of one switch has no links between switches to tell.
TEST(OneSwitch, StillHasNics) {
  SimulatedFabric fabric({.hosts = 8, .rails = 2, .leaves = 1, .spines = 1}, 4);
  fabric.plant({Kind::nic_receive, 5, 0});
  const Verdict verdict = isolate(fabric, {}).verdict;
  ASSERT_EQ(verdict.suspects.size(), 1U);
  EXPECT_EQ(verdict.suspects[0].component, (Component{Kind::nic_receive, 5, 0}));
}

/// A fault that only some of the tests feel is a suspect, and nothing is named in its place.
TEST(APartlyBadLink, IsNotNamedForAnotherOne) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SimulatedFabric fabric({}, seed);
    fabric.set_noise(0.01, 0.75);
    fabric.plant(fabric.uplink(1, 3));
    for (const Suspect& one : isolate(fabric, {.seed = seed}).verdict.suspects) {
      EXPECT_TRUE(one.status != Status::named || one.component == (Component{Kind::link, 1, 7}))
          << in_words(location_of(one.component, fabric.evidence()));
    }
  }
}

/// A third of what comes out of a leaf is slow while others run. Alone it never is: that few good
/// tests may be chance, that many are not.
TEST(AConcentration, IsWithdrawnOnceItWasGoodAloneTooOftenForChance) {
  SimulatedFabric fabric({}, 7);
  fabric.set_noise(0, 0);
  constexpr int kRounds = 12;  // among so many bad tests it takes more of them to find anything
  for (int round = 0; round < kRounds; ++round)
    fabric.test(round, matching(fabric.evidence(), round, {}), source_ports(round, {}));
  int count = 0;
  for (Observation& test : fabric.evidence().tests) {
    const bool from_leaf = test.hops.size() == 3 && test.hops.front() == 0;
    if (from_leaf && ++count % 3 == 0) test.outcome.lost_share = 0.01;
  }
  Verdict verdict = judge(fabric.evidence());
  ASSERT_EQ(verdict.state, State::suspected);
  ASSERT_TRUE(verdict.suspects.at(0).of_part);
  std::size_t turns = 0;
  for (; is_open(verdict.suspects.at(0)) && turns < 9; ++turns) {
    EXPECT_EQ(verdict.suspects[0].status, Status::doubtful);
    const std::vector<Flow> flows = retests(fabric.evidence(), verdict);
    for (const Flow& flow : flows) EXPECT_TRUE(flow.control || was_bad(fabric.evidence(), flow));
    fabric.test_alone(kRounds + static_cast<int>(turns), flows);
    verdict = judge(fabric.evidence());
  }
  EXPECT_GE(turns, 2U);
  EXPECT_EQ(verdict.suspects.at(0).status, Status::withdrawn);
  EXPECT_EQ(verdict.state, State::healthy);
}

void make_slow(Observation& test) {
  test.outcome.expected_gigabytes_per_second = 1;
  test.outcome.gigabytes_per_second = 0.3;
}

/// Flows of every n-th test over a spine.
std::vector<Flow> flows_over(const Evidence& evidence, const Component& spine, std::size_t nth) {
  std::vector<Flow> flows;
  std::size_t passing = 0;
  for (const Observation& test : evidence.tests) {
    if (test.hops.size() == 3 && test.hops[1] == spine.first && passing++ % nth == 0)
      flows.push_back({test.from, test.to, test.source_port});
  }
  return flows;
}

/// Of two spines one is bad; every sixth test over the other is slow, and of its 18 tests alone so
/// many. Tests of the bad one alone are bad, too, or good, which withdraws it.
Status status_next_to_a_bad_spine(std::size_t slow_alone, bool bad_alone) {
  SimulatedFabric fabric({.hosts = 4, .rails = 2, .leaves = 2, .spines = 2}, 7);
  fabric.set_noise(0, 0);
  fabric.plant(fabric.spine(0));
  const Component good = fabric.spine(1);
  int round = isolate(fabric, {}).rounds;
  for (const int end = round + 12; round < end; ++round)
    fabric.test(round, matching(fabric.evidence(), round, {}), source_ports(round, {}));
  std::size_t passing = 0;
  for (Observation& test : fabric.evidence().tests) {
    if (test.hops.size() == 3 && test.hops[1] == good.first && passing++ % 6 == 0) make_slow(test);
  }
  std::vector<Flow> flows = flows_over(fabric.evidence(), good, 6);
  flows.resize(18);
  const std::size_t alone = fabric.evidence().tests.size();
  fabric.test_alone(round, flows);
  for (std::size_t at = 0; at < slow_alone; ++at) make_slow(fabric.evidence().tests[alone + at]);
  const std::size_t of_bad = fabric.evidence().tests.size();
  flows = flows_over(fabric.evidence(), fabric.spine(0), 1);
  flows.resize(4);
  fabric.test_alone(round + 1, flows);
  for (std::size_t at = of_bad; !bad_alone && at < fabric.evidence().tests.size(); ++at)
    fabric.evidence().tests[at].outcome.lost_share = 0;
  const Verdict verdict = judge(fabric.evidence());
  const Suspect* const suspect = found(verdict, good);
  EXPECT_TRUE(suspect != nullptr && suspect->of_part);
  return suspect == nullptr ? Status::named : suspect->status;
}

/// One of 18 alone is chance, six are not; and what is not bad itself delays nobody.
TEST(AConcentration, NextToANamedComponentIsNoise) {
  EXPECT_EQ(status_next_to_a_bad_spine(1, true), Status::withdrawn);
  EXPECT_EQ(status_next_to_a_bad_spine(6, true), Status::doubtful);
  EXPECT_EQ(status_next_to_a_bad_spine(1, false), Status::doubtful);
}

/// Of two leaves all tests pass both, whichever cable is bad: there are no others to be worse than.
TEST(AConcentration, IsWhereOthersAreGood) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SimulatedFabric fabric({.hosts = 4, .rails = 1, .leaves = 2, .spines = 4}, seed);
    fabric.plant(fabric.cable(0, 2));
    fabric.set_noise(0.08, 0.5);
    const Verdict verdict = isolate(fabric, {.most_rounds = 12}).verdict;
    for (const Suspect& one : verdict.suspects) EXPECT_NE(one.component.kind, Kind::leaf) << seed;
    EXPECT_FALSE(verdict.suspects.empty()) << seed;
  }
}

/// Tests at the same time may have disturbed it.
TEST(Confirmation, TakesATestAlone) {
  Suspect suspect;
  suspect.status = Status::named;
  EXPECT_FALSE(is_confirmed(suspect));
  suspect.tests_alone = suspect.bad_alone = 2;
  EXPECT_FALSE(is_confirmed(suspect)) << "two are too few";
  suspect.tests_alone = suspect.bad_alone = 4;
  EXPECT_TRUE(is_confirmed(suspect));
  suspect.bad_alone = 1;
  EXPECT_FALSE(is_confirmed(suspect));
  suspect.bad_alone = 4;
  suspect.status = Status::doubtful;
  EXPECT_FALSE(is_confirmed(suspect));
}

/// As a search goes on: what is planted is bad alone, too.
TEST(Confirmation, ComesFromWhatIsTestedAgain) {
  SimulatedFabric fabric({}, 7);
  fabric.plant(fabric.uplink(1, 3));
  const IsolationRun run = isolate(fabric, {.cross_rail = true});
  ASSERT_EQ(run.verdict.suspects.size(), 1U);
  EXPECT_FALSE(is_confirmed(run.verdict.suspects[0]));
  fabric.test_alone(run.rounds, retests(fabric.evidence(), run.verdict));
  EXPECT_TRUE(is_confirmed(judge(fabric.evidence()).suspects.at(0)));
}

/// What another run found alone is to be tested alone again.
TEST(Confirmation, IsNotWhatWasFoundEarlier) {
  SimulatedFabric fabric = with_bad_link();
  const IsolationRun run = isolate(fabric, {});
  fabric.test_alone(run.rounds, retests(fabric.evidence(), run.verdict));
  for (Observation& test : fabric.evidence().tests) test.earlier = true;
  const Verdict old = judge(fabric.evidence());
  ASSERT_NE(found(old, kBad), nullptr);
  EXPECT_FALSE(is_confirmed(*found(old, kBad)));
  EXPECT_TRUE(is_open(*found(old, kBad)));
}

/// One cable, and no spine: its other links are good.
TEST(VerdictOfACable, NamesBothDirections) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SimulatedFabric fabric({}, seed);
    const Component up = fabric.uplink(0, 2);
    const Component down{Kind::link, up.second, up.first};
    fabric.plant(up);
    fabric.plant(down);
    const Verdict verdict = isolate(fabric, {.cross_rail = true, .seed = seed}).verdict;
    ASSERT_EQ(verdict.suspects.size(), 1U) << seed;
    EXPECT_EQ(verdict.suspects[0].status, Status::named) << seed;
    EXPECT_EQ(verdict.suspects[0].component, fabric.cable(0, 2)) << seed;
  }
}

/// Where most tests through a spine or a leaf pass one of its cables.
TEST(VerdictOfACable, IsNoSwitchInASmallFabric) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SimulatedFabric fabric({.hosts = 4, .rails = 2, .leaves = 2, .spines = 2}, seed);
    const Component up = fabric.uplink(0, 0);
    fabric.plant(up);
    fabric.plant({Kind::link, up.second, up.first});
    const Verdict verdict = isolate(fabric, {.cross_rail = true, .seed = seed}).verdict;
    EXPECT_EQ(verdict.state, State::found) << seed;
    for (const Suspect& one : verdict.suspects) {
      EXPECT_TRUE(one.status != Status::named || one.component == fabric.cable(0, 0)) << seed;
    }
  }
}

Suspect tested_alone(std::size_t bad, std::size_t tests) {
  Suspect suspect;
  suspect.bad_alone = bad;
  suspect.tests_alone = tests;
  return suspect;
}

TEST(Confirmation, GoesOnUntilTestsAloneAreClear) {
  EXPECT_TRUE(is_open(tested_alone(0, 0)));
  EXPECT_TRUE(is_open(tested_alone(2, 3)));
  EXPECT_FALSE(is_open(tested_alone(3, 3)));
  EXPECT_TRUE(is_open(tested_alone(0, 3))) << "it takes more to acquit";
  EXPECT_FALSE(is_open(tested_alone(0, 6)));
  EXPECT_TRUE(is_open(tested_alone(3, 6)));
  EXPECT_FALSE(is_open(tested_alone(5, 6)));
  EXPECT_FALSE(is_open(tested_alone(5, 9))) << "there is an end";
}

/// What one NIC sends takes three times as long, and waited for that share of it.
void slow_down(Evidence& evidence, double cpu_share) {
  for (Observation& one : evidence.tests) {
    one.outcome.gigabytes_per_second = one.from == 3 ? 3 : 9;
    one.outcome.cpu_share = one.from == 3 ? cpu_share : 0.9;
  }
}

TEST(VerdictOfABusyHost, IsThatItsTestsSayNothing) {
  SimulatedFabric fabric({}, 5);
  fabric.set_noise(0, 0);
  static_cast<void>(isolate(fabric, {.cross_rail = true}));
  slow_down(fabric.evidence(), 0.9);
  const Verdict slow = judge(fabric.evidence());
  EXPECT_NE(found(slow, {Kind::nic_transmit, 3, 0}), nullptr);
  slow_down(fabric.evidence(), 0.3);
  const Verdict verdict = judge(fabric.evidence());
  EXPECT_TRUE(verdict.suspects.empty());
  EXPECT_EQ(verdict.state, State::undecided) << "what it sends was not tested";
  EXPECT_GT(verdict.starved, 0U);
  EXPECT_EQ(verdict.tests + verdict.starved, fabric.evidence().tests.size());
}

/// As measured next to eight busy programs: a tenth of the rate, or less, and of the time nothing.
void starve_every_fifth(Evidence& evidence, double cpu_share) {
  for (std::size_t test = 0; test < evidence.tests.size(); ++test) {
    isolation::Outcome& outcome = evidence.tests[test].outcome;
    outcome.gigabytes_per_second = test % 5 == 0 ? 0.0038 : 0.053;
    outcome.cpu_share.emplace(test % 5 == 0 ? cpu_share : 0.85);
    evidence.tests[test].hops.clear();  // no switch answers on one host
  }
}

TEST(VerdictOfBusyHosts, DoubtsNothing) {
  for (const double share : {0.0, 0.046, 0.098}) {
    SimulatedFabric fabric({.hosts = 3, .leaves = 1, .spines = 1}, 5);
    fabric.set_noise(0, 0);
    static_cast<void>(isolate(fabric, {.most_rounds = 12}));
    starve_every_fifth(fabric.evidence(), share);
    const Verdict verdict = judge(fabric.evidence());
    EXPECT_TRUE(verdict.suspects.empty()) << share;
    EXPECT_EQ(verdict.bad, 0U) << share;
    EXPECT_GT(verdict.starved, 0U);
    starve_every_fifth(fabric.evidence(), 0.85);
    EXPECT_FALSE(judge(fabric.evidence()).suspects.empty()) << "had they had a CPU";
  }
}

/// As measured next to three programs that never rest: rates go with the CPU, which nobody has;
/// fast tests had as little of it as slow ones.
void starve_all(Evidence& evidence, unsigned seed, std::size_t slow_of_ten) {
  std::mt19937 random(seed);
  for (Observation& test : evidence.tests) {
    const bool slow = random() % 10 < slow_of_ten;
    test.outcome.gigabytes_per_second = slow ? 0.004 : 0.03;
    test.outcome.cpu_share.emplace(0.01 * static_cast<double>(random() % 20));
  }
}

TEST(VerdictOfBusyHosts, DoubtsNothingWhereFastTestsHadNoCpuEither) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const std::size_t slow_of_ten : {4U, 6U, 8U}) {
      for (const bool paths : {true, false}) {
        SimulatedFabric fabric({.hosts = 4, .leaves = 2, .spines = 2}, seed);
        fabric.set_noise(0, 0);
        static_cast<void>(isolate(fabric, {.most_rounds = 12}));
        starve_all(fabric.evidence(), seed, slow_of_ten);
        for (Observation& test : fabric.evidence().tests) {
          if (!paths) test.hops.clear();
        }
        const Verdict verdict = judge(fabric.evidence());
        EXPECT_TRUE(verdict.suspects.empty()) << seed << " " << slow_of_ten;
        EXPECT_FALSE(verdict.too_many_unexplained()) << seed;
        EXPECT_NE(verdict.state, State::healthy) << seed;
      }
    }
  }
}

/// Many hosts on few processors: what has no CPU is the measure of all, and a place still tells.
TEST(VerdictOfBusyHosts, NamesWhatIsSlowWhereHardlyAnythingElseIs) {
  SimulatedFabric fabric({}, 5);
  fabric.set_noise(0, 0);
  static_cast<void>(isolate(fabric, {.cross_rail = true}));
  slow_down(fabric.evidence(), 0.05);
  for (Observation& test : fabric.evidence().tests) test.outcome.cpu_share = 0.05;
  EXPECT_NE(found(judge(fabric.evidence()), {Kind::nic_transmit, 3, 0}), nullptr);
}

TEST(VerdictOfABusyHost, NamesTestsByTheirPlacesAmongAll) {
  SimulatedFabric fabric = with_bad_link();
  const IsolationRun run = isolate(fabric, {});
  slow_down(fabric.evidence(), 0.3);
  const Verdict verdict = judge(fabric.evidence());
  const Suspect* suspect = found(verdict, kBad);
  ASSERT_NE(suspect, nullptr);
  ASSERT_GT(verdict.starved, 0U);
  for (const std::size_t test : suspect->speak_for)
    EXPECT_EQ(fabric.evidence().tests[test].outcome.lost_share, 0.01);
  for (const std::size_t test : suspect->speak_against)
    EXPECT_EQ(fabric.evidence().tests[test].outcome.lost_share, 0.0);
}

/// A quarter of all tests is slow for nothing, as on a busy machine.
void add_noise(Evidence& evidence) {
  for (std::size_t test = 0; test < evidence.tests.size(); ++test)
    evidence.tests[test].outcome.gigabytes_per_second = test % 4 == 0 ? 5 : 10;
}

/// What good parts never do weighs as much as if there was no noise of other kinds.
TEST(VerdictAmongNoise, NamesWhatLosesPacketsAsSoonAsWithoutIt) {
  int calmly = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SimulatedFabric fabric({}, seed);
    fabric.set_noise(0, 0.1);
    fabric.plant(fabric.uplink(0, 2));
    static_cast<void>(isolate(fabric, {.most_rounds = 3, .cross_rail = true, .seed = seed}));
    const Verdict calm = judge(fabric.evidence());
    add_noise(fabric.evidence());
    const Verdict noisy = judge(fabric.evidence());
    EXPECT_EQ(found(noisy, kBad) != nullptr, found(calm, kBad) != nullptr) << seed;
    calmly += found(calm, kBad) != nullptr ? 1 : 0;
  }
  EXPECT_GE(calmly, 15);
}

/// One in five is slow by chance, and one in ten loses packets: what is suspected of a hundred
/// healthy fabrics. If odds of 20 to 1 are just that, it is five.
TEST(VerdictAmongNoise, OfTwoKindsSuspectsNothing) {
  std::size_t suspected = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SimulatedFabric fabric({.hosts = 32, .leaves = 8, .spines = 8}, seed);
    fabric.set_noise(0.1, 0);
    for (int round = 0; round < 3; ++round) {
      const Plan plan{.cross_rail = true, .seed = seed};
      fabric.test(round, matching(fabric.evidence(), round, plan), source_ports(round, plan));
    }
    std::mt19937_64 random(seed);
    for (Observation& one : fabric.evidence().tests)
      one.outcome.gigabytes_per_second = random() % 10 < 2 ? 5 : 10;
    suspected += judge(fabric.evidence()).suspects.size();
  }
  EXPECT_LE(suspected, 5U);
}

TEST(VerdictAmongNoise, TakesMoreTestsBeforeAllIsWell) {
  SimulatedFabric fabric({}, 7);
  fabric.set_noise(0, 0);
  const IsolationRun calm = isolate(fabric, {.cross_rail = true});
  ASSERT_EQ(calm.verdict.state, State::healthy);
  add_noise(fabric.evidence());
  EXPECT_EQ(judge(fabric.evidence()).state, State::undecided);
  for (int round = calm.rounds; round < 12; ++round) {
    const Plan plan{.cross_rail = true};
    fabric.test(round, matching(fabric.evidence(), round, plan), source_ports(round, plan));
  }
  add_noise(fabric.evidence());
  EXPECT_EQ(judge(fabric.evidence()).state, State::healthy);
}

/// Share of tests that are bad for nothing.
Verdict with_noise(double share) {
  SimulatedFabric fabric({}, 7);
  fabric.set_noise(share, 0);
  for (int round = 0; round < 20; ++round) {
    const Plan plan{.cross_rail = true};
    fabric.test(round, matching(fabric.evidence(), round, plan), source_ports(round, plan));
  }
  return judge(fabric.evidence());
}

TEST(VerdictAmongNoise, IsNotHealthyWhereMoreThanAQuarterIsBad) {
  for (const double share : {0.28, 0.35, 0.4}) {
    const Verdict verdict = with_noise(share);
    EXPECT_NE(verdict.state, State::healthy) << share;
    EXPECT_TRUE(verdict.too_many_unexplained()) << share;
  }
  for (const double share : {0.0, 0.01, 0.1}) {
    const Verdict verdict = with_noise(share);
    EXPECT_EQ(verdict.state, State::healthy) << share;
    EXPECT_FALSE(verdict.too_many_unexplained()) << share;
  }
}

TEST(TestsToFind, AreMoreTheMoreThereIsToTell) {
  const std::size_t few = tests_to_find(100, {});
  const std::size_t many = tests_to_find(100000, {});
  EXPECT_GE(few, 4U);
  EXPECT_GT(many, few);
  EXPECT_LE(many, 16U);
  EXPECT_GT(tests_to_find(100, {.false_positive = 0.1}), few);
}

}  // namespace
}  // namespace railgauge::isolation
