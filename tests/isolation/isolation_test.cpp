// The whole of it against a simulated fabric, in which 1 % of tests that pass nothing bad are seen
// bad, and 10 % of those that do are seen good.

#include <gtest/gtest.h>

#include <algorithm>

#include "isolation/simulated_fabric.hpp"

namespace railgauge::isolation {
namespace {

using Shape = SimulatedFabric::Shape;

constexpr Shape kSmall{.hosts = 8, .rails = 2, .leaves = 2, .spines = 4};
constexpr Shape kMiddle{.hosts = 256, .rails = 1, .leaves = 16, .spines = 32};
constexpr Shape kLarge{.hosts = 8192, .rails = 1, .leaves = 256, .spines = 32};

/// What `plant` plants, over seeds.
template <class Plant>
Score score_of(const Shape& shape, int runs, const Plan& plan, Plant plant) {
  Score score;
  for (int seed = 1; seed <= runs; ++seed) {
    SimulatedFabric fabric(shape, static_cast<unsigned>(seed));
    plant(fabric);
    Plan own = plan;
    own.seed = static_cast<std::uint64_t>(seed);
    const IsolationRun run = isolate(fabric, own);
    EXPECT_LE(run.rounds, plan.most_rounds);
    score.add(fabric, run.verdict);
  }
  return score;
}

void expect_bars(const Score& score) {
  EXPECT_GE(score.recall(), 0.95) << score.right << " of " << score.planted;
  EXPECT_GE(score.precision(), 0.99) << score.right << " of " << score.named;
}

class BadLinks : public ::testing::TestWithParam<int> {};

void plant_links(SimulatedFabric& fabric, int count) {
  while (static_cast<int>(fabric.planted().size()) < count) {
    const Component link = fabric.any_link();
    if (fabric.planted().empty() || !(fabric.planted().back() == link)) fabric.plant(link);
  }
}

TEST_P(BadLinks, Of1024AreNamedWithin8Rounds) {
  expect_bars(score_of(kMiddle, 20, {.most_rounds = 8},
                       [](SimulatedFabric& fabric) { plant_links(fabric, GetParam()); }));
}

TEST_P(BadLinks, Of16384AreNamedWithin16Rounds) {
  expect_bars(score_of(kLarge, 1, {.most_rounds = 16},
                       [](SimulatedFabric& fabric) { plant_links(fabric, GetParam()); }));
}

INSTANTIATE_TEST_SUITE_P(Count, BadLinks, ::testing::Values(1, 2, 3));

/// What is named, once.
Suspect named_of(const Shape& shape, unsigned seed, const std::vector<Component>& planted) {
  SimulatedFabric fabric(shape, seed);
  for (const Component& one : planted) fabric.plant(one);
  const Verdict verdict = isolate(fabric, {.most_rounds = 12}).verdict;
  EXPECT_EQ(std::ranges::count(verdict.suspects, Status::named, &Suspect::status), 1);
  return verdict.suspects.empty() ? Suspect{} : verdict.suspects.front();
}

constexpr Shape kTwoLeaves{.hosts = 4, .rails = 1, .leaves = 2, .spines = 4};
constexpr Shape kFourLeaves{.hosts = 8, .rails = 1, .leaves = 4, .spines = 4};

/// Every test through the spine passes both of its cables.
TEST(Cables, OfTwoLeavesAreNamedTogetherWithTheirSpine) {
  const SimulatedFabric names(kTwoLeaves, 1);
  const std::vector<Component> all{names.cable(0, 2), names.cable(1, 2), names.spine(2)};
  for (unsigned seed = 1; seed <= 10; ++seed) {
    for (const Component& planted : all) {
      const Suspect suspect = named_of(kTwoLeaves, seed, {planted});
      EXPECT_EQ(suspect.component, all.front());
      EXPECT_EQ(suspect.alike.size(), 2U);
      for (const Component& one : {all[1], all[2]})
        EXPECT_EQ(std::ranges::count(suspect.alike, one), 1);
    }
  }
}

TEST(Cables, OfFourLeavesAreToldFromTheirSpine) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Component planted = SimulatedFabric(kFourLeaves, seed).cable(1, 2);
    const Suspect suspect = named_of(kFourLeaves, seed, {planted});
    EXPECT_EQ(suspect.component, planted);
    EXPECT_TRUE(suspect.alike.empty());
  }
}

TEST(Cables, AreNotNamedForOneOfTheirDirections) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Component planted = SimulatedFabric(kFourLeaves, seed).uplink(1, 2);
    const Suspect suspect = named_of(kFourLeaves, seed, {planted});
    EXPECT_EQ(suspect.component, planted);
  }
}

/// Two directions may be bad for two reasons: that is unlikely, but not as unlikely as 1e15 to 1.
TEST(Cables, HaveOddsAgainstSeveralOthersAtOnce) {
  const Suspect suspect = named_of(kFourLeaves, 1, {SimulatedFabric(kFourLeaves, 1).cable(1, 2)});
  EXPECT_EQ(suspect.rival_parts, 2U);
  EXPECT_GE(suspect.log_odds_to_rival, kDecisiveLogOdds);
  EXPECT_LE(suspect.log_odds_to_rival, 4 * kDecisiveLogOdds);
}

class OnePlace : public ::testing::TestWithParam<Kind> {};

Component any_place(SimulatedFabric& fabric, Kind kind) {
  switch (kind) {
    case Kind::link: return fabric.any_link();
    case Kind::spine: return fabric.spine(2);
    case Kind::leaf: return fabric.leaf(1);
    default: return fabric.any_nic(kind);
  }
}

TEST_P(OnePlace, OfASmallFabricIsNamed) {
  expect_bars(score_of(kSmall, 20, {}, [](SimulatedFabric& fabric) {
    fabric.plant(any_place(fabric, GetParam()));
  }));
}

/// Two leaves of a rail: only tests across rails tell a link up from the link down behind it.
TEST_P(OnePlace, IsToldFromEveryOtherAcrossRails) {
  const Plan plan{.cross_rail = true};
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SimulatedFabric fabric(kSmall, seed);
    fabric.plant(any_place(fabric, GetParam()));
    for (const Suspect& suspect : isolate(fabric, plan).verdict.suspects)
      EXPECT_TRUE(suspect.alike.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OnePlace,
                         ::testing::Values(Kind::link, Kind::nic_transmit, Kind::nic_receive,
                                           Kind::nic, Kind::host, Kind::leaf, Kind::spine));

/// What is bad makes tests look noisy, until it is named: then the next can be seen.
TEST(SeveralPlaces, AreNamedOneAfterTheOther) {
  int named = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SimulatedFabric fabric(kSmall, seed);
    const Component link = fabric.uplink(2, 3);
    fabric.plant(fabric.leaf(1)).plant(link);
    for (const Suspect& one : isolate(fabric, {.cross_rail = true, .seed = seed}).verdict.suspects)
      named += one.component == link && one.status == Status::named ? 1 : 0;
  }
  EXPECT_GE(named, 18);
}

/// The healthy twin: the same noise, nothing planted.
TEST(HealthyFabric, HasNoNamesInAHundredRuns) {
  int suspected = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SimulatedFabric fabric(kSmall, seed);
    for (const Suspect& one : isolate(fabric, {.seed = seed}).verdict.suspects) {
      EXPECT_NE(one.status, Status::named)
          << in_words(location_of(one.component, fabric.evidence()));
      ++suspected;
    }
  }
  EXPECT_LE(suspected, 1);
}

TEST(HealthyFabric, OfManyNicsHasNoNames) {
  EXPECT_EQ(score_of(kMiddle, 10, {}, [](SimulatedFabric&) {}).named, 0);
}

TEST(HealthyFabric, HasNoNamesWhereManyTestsAreBadByChance) {
  const Score score =
      score_of(kSmall, 100, {}, [](SimulatedFabric& fabric) { fabric.set_noise(0.08, 0.1); });
  EXPECT_EQ(score.named, 0);
}

TEST(HealthyFabric, IsCalledHealthyOnceEverythingWasTested) {
  SimulatedFabric fabric(kMiddle, 1);
  const IsolationRun run = isolate(fabric, {});
  EXPECT_EQ(run.verdict.state, State::healthy);
  EXPECT_GE(run.verdict.coverage(), 0.99);
}

/// All tests of a NIC are bad, but in one round only: something else may have run on its host.
TEST(Disturbance, OfOneRoundNamesNobody) {
  const Plan plan{.ports = 8};
  SimulatedFabric fabric(kSmall, 3);
  fabric.plant({Kind::nic_transmit, 6, 0});
  const auto test = [&](int round) {
    fabric.test(round, matching(fabric.evidence(), round, plan), source_ports(round, plan));
    return judge(fabric.evidence());
  };
  const Verdict after_one = test(0);
  EXPECT_TRUE(after_one.suspects.empty());
  EXPECT_NE(after_one.state, State::healthy);
  const Verdict after_two = test(1);
  ASSERT_EQ(after_two.suspects.size(), 1U);
  EXPECT_EQ(after_two.suspects[0].component, (Component{Kind::nic_transmit, 6, 0}));
}

TEST(Sides, OfASlowNicAreTold) {
  SimulatedFabric fabric(kSmall, 5);
  fabric.plant({Kind::nic_transmit, 6, 0});
  const IsolationRun run = isolate(fabric, {});
  ASSERT_EQ(run.verdict.suspects.size(), 1U);
  EXPECT_EQ(run.verdict.suspects[0].component, (Component{Kind::nic_transmit, 6, 0}));
}

}  // namespace
}  // namespace railgauge::isolation
