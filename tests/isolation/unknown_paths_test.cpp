// Where the paths of tests are not known, no link and no spine may be named.

#include <gtest/gtest.h>

#include "isolation/findings.hpp"
#include "isolation/simulated_fabric.hpp"

namespace railgauge::isolation {
namespace {

using Paths = SimulatedFabric::Paths;

class UnknownPaths : public ::testing::TestWithParam<Paths> {};

INSTANTIATE_TEST_SUITE_P(All, UnknownPaths,
                         ::testing::Values(Paths::by_queue_pair, Paths::sprayed, Paths::silent));

/// Runs with a link planted, and how they ended.
template <class Plant>
int runs_in_state(Paths paths, State state, Plant plant, const SimulatedFabric::Shape& shape = {}) {
  int count = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SimulatedFabric fabric(shape, seed, paths);
    plant(fabric);
    const IsolationRun run = isolate(fabric, {.seed = seed});
    for (const Suspect& suspect : run.verdict.suspects) {
      EXPECT_TRUE(suspect.status != Status::named || is_of_unknown_path(suspect.component))
          << in_words(location_of(suspect.component, fabric.evidence()));
    }
    count += run.verdict.state == state ? 1 : 0;
  }
  return count;
}

TEST_P(UnknownPaths, WithABadLinkNameNothingElse) {
  const int unknown = runs_in_state(GetParam(), State::path_unknown, [](SimulatedFabric& fabric) {
    fabric.plant(fabric.any_link());
  });
  EXPECT_GE(unknown, GetParam() == Paths::silent ? 0 : 15);
}

TEST_P(UnknownPaths, WithABadSpineNameNothingElse) {
  const int unknown = runs_in_state(GetParam(), State::path_unknown,
                                    [](SimulatedFabric& fabric) { fabric.plant(fabric.spine(1)); });
  EXPECT_GE(unknown, GetParam() == Paths::silent ? 0 : 15);
}

/// All tests of a NIC are with one other, and half of them pass the link, or all if it is sprayed.
TEST_P(UnknownPaths, OfTwoHostsNameNothing) {
  const auto plant = [](SimulatedFabric& fabric) { fabric.plant(fabric.any_link()); };
  EXPECT_EQ(runs_in_state(GetParam(), State::found, plant,
                          {.hosts = 2, .rails = 1, .leaves = 2, .spines = 2}),
            0);
}

/// A link that half of what a few NICs send passes, among many others that are fine.
TEST_P(UnknownPaths, OfTwoSpinesNameNoNic) {
  const auto plant = [](SimulatedFabric& fabric) { fabric.plant(fabric.uplink(3, 1)); };
  EXPECT_EQ(runs_in_state(GetParam(), State::found, plant,
                          {.hosts = 64, .rails = 1, .leaves = 16, .spines = 2}),
            0);
}

TEST_P(UnknownPaths, OfAHealthyFabricNameNothing) {
  EXPECT_EQ(runs_in_state(GetParam(), State::path_unknown, [](SimulatedFabric&) {}), 0);
}

/// NICs are the ends of tests, whatever the path.
TEST_P(UnknownPaths, StillNameANic) {
  Score score;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SimulatedFabric fabric({}, seed, GetParam());
    fabric.plant(fabric.any_nic(Kind::nic_receive));
    score.add(fabric, isolate(fabric, {.seed = seed}).verdict);
  }
  EXPECT_GE(score.recall(), 0.95);
  EXPECT_GE(score.precision(), 0.99);
}

/// No path to or from a NIC that does not answer can be traced.
void cut_off(Evidence& evidence, std::size_t nic, int switches_known) {
  for (Observation& test : evidence.tests) {
    if (test.from != nic && test.to != nic) continue;
    test.hops.assign(test.hops.size() > 1 ? 1U : 0U, kUnknownSwitch);
    if (switches_known == 0) test.hops.clear();
    test.outcome = {.failed = true};
  }
}

/// Its unknown paths are no reason to suspect what is between the others.
TEST(ADeadNic, IsNamedThoughItsPathsAreNotKnown) {
  for (const int known : {0, 1}) {
    SimulatedFabric fabric({}, 7);
    (void)isolate(fabric, {});
    cut_off(fabric.evidence(), 5, known);
    const Verdict verdict = judge(fabric.evidence());
    EXPECT_EQ(verdict.state, State::found);
    ASSERT_EQ(verdict.suspects.size(), 1U);
    EXPECT_EQ(verdict.suspects[0].component, (Component{Kind::nic, 5, 0}));
    EXPECT_EQ(verdict.unknown_paths, 0U);
    EXPECT_TRUE(enough(verdict, 3, {}));
  }
}

/// The leaf of all bad tests is known, even so.
TEST(PathUnknown, SaysWhatIsKnown) {
  SimulatedFabric fabric({}, 3, Paths::sprayed);
  fabric.plant(fabric.uplink(0, 2));
  const IsolationRun run = isolate(fabric, {});
  ASSERT_EQ(run.verdict.state, State::path_unknown);
  EXPECT_EQ(run.verdict.suspects[0].component, (Component{Kind::uplinks, 0, 0}));
  const finding::Report report = report_of(run.verdict, fabric.evidence());
  EXPECT_EQ(headline(report.findings[0]),
            "link leaf0 -> ? or link ? -> leaf1: packet loss (possible)");
  EXPECT_EQ(report.findings[0].excuses.front(), "the path is not known");
}

/// What is named, where every other test through a link of that spine does not know the spine.
std::vector<Component> named_with_lost_answers(SimulatedFabric fabric, const Component& link) {
  const Plan plan{.cross_rail = true};
  for (int round = 0; round < 6; ++round)
    fabric.test(round, matching(fabric.evidence(), round, plan), source_ports(round, plan));
  std::size_t count = 0;
  for (Observation& test : fabric.evidence().tests) {
    const bool passes =
        test.hops.size() > 1 && test.hops[0] == link.first && test.hops[1] == link.second;
    if (passes && ++count % 2 == 0) test.hops[1] = kUnknownSwitch;
  }
  EXPECT_GE(count, 8U);
  std::vector<Component> named;
  for (const Suspect& one : judge(fabric.evidence()).suspects) {
    if (one.status == Status::named) named.push_back(one.component);
  }
  return named;
}

/// A switch whose answers were lost: the paths of a few source ports are not known.
TEST(PathUnknown, OfSomeTestsIsNoSecondFault) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SimulatedFabric fabric({}, seed);
    const Component link = fabric.uplink(0, 2);
    fabric.plant(link);
    EXPECT_EQ(named_with_lost_answers(fabric, link), std::vector<Component>{link}) << seed;
  }
}

TEST(PathUnknown, OfSomeTestsOverABadSpineIsNoSecondFault) {
  SimulatedFabric fabric({}, 3);
  fabric.plant(fabric.spine(2));
  EXPECT_EQ(named_with_lost_answers(fabric, fabric.uplink(0, 2)),
            std::vector<Component>{fabric.spine(2)});
}

}  // namespace
}  // namespace railgauge::isolation
