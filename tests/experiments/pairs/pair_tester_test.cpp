#include "experiments/pairs/pair_tester.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace railgauge::runner {
namespace {

TEST(PollGaps, AreTimesInWhichNobodyPolled) {
  PollGaps gaps;
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_GE(gaps.next_ms(), 60);
}

TEST(Descheduled, IsATestOfWhichAFifthIsMissing) {
  EXPECT_FALSE(was_descheduled(0, 100, false));
  EXPECT_FALSE(was_descheduled(19, 100, false));
  EXPECT_TRUE(was_descheduled(21, 100, false));
}

/// A dead NIC is dead on a busy host, too: a tenth of a second does not make a second's retries
/// vain.
TEST(Descheduled, IsAFailedTestIfThatMayBeWhy) {
  EXPECT_FALSE(was_descheduled(71, 100, true));
  EXPECT_TRUE(was_descheduled(600, 100, true));
}

TEST(Descheduled, NamesTheHost) {
  EXPECT_EQ(descheduled_text("node7", 260.4), "the process on node7 was descheduled for 260 ms");
}

}  // namespace
}  // namespace railgauge::runner
