#include "runner/ran_share.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace railgauge::runner {
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
    while (own.until_now() == 0) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  other.join();
  EXPECT_LT(share.until_now(), 0.5);
}

}  // namespace
}  // namespace railgauge::runner
