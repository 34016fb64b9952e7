#include "measure/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace railgauge::measure {
namespace {

using std::chrono::nanoseconds;

Histogram of(const std::vector<std::int64_t>& times) {
  Histogram histogram;
  for (const std::int64_t time : times) histogram.record(nanoseconds(time));
  return histogram;
}

TEST(Histogram, KnowsEveryDurationToItsError) {
  for (std::int64_t time = 1; time < std::int64_t{1} << 44; time = time * 5 / 4 + 1) {
    Histogram histogram;
    histogram.record(nanoseconds(time));
    histogram.record(nanoseconds(time * 3));  // so that the least does not help
    histogram.record(nanoseconds(time / 3));
    const double exact_us = static_cast<double>(time) / 1e3;
    EXPECT_NEAR(histogram.order_statistic_us(2), exact_us,
                exact_us * Histogram::kRelativeError + 1e-9);
  }
}

TEST(Histogram, OfSeveralIsThatOfAllDurations) {
  const Histogram expected = of({7, 1'000'003, 1'000'004, 999, 123'456'789});
  Histogram sum;
  for (const Histogram& part : {of({1'000'003, 1'000'004}), Histogram{}, of({123'456'789, 7, 999})})
    sum.add(part.bins(), part.min_us(), part.max_us());
  EXPECT_EQ(sum.count(), expected.count());
  EXPECT_EQ(sum.min_us(), expected.min_us());
  EXPECT_EQ(sum.max_us(), expected.max_us());
  for (std::uint64_t rank = 1; rank <= sum.count(); ++rank)
    EXPECT_EQ(sum.order_statistic_us(rank), expected.order_statistic_us(rank)) << rank;
}

TEST(Histogram, AgreesWithSortedDurations) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> distribution(9, 2);
  std::vector<std::int64_t> times(20000);
  for (auto& time : times) time = static_cast<std::int64_t>(distribution(random));
  const Histogram histogram = of(times);
  std::ranges::sort(times);
  for (const unsigned per_mille : {1U, 10U, 500U, 900U, 990U, 999U, 1000U}) {
    const double exact_us = static_cast<double>(times[times.size() * per_mille / 1000 - 1]) / 1e3;
    EXPECT_NEAR(histogram.quantile_us(per_mille), exact_us,
                exact_us * Histogram::kRelativeError + 1e-9);
  }
}

TEST(Histogram, KnowsTheLeastAndTheGreatestExactly) {
  const Histogram histogram = of({1'234'567, 1'234'569, 9'876'543'211});
  EXPECT_EQ(histogram.min_us(), 1234.567);
  EXPECT_EQ(histogram.max_us(), 9876543.211);
}

TEST(Histogram, OfOneDurationIsThatDuration) {
  const Histogram histogram = of({7'654'321});
  for (const unsigned per_mille : {1U, 500U, 1000U}) {
    EXPECT_EQ(histogram.quantile_us(per_mille), 7654.321);
  }
}

TEST(Histogram, TakesPercentilesByNearestRank) {
  const Histogram histogram = of({10, 30, 20, 100});
  EXPECT_EQ(histogram.quantile_us(500), 0.02);  // the lower one, and no mean of two
  EXPECT_EQ(histogram.quantile_us(900), 0.1);
}

TEST(Histogram, TakesADurationSeveralTimes) {
  Histogram once;
  Histogram several;
  for (int i = 0; i < 3; ++i) once.record(nanoseconds(700));
  several.record(nanoseconds(700), 3);
  for (Histogram* one : {&once, &several}) one->record(nanoseconds(900));
  EXPECT_EQ(several.count(), once.count());
  EXPECT_EQ(several.order_statistic_us(3), once.order_statistic_us(3));
  EXPECT_EQ(several.max_us(), once.max_us());
}

TEST(Histogram, BinsHoldAllDurationsAndDoNotOverlap) {
  const Histogram histogram = of({0, 255, 256, 511, 512, 513, 1000, 123'456, 1'000'000'007});
  std::uint64_t count = 0;
  double before = -1;
  for (const Histogram::Bin& bin : histogram.bins()) {
    EXPECT_LE(before, bin.lower_us);
    EXPECT_LT(bin.lower_us, bin.upper_us);
    before = bin.upper_us;
    count += bin.count;
  }
  EXPECT_EQ(count, 9U);
  EXPECT_EQ(count, histogram.count());
}

TEST(Histogram, TakesWhatIsOutOfItsRange) {
  const Histogram histogram = of({-5, std::int64_t{1} << 60});
  EXPECT_EQ(histogram.min_us(), 0);
  EXPECT_GT(histogram.max_us(), 4.8 * 3600 * 1e6);
}

TEST(Histogram, IsEmptyAgainWhenCleared) {
  Histogram histogram = of({5});
  histogram.clear();
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_TRUE(histogram.bins().empty());
  EXPECT_THROW((void)histogram.quantile_us(500), std::out_of_range);
  histogram.record(nanoseconds(9000));
  EXPECT_EQ(histogram.min_us(), 9);
}

}  // namespace
}  // namespace railgauge::measure
