#include "normal/cohorts.hpp"

#include <gtest/gtest.h>

namespace railgauge::normal {
namespace {

std::vector<Sample> of_speeds(const std::vector<double>& speeds) {
  std::vector<Sample> samples;
  for (const double speed : speeds) samples.push_back({.metric = "bandwidth", .speed = speed});
  return samples;
}

TEST(Cohorts, ExpectTheMedianOfTheFastGroup) {
  const auto samples = of_speeds({48, 47, 49, 12, 12, 12, 12});
  const Expectation expected = Cohorts(samples).expected(samples[3]);
  EXPECT_EQ(expected.value, 48);
  EXPECT_EQ(expected.n, 3U);
  EXPECT_EQ(expected.basis, Basis::fast_group);
  EXPECT_EQ(expected.text, "median of 3 fast pairs");
}

TEST(Cohorts, ExpectTheMedianOfAllOfAMajority) {
  const auto samples = of_speeds({48, 47, 49, 12, 12, 12, 12});
  const Expectation expected = Cohorts(samples, Basis::majority).expected(samples[3]);
  EXPECT_EQ(expected.value, 12);
  EXPECT_EQ(expected.basis, Basis::majority);
  EXPECT_EQ(expected.text, "median of 7 pairs");
}

/// Where half are slow, the fast half is normal among the fast; a majority has none.
TEST(Cohorts, OfAnEvenNumberTakeTheFasterOfTheMiddleOrTheirMean) {
  const auto samples = of_speeds({10, 1, 10, 1});
  EXPECT_EQ(Cohorts(samples, Basis::fast_group).median_for(samples[1]), 10);
  EXPECT_EQ(Cohorts(samples, Basis::majority).median_for(samples[1]), 5.5);
}

TEST(Cohorts, LeaveOutWhatFailed) {
  const auto samples = of_speeds({0, 0, 0, 5});
  EXPECT_EQ(Cohorts(samples).expected(samples[0]).n, 1U);
  EXPECT_FALSE(Cohorts(samples).of(samples[0]).comparable());
  const auto none = of_speeds({0, 0});
  EXPECT_EQ(Cohorts(none).expected(none[0]).n, 0U);
  EXPECT_EQ(Cohorts(none).median_for(none[0]), 0);
}

TEST(Cohorts, AreOfOneNumberOfSwitches) {
  std::vector<Sample> samples;
  for (int i = 0; i < 10; ++i)
    samples.push_back(
        {.metric = "write", .switches = i < 4 ? 1 : 3, .speed = i < 4 ? 1 : 0.5, .adds_up = true});
  const Cohorts cohorts(samples);
  EXPECT_EQ(cohorts.expected(samples[0]).text, "median of 4 fast pairs over 1 switch");
  EXPECT_EQ(cohorts.expected(samples[9]).value, 0.5);
  samples[0].switches = 5;  // alone
  const Cohorts others(samples);
  EXPECT_EQ(others.switches_of(samples[0]), std::nullopt);
  EXPECT_EQ(others.expected(samples[0]).text, "median of 10 pairs");
}

TEST(Cohorts, ScaleToTheLink) {
  auto samples = of_speeds({48, 48, 48, 12});
  for (Sample& sample : samples) sample.link = sample.speed / 0.96;
  const Expectation expected = Cohorts(samples).expected(samples[3]);
  EXPECT_EQ(expected.value, 12);
  EXPECT_EQ(expected.text, "median of 4 fast pairs, scaled to the slower link");
}

TEST(Cohorts, KeepRailsApart) {
  auto samples = of_speeds({10, 10, 1, 1});
  samples[2].same_rail = samples[3].same_rail = false;
  const Expectation expected = Cohorts(samples).expected(samples[3]);
  EXPECT_EQ(expected.value, 1);
  EXPECT_EQ(expected.text, "median of 2 fast pairs across rails");
}

}  // namespace
}  // namespace railgauge::normal
