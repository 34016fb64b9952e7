#include "metrics/snapshot.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "metrics/registry.hpp"

namespace railgauge::metrics {
namespace {

constexpr Metric kBytes{.name = "a_bytes", .help = "Two\nlines, \"quoted\"."};
constexpr Metric kEvents{.name = "b_events_total", .kind = Kind::counter, .help = "Events."};
constexpr Metric kTimes{.name = "c_seconds", .kind = Kind::histogram, .help = "Times."};

Snapshot sample() {
  Registry registry;
  registry.set(kBytes, {}, 1e9);
  registry.set(kBytes, {{"host", "a\"b\\c\nd\xffz"}}, 0.5);
  registry.add(kEvents, {{"class", "loss"}}, 3);
  return registry.snapshot();
}

TEST(Exposition, WritesPrometheusText) {
  EXPECT_EQ(text_of(sample()),
            "# HELP a_bytes Two\\nlines, \\\"quoted\\\".\n"
            "# TYPE a_bytes gauge\n"
            "a_bytes 1e+09\n"
            "a_bytes{host=\"a\\\"b\\\\c\\nd?z\"} 0.5\n"
            "# HELP b_events_total Events.\n"
            "# TYPE b_events_total counter\n"
            "b_events_total{class=\"loss\"} 3\n");
}

TEST(Exposition, WritesHistogramsWithBucketsThatHoldAllBelow) {
  Registry registry;
  TimeHistogram& times = registry.times(kTimes, {{"size", "8"}});
  times.add(1.5e-6, 2);
  times.add(0.15);
  times.add(60);
  const std::string text = text_of(registry.snapshot());
  for (const std::string line :
       {"c_seconds_bucket{size=\"8\",le=\"1e-06\"} 0",
        "c_seconds_bucket{size=\"8\",le=\"2e-06\"} 2", "c_seconds_bucket{size=\"8\",le=\"0.1\"} 2",
        "c_seconds_bucket{size=\"8\",le=\"0.2\"} 3", "c_seconds_bucket{size=\"8\",le=\"10\"} 3",
        "c_seconds_bucket{size=\"8\",le=\"+Inf\"} 4", "c_seconds_count{size=\"8\"} 4",
        "c_seconds_sum{size=\"8\"} 60.150003"}) {
    EXPECT_NE(text.find(line + "\n"), std::string::npos) << line << " is not in\n" << text;
  }
}

TEST(Exposition, WritesNumbersThatAreNone) {
  using Limits = std::numeric_limits<double>;
  Registry registry;
  registry.set(kBytes, {{"a", "1"}}, Limits::quiet_NaN());
  registry.set(kBytes, {{"a", "2"}}, Limits::infinity());
  registry.set(kBytes, {{"a", "3"}}, -Limits::infinity());
  const std::string text = text_of(registry.snapshot());
  EXPECT_NE(text.find("{a=\"1\"} NaN\n"), std::string::npos);
  EXPECT_NE(text.find("{a=\"2\"} +Inf\n"), std::string::npos);
  EXPECT_NE(text.find("{a=\"3\"} -Inf\n"), std::string::npos);
}

TEST(Exposition, LosesNothingOfLargeCounters) {
  Registry registry;
  registry.add(kEvents, {}, 9007199254740991);
  EXPECT_NE(text_of(registry.snapshot()).find(" 9007199254740991\n"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::metrics
