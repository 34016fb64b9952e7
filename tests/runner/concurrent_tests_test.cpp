#include "runner/isolation/concurrent_tests.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using std::chrono::milliseconds;

MeasuredTest stalled_for(double ms) {
  MeasuredTest test;
  test.stalled_ms = ms;
  return test;
}

TEST(HeldUp, IsATestOfWhichAFifthIsMissing) {
  EXPECT_FALSE(was_held_up(stalled_for(0), milliseconds(100)));
  EXPECT_FALSE(was_held_up(stalled_for(19), milliseconds(100)));
  EXPECT_TRUE(was_held_up(stalled_for(21), milliseconds(100)));
}

/// A dead NIC is dead on a busy host, too: a tenth of a second does not make a second's retries
/// vain.
TEST(HeldUp, IsAFailedTestIfThatMayBeWhy) {
  MeasuredTest test = stalled_for(71);
  test.outcome.reason = "RETRY_EXC_ERR";
  EXPECT_FALSE(was_held_up(test, milliseconds(100)));
  test.stalled_ms = 600;
  EXPECT_TRUE(was_held_up(test, milliseconds(100)));
}

}  // namespace
}  // namespace railgauge::runner
