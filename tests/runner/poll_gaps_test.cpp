#include "runner/poll_gaps.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace railgauge::runner {
namespace {

TEST(PollGaps, AreTimesInWhichNobodyPolled) {
  PollGaps gaps;
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_GE(gaps.next_ms(), 60);
}

TEST(HeldUp, IsATestOfWhichAFifthIsMissing) {
  EXPECT_FALSE(was_held_up(0, 100, false));
  EXPECT_FALSE(was_held_up(19, 100, false));
  EXPECT_TRUE(was_held_up(21, 100, false));
}

/// A dead NIC is dead on a busy host, too: a tenth of a second does not make a second's retries
/// vain.
TEST(HeldUp, IsAFailedTestIfThatMayBeWhy) {
  EXPECT_FALSE(was_held_up(71, 100, true));
  EXPECT_TRUE(was_held_up(600, 100, true));
}

TEST(HeldUp, NamesTheHost) {
  EXPECT_EQ(held_up_text("node7", 260.4), "the process on node7 did not run for 260 ms");
}

}  // namespace
}  // namespace railgauge::runner
