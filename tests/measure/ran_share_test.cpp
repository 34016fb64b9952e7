#include "measure/ran_share.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace railgauge::measure {
namespace {

TEST(RanShare, IsLittleOfATimeThatWasSlept) {
  const RanShare share;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(share.until_now(), 0.1);
}

/// On a busy host it may be little of the time, but it is what this thread ran.
TEST(RanShare, GrowsWithWhatTheThreadRuns) {
  RanShare share;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const double slept = share.until_now();
  for (long turns = 0; share.until_now() < 2 * slept + 0.01; ++turns) {
    ASSERT_LT(turns, 100'000'000);
  }
}

TEST(RanShare, IsOfTheThreadAlone) {
  const RanShare share;
  std::thread other([] {
    const RanShare own;
    const auto began = std::chrono::steady_clock::now();
    const auto ran_s = [&] {
      const std::chrono::duration<double> all = std::chrono::steady_clock::now() - began;
      return own.until_now() * all.count();
    };
    while (ran_s() < 0.1) {
    }
  });
  other.join();
  EXPECT_LT(share.until_now(), 0.5);
}

TEST(RanShare, ScalesARateUnlessNothingIsMissing) {
  EXPECT_EQ(rate_in_all_the_time(4, 1), 4);
  EXPECT_EQ(rate_in_all_the_time(4, 0.95), 4);
  EXPECT_EQ(rate_in_all_the_time(4, 0.5), 8);
  EXPECT_EQ(rate_in_all_the_time(4, 0), 400);
  EXPECT_FALSE(ran_all_the_time(0.94));
  EXPECT_EQ(ran_text(0.29), "the processes at its ends ran for about 29 % of the time");
}

}  // namespace
}  // namespace railgauge::measure
