#include "softroce/device/round_trip.hpp"

#include <gtest/gtest.h>

namespace railgauge::softroce {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Time kStart{seconds(100)};
constexpr double kFast = 40e9;

/// One question and its answer.
void measure(RoundTrip& trip, Psn psn, nanoseconds duration) {
  trip.sent(psn, kStart);
  trip.answered(psn_plus(psn, 1), kStart + duration);
}

TEST(RoundTrip, WaitsAWhileForTheFirstAnswer) {
  const RoundTrip trip(kFast);
  EXPECT_GE(trip.timeout(seconds(1)), milliseconds(2));
  EXPECT_EQ(trip.timeout(microseconds(100)), microseconds(100));  // never longer than promised
  EXPECT_GT(trip.estimate(), nanoseconds{0});
}

TEST(RoundTrip, FollowsWhatItMeasures) {
  RoundTrip trip(kFast);
  measure(trip, 1, milliseconds(10));
  EXPECT_EQ(trip.estimate(), milliseconds(10));
  EXPECT_EQ(trip.timeout(seconds(1)), milliseconds(30));  // RFC 6298: R + 4 * R / 2
  for (int i = 0; i < 100; ++i) measure(trip, 1, milliseconds(20));
  EXPECT_NEAR(static_cast<double>(trip.estimate().count()), 20e6, 1e5);
  EXPECT_LT(trip.timeout(seconds(1)), milliseconds(22));
}

TEST(RoundTrip, IsNeverNervous) {
  RoundTrip trip(kFast);
  for (int i = 0; i < 100; ++i) measure(trip, 1, microseconds(3));
  EXPECT_EQ(trip.timeout(seconds(1)), milliseconds(1));
}

TEST(RoundTrip, WaitsForFullQueuesOnASlowLine) {
  RoundTrip trip(kFast / 1000);
  EXPECT_GT(trip.timeout(seconds(1)), milliseconds(400));
  for (int i = 0; i < 100; ++i) measure(trip, 1, microseconds(3));
  EXPECT_GT(trip.timeout(seconds(1)), milliseconds(400));
}

TEST(RoundTrip, LearnsNothingFromWhatWasSentTwice) {
  RoundTrip trip(kFast);
  trip.sent(1, kStart);
  trip.forget();
  trip.answered(2, kStart + seconds(1));
  EXPECT_LT(trip.estimate(), seconds(1));
}

TEST(RoundTrip, AfterAPrematureTimeOutWaitsForLongerUntilItHasMeasured) {
  RoundTrip trip(kFast);
  trip.back_off();
  const nanoseconds longer = trip.timeout(seconds(1));
  trip.premature();
  trip.progress();
  EXPECT_EQ(trip.timeout(seconds(1)), longer);
  measure(trip, 1, microseconds(3));
  trip.progress();
  EXPECT_LT(trip.timeout(seconds(1)), longer);
}

TEST(RoundTrip, AfterALossWaitsAsBefore) {
  RoundTrip trip(kFast);
  const nanoseconds before = trip.timeout(seconds(1));
  trip.back_off();
  trip.progress();
  EXPECT_EQ(trip.timeout(seconds(1)), before);
}

TEST(RoundTrip, AnEarlierAnswerIsNotTheAnswer) {
  RoundTrip trip(kFast);
  trip.sent(5, kStart);
  trip.answered(5, kStart + milliseconds(1));  // all before 5
  trip.answered(6, kStart + milliseconds(4));
  EXPECT_EQ(trip.estimate(), milliseconds(4));
}

TEST(RoundTrip, BacksOffAndRecovers) {
  RoundTrip trip(kFast);
  measure(trip, 1, microseconds(3));
  trip.back_off();
  EXPECT_EQ(trip.timeout(seconds(1)), milliseconds(2));
  for (int i = 0; i < 100; ++i) trip.back_off();
  EXPECT_EQ(trip.timeout(seconds(1)), milliseconds(8));
  trip.progress();
  EXPECT_EQ(trip.timeout(seconds(1)), milliseconds(1));
}

}  // namespace
}  // namespace railgauge::softroce
