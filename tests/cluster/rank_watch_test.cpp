#include "cluster/rank_watch.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace railgauge::cluster {
namespace {

TEST(HostTime, IsOfTheFirstLine) {
  const auto time = read_host_time(
      "cpu  100 20 30 4000 500 6 7 80 9 1\ncpu0 1 2 3 4 5 6 7 8 9 10\nctxt 1\n", 100);
  ASSERT_TRUE(time);
  EXPECT_DOUBLE_EQ(time->busy_s, 1.63);  // user, nice, system, irq, softirq
  EXPECT_DOUBLE_EQ(time->stolen_s, 0.8);
}

TEST(HostTime, IsNotReadFromAnythingElse) {
  for (const char* text : {"", "cpu", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3", "cpu a b c d e f g h"})
    EXPECT_FALSE(read_host_time(text, 100)) << text;
}

TEST(RankWatch, CountsFromItsStart) {
  RankWatch watch;
  volatile unsigned work = 0;
  while (watch.now().ran_us < 2000) work = work + 1;
  watch.add_sleep(std::chrono::milliseconds(7), std::chrono::milliseconds(2));
  const results::RankLoad load = watch.now();
  EXPECT_GE(load.ran_us, 2000);
  EXPECT_DOUBLE_EQ(load.slept_us, 7000);
  EXPECT_DOUBLE_EQ(load.descheduled_us, 2000);
  EXPECT_GE(load.host_processors, 1);
  watch.restart();
  EXPECT_LT(watch.now().slept_us, 1);
}

TEST(ClockIdentity, IsTheSameWithinAProcess) {
  EXPECT_EQ(clock_identity(), clock_identity());
}

}  // namespace
}  // namespace railgauge::cluster
