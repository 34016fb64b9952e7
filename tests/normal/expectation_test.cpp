#include "normal/expectation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace railgauge::normal {
namespace {

TEST(Expectation, OfLineRateIsAShareOfTheLink) {
  const Expectation expected = of_line_rate(50, 0.9);
  EXPECT_EQ(expected.value, 45);
  EXPECT_EQ(expected.basis, Basis::line_rate);
  EXPECT_EQ(expected.text, "90 % of line rate");
}

TEST(Compare, IsOneSided) {
  const Expectation expected{.value = 10, .n = 4};
  EXPECT_EQ(compare(100, 1, expected, 0.8), Deviation::none);
  EXPECT_EQ(compare(8, 1, expected, 0.8), Deviation::none);
  EXPECT_EQ(compare(7.9, 1, expected, 0.8), Deviation::real);
}

TEST(Compare, ExcusesWhatWouldBeFastWithACpuAllTheTime) {
  const Expectation expected{.value = 10, .n = 4};
  EXPECT_EQ(compare(4, 0.5, expected, 0.8), Deviation::disturbed);
  EXPECT_EQ(compare(3, 0.5, expected, 0.8), Deviation::real) << "slow anyway";
  EXPECT_EQ(compare(7.9, 0.96, expected, 0.8), Deviation::real)
      << "a poll that is late now and then";
}

TEST(Compare, KnowsNothingWithoutAnExpectation) {
  EXPECT_EQ(compare(7, 1, {}, 0.8), Deviation::unknown);
}

Deviation of(const std::vector<Attempt>& attempts, bool retested) {
  return deviation_of(attempts, retested);
}

TEST(Deviation, IsUnconfirmedUntilRetested) {
  EXPECT_EQ(of({{}}, false), Deviation::unconfirmed);
  EXPECT_EQ(of({{.alone = true}}, true), Deviation::real);
  EXPECT_EQ(of({{}, {.alone = true}}, true), Deviation::real);
}

TEST(Deviation, OfAFailureIsRealAtOnce) {
  EXPECT_EQ(of({{.failed = true}}, false), Deviation::real);
}

TEST(Deviation, IsDisturbedIfEveryAttemptIsExcused) {
  const Attempt excused{.alone = true, .descheduled = true};
  const Attempt explained{.alone = true, .explained = true, .cpu_share = 0.5};
  const Attempt starved{.alone = true, .cpu_share = 0.5};
  EXPECT_EQ(of({excused}, true), Deviation::disturbed);
  EXPECT_EQ(of({excused, explained}, true), Deviation::disturbed);
  EXPECT_EQ(of({starved, explained}, true), Deviation::disturbed) << "estimates speak for it";
  EXPECT_EQ(of({starved}, true), Deviation::real) << "and none does here";
  EXPECT_EQ(of({explained, {.alone = true}}, true), Deviation::real);
  EXPECT_EQ(of({{.failed = true, .descheduled = true}, {.failed = true}}, true), Deviation::real);
}

}  // namespace
}  // namespace railgauge::normal
