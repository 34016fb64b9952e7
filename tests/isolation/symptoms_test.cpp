#include "isolation/symptoms.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::isolation {
namespace {

Evidence of_two_nics(int tests, const std::vector<int>& hops) {
  Evidence evidence;
  evidence.nics = {{"host0", {.device = "mlx5_0"}, 0}, {"host1", {.device = "mlx5_0"}, 0}};
  evidence.switches = {"leaf0", "spine0", "leaf1"};
  for (int i = 0; i < tests; ++i) {
    Observation test;
    test.to = 1;
    test.hops = hops;
    test.outcome.gigabytes_per_second = 10;
    test.outcome.latency_us = 5;
    test.outcome.lost_share = 0;
    evidence.tests.push_back(test);
  }
  return evidence;
}

TEST(Symptoms, OfEqualTestsAreNone) {
  for (const Symptoms& one : symptoms_of(of_two_nics(5, {0}), {})) EXPECT_FALSE(one.any());
}

TEST(Symptoms, AreHeldToTheMedian) {
  Evidence evidence = of_two_nics(9, {0});
  evidence.tests[0].outcome.gigabytes_per_second = 7.9;
  evidence.tests[1].outcome.gigabytes_per_second = 8.1;
  evidence.tests[2].outcome.latency_us = 10.1;
  evidence.tests[3].outcome.latency_us = 9.9;
  evidence.tests[4].outcome.lost_share = 0.001;
  evidence.tests[5].outcome.lost_share = 0.0001;
  const auto all = symptoms_of(evidence, {});
  EXPECT_TRUE(all[0].slow);
  EXPECT_FALSE(all[1].any());
  EXPECT_TRUE(all[2].late);
  EXPECT_FALSE(all[3].any());
  EXPECT_TRUE(all[4].lossy);
  EXPECT_FALSE(all[5].any());
}

/// NICs of two kinds: each test is held to the slower of its two links.
TEST(Symptoms, AreNoneOfALinkThatIsSlowerByDesign) {
  Evidence evidence = of_two_nics(9, {0});
  evidence.nics = {{"host0", {.device = "mlx5_0"}, 0, 400},
                   {"host1", {.device = "mlx5_0"}, 0, 400},
                   {"host2", {.device = "mlx5_0"}, 0, 100}};
  for (const std::size_t slower : {0U, 1U}) {
    evidence.tests[slower].to = 2;
    evidence.tests[slower].outcome.gigabytes_per_second = 2.5;
  }
  for (const Symptoms& one : symptoms_of(evidence, {})) EXPECT_FALSE(one.any());
  evidence.tests[1].outcome.gigabytes_per_second = 1.25;
  evidence.tests[2].outcome.gigabytes_per_second = 5;
  const auto all = symptoms_of(evidence, {});
  EXPECT_FALSE(all[0].slow);
  EXPECT_TRUE(all[1].slow);
  EXPECT_TRUE(all[2].slow);
  evidence.nics[1].link_gigabits_per_second = 0;
  EXPECT_TRUE(symptoms_of(evidence, {})[0].slow) << "not all are known";
}

/// A spine of two at half rate, or a leaf of two: most tests pass it.
TEST(Symptoms, OfAMajorityAreSeen) {
  Evidence evidence = of_two_nics(20, {0});
  for (std::size_t test = 0; test < 14; ++test) {
    evidence.tests[test].outcome.gigabytes_per_second = 5;
    evidence.tests[test].outcome.latency_us = 20;
  }
  const auto all = symptoms_of(evidence, {});
  for (std::size_t test = 0; test < all.size(); ++test) {
    EXPECT_EQ(all[test].slow, test < 14) << test;
    EXPECT_EQ(all[test].late, test < 14) << test;
  }
}

/// One that seems faster than it can be, and a healthy spread.
TEST(Symptoms, AreNotOfWhatIsSlowerThanAMistake) {
  Evidence evidence = of_two_nics(20, {0});
  evidence.tests[3].outcome.gigabytes_per_second = 300;
  for (std::size_t test = 4; test < 20; ++test)
    evidence.tests[test].outcome.gigabytes_per_second = 9 + 0.125 * static_cast<double>(test);
  for (const Symptoms& one : symptoms_of(evidence, {})) EXPECT_FALSE(one.slow);
}

/// Over more switches it takes longer, and that is no fault.
TEST(Symptoms, CompareWhatPassesAsManySwitches) {
  Evidence evidence = of_two_nics(5, {0});
  for (Observation test : of_two_nics(5, {0, 1, 2}).tests) {
    test.outcome.latency_us = 20;
    evidence.tests.push_back(test);
  }
  for (const Symptoms& one : symptoms_of(evidence, {})) EXPECT_FALSE(one.any());
}

TEST(Symptoms, OfWhatIsExpectedNeedNoOthers) {
  Evidence evidence = of_two_nics(3, {0});
  for (Observation& test : evidence.tests) test.outcome.expected_gigabytes_per_second = 12.6;
  for (const Symptoms& one : symptoms_of(evidence, {})) EXPECT_TRUE(one.slow);
}

TEST(Symptoms, OfLatencyAreHeldToWhatIsExpected) {
  Evidence evidence = of_two_nics(3, {});
  for (Observation& test : evidence.tests) test.outcome.expected_latency_us = 3;
  EXPECT_FALSE(symptoms_of(evidence, {})[0].any());
  evidence.tests[0].outcome.latency_us = 6.1;
  EXPECT_TRUE(symptoms_of(evidence, {})[0].late);
}

/// Whatever they measured it with, it was not what others are held to.
TEST(Symptoms, OfWhatIsExpectedChangeNoMedian) {
  Evidence evidence = of_two_nics(3, {0});
  for (Observation test : of_two_nics(9, {0}).tests) {
    test.outcome.gigabytes_per_second = 40;
    test.outcome.expected_gigabytes_per_second = 42;
    test.outcome.latency_us = 1;
    test.outcome.expected_latency_us = 1;
    evidence.tests.push_back(test);
  }
  for (const Symptoms& one : symptoms_of(evidence, {})) EXPECT_FALSE(one.any());
}

/// Ten fast ones, which had a CPU for 81 to 90 % of the time, and one that is slow.
Evidence and_a_slow_one(double gigabytes_per_second, std::optional<double> cpu_share) {
  Evidence evidence = of_two_nics(11, {0});
  for (std::size_t test = 0; test < 10; ++test)
    evidence.tests[test].outcome.cpu_share = 0.9 - 0.01 * static_cast<double>(test);
  evidence.tests[10].outcome.gigabytes_per_second = gigabytes_per_second;
  evidence.tests[10].outcome.cpu_share = cpu_share;
  return evidence;
}

TEST(Symptoms, AreNoneOfATestWhoseProcessesHadNoCpu) {
  const Symptoms starved = symptoms_of(and_a_slow_one(3, 0.2), {})[10];
  EXPECT_TRUE(starved.starved);
  EXPECT_FALSE(starved.slow);
  EXPECT_TRUE(starved.says_nothing());
  EXPECT_TRUE(symptoms_of(and_a_slow_one(3, 0.82), {})[10].slow) << "as fast ones did";
  EXPECT_TRUE(symptoms_of(and_a_slow_one(3, {}), {})[10].slow) << "nothing is known of it";
  EXPECT_TRUE(symptoms_of(and_a_slow_one(1, 0.2), {})[10].slow) << "5 in all of the time";
  EXPECT_TRUE(symptoms_of(and_a_slow_one(3, 0.8), {})[10].slow) << "3.75 in all of the time";
  EXPECT_FALSE(symptoms_of(and_a_slow_one(0.5, 0.098), {})[10].slow) << "how slow is not known";
  EXPECT_FALSE(symptoms_of(and_a_slow_one(0.5, 0), {})[10].slow) << "nor here";
  EXPECT_FALSE(symptoms_of(and_a_slow_one(9, 0.2), {})[10].starved) << "it is not slow";
}

TEST(Symptoms, OfLossAreThoseOfAStarvedTestToo) {
  Evidence evidence = and_a_slow_one(3, 0.2);
  evidence.tests[10].outcome.lost_share = 0.01;
  const Symptoms lossy = symptoms_of(evidence, {})[10];
  EXPECT_TRUE(lossy.lossy);
  EXPECT_FALSE(lossy.slow);
  EXPECT_FALSE(lossy.says_nothing());
}

TEST(Symptoms, OfATestThatFailedAreThatItFailed) {
  Evidence evidence = of_two_nics(3, {0});
  evidence.tests[1].outcome.failed = true;
  evidence.tests[1].outcome.gigabytes_per_second = 0.1;
  const auto all = symptoms_of(evidence, {});
  EXPECT_TRUE(all[1].dead);
  EXPECT_FALSE(all[1].slow);
}

TEST(Symptoms, OfWhatWasNotMeasuredAreNone) {
  Evidence evidence = of_two_nics(3, {});
  evidence.tests[0].outcome = {};
  EXPECT_FALSE(symptoms_of(evidence, {})[0].any());
}

TEST(Symptoms, NeedNicsAndSwitchesThatThereAre) {
  Evidence evidence = of_two_nics(1, {0});
  evidence.tests[0].to = 2;
  EXPECT_THROW(static_cast<void>(symptoms_of(evidence, {})), std::invalid_argument);
  evidence.tests[0].to = 0;
  EXPECT_THROW(static_cast<void>(symptoms_of(evidence, {})), std::invalid_argument);
  evidence.tests[0].to = 1;
  evidence.tests[0].hops = {3};
  EXPECT_THROW(static_cast<void>(symptoms_of(evidence, {})), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::isolation
