#include "soak/standing.hpp"

#include <gtest/gtest.h>

#include "soak/sample_record.hpp"

namespace railgauge::soak {
namespace {

TEST(BaselineTest, LaterWindowsAreComparedWithTheFirstHour) {
  Baseline baseline(2);
  for (int i = 0; i < 3; ++i) {
    Window window = sample_window(1, 100);
    baseline.take(window, i);
    EXPECT_NEAR(window.phases[0].jct_ratio.value(), 1, 0.01);
  }
  for (int i = 0; i < 100; ++i) {
    Window later = sample_window(2, 150);
    baseline.take(later, Baseline::kSeconds);
    EXPECT_NEAR(later.phases[0].jct_ratio.value(), 1.5, 0.01) << "it does not get used to it";
  }
  EXPECT_NEAR(baseline.microseconds()[0], 100, 1);
  EXPECT_EQ(baseline.microseconds()[1], 0) << "had no turn yet";
}

TEST(TotalsTest, AddUpOverWindows) {
  Totals totals(sample_header().plan);
  totals.take(sample_window(1, 100));
  totals.take(sample_window(2, 100));
  const auto rows = totals.rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].iterations, 2000U);
  EXPECT_EQ(rows[0].verified_iterations, 20U);
  EXPECT_EQ(rows[0].bytes, 2400U);
  EXPECT_EQ(rows[0].max_us, 400);
  EXPECT_NEAR(rows[0].p50_us, 100, 1);
  EXPECT_NEAR(rows[0].busbw_gigabytes_per_second, 40, 0.5);
  EXPECT_EQ(rows[1].iterations, 0U);
}

TEST(TotalsTest, TellHowMuchTheJobCompletionTimeVaries) {
  Totals totals(sample_header().plan);
  for (const double ratio : {1.0, 1.2}) {
    Window window = sample_window(1);
    window.phases[0].jct_ratio = ratio;
    totals.take(window);
  }
  EXPECT_EQ(totals.rows()[0].jct_ratio, 1.2);
  EXPECT_NEAR(totals.rows()[0].jct_ratio_deviation.value(), 0.1414, 0.001);
}

TEST(StandingTest, IsTheSameReadAgain) {
  Standing live(sample_header());
  Standing again(sample_header());
  for (std::uint64_t number = 1; number <= 5; ++number) {
    Window window = sample_window(number, 100 + static_cast<double>(number));
    for (const Event& event : live.take(window)) again.take_again(event);
    again.take_again(from_text(to_text(window)));
  }
  EXPECT_EQ(again.last_window(), 5U);
  EXPECT_EQ(again.measured_s(), live.measured_s());
  results::SoakBody first;
  results::SoakBody second;
  live.fill(first);
  again.fill(second);
  EXPECT_EQ(first.rows[0].p50_us, second.rows[0].p50_us);
  EXPECT_EQ(first.rows[0].jct_ratio, second.rows[0].jct_ratio);
  EXPECT_EQ(first.judgement.windows, second.judgement.windows);
}

TEST(StandingTest, RemembersGapsAndEvents) {
  Standing standing(sample_header());
  Gap gap;
  gap.after_window = 3;
  gap.why = "power cut";
  (void)standing.take(gap);
  Event event;
  event.text = "it snowed";
  standing.take_again(event);
  results::SoakBody body;
  standing.fill(body);
  ASSERT_EQ(body.gaps.size(), 1U);
  EXPECT_EQ(body.gaps[0].why, "power cut");
  EXPECT_EQ(body.events_seen, 1U);
  EXPECT_EQ(body.events.at(0).text, "it snowed");
}

}  // namespace
}  // namespace railgauge::soak
