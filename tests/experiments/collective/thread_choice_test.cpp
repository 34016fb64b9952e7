#include "experiments/collective/thread_binding.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

TEST(ThreadChoice, IsOneARailWhereThereAreCoresForAll) {
  EXPECT_EQ(default_progress_threads(2, 2, false), 2U);
  EXPECT_EQ(default_progress_threads(8, 12, false), 8U);
  EXPECT_EQ(default_progress_threads(1, 64, false), 1U);
}

TEST(ThreadChoice, IsOneWhereThereAreNot) {
  EXPECT_EQ(default_progress_threads(2, 1, false), 1U);
  EXPECT_EQ(default_progress_threads(8, 7, false), 1U);
  EXPECT_EQ(default_progress_threads(2, 0, false), 1U);
  EXPECT_EQ(default_progress_threads(0, 4, false), 1U);
}

TEST(ThreadChoice, TakesTwiceAsManyCoresOnSoftwareDevices) {
  EXPECT_EQ(default_progress_threads(2, 4, true), 2U);
  EXPECT_EQ(default_progress_threads(2, 3, true), 1U);
}

}  // namespace
}  // namespace railgauge::runner
