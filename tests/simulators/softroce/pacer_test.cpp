#include "softroce/device/pacer.hpp"

#include <gtest/gtest.h>

namespace railgauge::softroce {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Time kStart{seconds(100)};
constexpr double kRate = 8e6;         // a byte in a microsecond
constexpr std::size_t kBytes = 4112;  // with headers 4154 us
constexpr nanoseconds kTime{4'154'000};

TEST(Pacer, WithoutARateTheLineIsAlwaysFree) {
  const Pacer pacer;
  EXPECT_FALSE(pacer.paces());
  EXPECT_TRUE(pacer.is_free(kStart));
}

TEST(Pacer, LetsAsMuchThroughAsTheLineCarries) {
  Pacer pacer;
  pacer.set_rate(kRate);
  Time now = kStart;
  pacer.sent(kBytes, false, now);
  for (int packet = 0; packet < 1000; ++packet) {
    now = std::max(now, pacer.wake_up());
    EXPECT_TRUE(pacer.is_free(now));
    pacer.sent(kBytes, true, now);
  }
  // The first leaves at once, and two wait on the line.
  EXPECT_GE(now, kStart + 997 * kTime);
  EXPECT_LE(now, kStart + 999 * kTime);
}

TEST(Pacer, WhatWaitedAndWasFetchedLateCatchesUp) {
  Pacer pacer;
  pacer.set_rate(kRate);
  pacer.sent(kBytes, false, kStart);
  const Time late = pacer.wake_up() + milliseconds(15);
  int fetched = 0;
  for (; pacer.is_free(late); ++fetched) pacer.sent(kBytes, true, late);
  EXPECT_EQ(fetched, 5);  // of 15 ms, and the two that were due
}

TEST(Pacer, WhatComesAfterAPauseDoesNot) {
  Pacer pacer;
  pacer.set_rate(kRate);
  pacer.sent(kBytes, false, kStart);
  const Time later = kStart + seconds(10);
  int sent = 0;
  for (; pacer.is_free(later); ++sent) pacer.sent(kBytes, false, later);
  EXPECT_EQ(sent, 3);
}

TEST(Pacer, WhoeverWasStoppedDoesNotMakeUpForAllOfIt) {
  Pacer pacer;
  pacer.set_rate(kRate);
  pacer.sent(kBytes, false, kStart);
  const Time later = kStart + seconds(10);
  int sent = 0;
  for (; pacer.is_free(later); ++sent) pacer.sent(kBytes, true, later);
  EXPECT_EQ(sent, 7);
}

}  // namespace
}  // namespace railgauge::softroce
