#include "measure/statistics.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace railgauge::measure {
namespace {

TEST(Statistics, SummarisesADistribution) {
  Histogram times;
  for (int i = 1; i <= 200; ++i) times.record(std::chrono::nanoseconds(i));
  const Summary summary = summarize(times);
  EXPECT_EQ(summary.n, 200U);
  EXPECT_EQ(summary.min_us, 0.001);
  EXPECT_EQ(summary.p50_us, 0.1);
  EXPECT_EQ(summary.p90_us, 0.18);
  EXPECT_EQ(summary.p99_us, 0.198);
  EXPECT_EQ(summary.p999_us, 0.2);
  EXPECT_EQ(summary.max_us, 0.2);
  EXPECT_NEAR(summary.mean_us, 0.1005, 0.001);
}

TEST(Statistics, VariationIsDeviationOverMean) {
  Histogram times;
  for (const int us : {90, 110, 90, 110}) times.record(std::chrono::microseconds(us));
  EXPECT_NEAR(variation(times), 0.1, 0.005);
  EXPECT_EQ(variation(Histogram()), 0);
}

TEST(Statistics, RefusesNothing) {
  EXPECT_THROW((void)summarize(Histogram()), std::out_of_range);
  EXPECT_THROW((void)median({}), std::invalid_argument);
}

TEST(Statistics, TheMedianIsAValueThatIsThere) {
  EXPECT_EQ(median(std::vector<double>{10, 1000, 30, 20}), 20);
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
}

Histogram one_to(int n) {
  Histogram times;
  for (int i = 1; i <= n; ++i) times.record(std::chrono::microseconds(i));
  return times;
}

TEST(MedianInterval, IsThatOfTheTable) {
  // Le Boudec, table A.1: n, then the ranks of the two order statistics.
  for (const auto& [n, ranks] : {std::pair{6, std::pair{1, 6}},
                                 {8, {1, 8}},
                                 {9, {2, 8}},
                                 {20, {6, 15}},
                                 {50, {18, 33}},
                                 {70, {27, 44}}}) {
    const auto interval = median_interval(one_to(n));
    ASSERT_TRUE(interval) << n;
    EXPECT_NEAR(interval->low_us, ranks.first, ranks.first * 0.002) << n;
    EXPECT_NEAR(interval->high_us, ranks.second, ranks.second * 0.002) << n;
  }
}

TEST(MedianInterval, FewerThanSixHaveNone) {
  for (int n = 0; n < 6; ++n) EXPECT_FALSE(median_interval(one_to(n))) << n;
}

TEST(MedianInterval, HoldsTheMedianInNineteenOfTwentyCases) {
  std::mt19937_64 random(3);
  std::exponential_distribution<double> distribution(1.0 / 50'000);
  const double median_us = 50 * 0.6931471805599453;
  for (const int n : {12, 70, 71, 300}) {
    int held = 0;
    constexpr int kCases = 2000;
    for (int i = 0; i < kCases; ++i) {
      Histogram times;
      for (int k = 0; k < n; ++k) {
        times.record(std::chrono::nanoseconds(static_cast<std::int64_t>(distribution(random))));
      }
      const auto interval = median_interval(times);
      if (interval->low_us <= median_us && median_us <= interval->high_us) ++held;
    }
    EXPECT_GT(held, kCases * 0.935) << n;
    EXPECT_LT(held, kCases * 0.985) << n;
  }
}

/// `n` durations around each of two centres, the second with this share of them.
Histogram two_groups(double first_us, double second_us, double share, int n) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> spread(1, 0.03);
  Histogram times;
  for (int i = 0; i < n; ++i) {
    const bool second = static_cast<double>(i % 100) < share * 100;
    const double us = (second ? second_us : first_us) * spread(random);
    times.record(std::chrono::nanoseconds(static_cast<std::int64_t>(us * 1000)));
  }
  return times;
}

TEST(Modes, TwoGroupsAreSeen) {
  for (const int n : {400, 1000, 100'000}) {
    EXPECT_TRUE(is_bimodal(two_groups(100, 150, 0.5, n))) << n;
    EXPECT_TRUE(is_bimodal(two_groups(100, 150, 0.2, n))) << n;
    EXPECT_TRUE(is_bimodal(two_groups(100, 60, 0.2, n))) << n;
    EXPECT_TRUE(is_bimodal(two_groups(10, 9000, 0.3, n))) << n;
  }
}

TEST(Modes, OneGroupIsOne) {
  for (const int n : {20, 100, 1000, 100'000})
    EXPECT_FALSE(is_bimodal(two_groups(100, 100, 0.5, n)));
}

TEST(Modes, AFewOutliersAreNoGroup) {
  EXPECT_FALSE(is_bimodal(two_groups(100, 500, 0.02, 10'000)));
}

TEST(Modes, ALongTailIsNoGroup) {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> distribution(10, 0.5);
  for (const int n : {1000, 100'000}) {
    Histogram times;
    for (int i = 0; i < n; ++i) {
      times.record(std::chrono::nanoseconds(static_cast<std::int64_t>(distribution(random))));
    }
    EXPECT_FALSE(is_bimodal(times)) << n;
  }
}

TEST(Modes, AFewDurationsHaveNone) {
  EXPECT_FALSE(is_bimodal(Histogram()));
  EXPECT_FALSE(is_bimodal(two_groups(100, 900, 0.5, 19)));
}

TEST(Straggler, IsTheRankThatTheOthersWaitFor) {
  const std::vector<double> own_us{10, 11, 60, 9, 10};
  const auto found = find_straggler(own_us, 70);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rank, 2U);
  EXPECT_EQ(found->own_us, 60);
  EXPECT_EQ(found->others_us, 10);
}

TEST(Straggler, NobodyIsAmongRanksThatDifferAlike) {
  EXPECT_FALSE(find_straggler(std::vector<double>{10, 12, 14, 16, 18}, 20));
}

TEST(Straggler, NobodyIsForAQuarterOfTheTimeOrLess) {
  EXPECT_FALSE(find_straggler(std::vector<double>{10, 10, 10, 20}, 40));
  EXPECT_TRUE(find_straggler(std::vector<double>{10, 10, 10, 21}, 40));
}

TEST(Straggler, TwoRanksHaveNobodyToDifferFrom) {
  EXPECT_FALSE(find_straggler(std::vector<double>{1, 100}, 100));
  EXPECT_TRUE(find_straggler(std::vector<double>{1, 1, 100}, 100));
}

TEST(Straggler, ARankWithLessToDoIsNone) {
  EXPECT_FALSE(find_straggler(std::vector<double>{100, 100, 100, 1}, 100));
}

}  // namespace

}  // namespace railgauge::measure
