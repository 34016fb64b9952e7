#include "metrics/registry.hpp"

#include <gtest/gtest.h>

#include <string>

namespace railgauge::metrics {
namespace {

constexpr Metric kGauge{.name = "b_bytes", .help = "A gauge."};
constexpr Metric kCounter{.name = "a_total", .kind = Kind::counter, .help = "A counter."};
constexpr Metric kPassing{.name = "c_ratio", .help = "Of each size.", .passing = true};
constexpr Metric kTimes{
    .name = "d_seconds", .kind = Kind::histogram, .help = "Times.", .passing = true};

Labels size(int number) {
  return {{"size", std::to_string(number)}};
}

/// Of the family, which has to be there.
std::vector<Series> series_of(const Registry& registry, std::string_view name) {
  for (const Family& family : registry.snapshot()) {
    if (family.metric.name == name) return family.series;
  }
  return {};
}

TEST(Registry, KeepsEachSeriesOnce) {
  Registry registry;
  registry.set(kGauge, {{"host", "a"}}, 1);
  registry.set(kGauge, {{"host", "b"}}, 2);
  registry.set(kGauge, {{"host", "a"}}, 3);
  const auto series = series_of(registry, "b_bytes");
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].value, 3);
  EXPECT_EQ(series[1].value, 2);
}

TEST(Registry, HasFamiliesInOrderOfNames) {
  Registry registry;
  registry.set(kGauge, {}, 1);
  registry.add(kCounter, {}, 1);
  const Snapshot snapshot = registry.snapshot();
  ASSERT_EQ(snapshot.size(), 2U);
  EXPECT_EQ(snapshot[0].metric.name, "a_total");
}

TEST(Registry, CountersOnlyGrow) {
  Registry registry;
  registry.add(kCounter, {}, 0);
  EXPECT_EQ(series_of(registry, "a_total").at(0).value, 0) << "known before anything happens";
  registry.add(kCounter, {}, 5);
  registry.add(kCounter, {}, -3);
  registry.raise(kCounter, {}, 4);
  EXPECT_EQ(series_of(registry, "a_total").at(0).value, 5);
  registry.raise(kCounter, {}, 7);
  EXPECT_EQ(series_of(registry, "a_total").at(0).value, 7);
}

TEST(Registry, RemovesWhatIsNotKnownAnyMore) {
  Registry registry;
  registry.set(kGauge, {}, 1);
  registry.remove(kGauge, {});
  registry.remove(kCounter, {});
  EXPECT_TRUE(registry.snapshot().empty());
}

TEST(Registry, ForgetsThePassingSeriesThatWasNotTouchedForLongest) {
  Registry registry(3);
  registry.set(kGauge, {}, 1);  // is not passing, and the oldest
  for (const int number : {1, 2, 3}) registry.set(kPassing, size(number), number);
  registry.set(kPassing, size(1), 10);
  EXPECT_EQ(registry.forgotten(), 0U);
  registry.set(kPassing, size(4), 4);
  const auto left = series_of(registry, "c_ratio");
  ASSERT_EQ(left.size(), 3U);
  EXPECT_EQ(left[0].labels, size(1));
  EXPECT_EQ(left[1].labels, size(3));
  EXPECT_EQ(left[2].labels, size(4));
  EXPECT_EQ(series_of(registry, "b_bytes").size(), 1U);
  EXPECT_EQ(registry.forgotten(), 1U);
}

TEST(Registry, CountsAHistogramAsAllItsSeries) {
  Registry registry(TimeHistogram::kSeries + 1);
  registry.set(kPassing, size(1), 1);
  registry.times(kTimes, size(1)).add(0.5);
  registry.times(kTimes, size(1)).add(0.5);
  EXPECT_EQ(registry.forgotten(), 0U);
  EXPECT_EQ(series_count(registry.snapshot()), TimeHistogram::kSeries + 1);
  registry.times(kTimes, size(2)).add(0.5);
  EXPECT_EQ(registry.forgotten(), TimeHistogram::kSeries + 1);
  EXPECT_EQ(series_of(registry, "d_seconds").at(0).labels, size(2));
}

TEST(Registry, KeepsTheNewestHoweverFewMayStay) {
  Registry registry(1);
  registry.times(kTimes, size(1)).add(0.5);
  EXPECT_EQ(series_of(registry, "d_seconds").size(), 1U);
  registry.times(kTimes, size(2)).add(0.5);
  ASSERT_EQ(series_of(registry, "d_seconds").size(), 1U);
  EXPECT_EQ(series_of(registry, "d_seconds").at(0).labels, size(2));
}

}  // namespace
}  // namespace railgauge::metrics
