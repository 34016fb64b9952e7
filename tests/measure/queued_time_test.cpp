#include "measure/queued_time.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace railgauge::measure {
namespace {

TEST(QueuedTime, IsTheSecondNumber) {
  EXPECT_DOUBLE_EQ(read_queued_us("1000 2500000 7\n").value(), 2500);
  for (const char* text : {"", "12", "1 x 2"}) EXPECT_FALSE(read_queued_us(text)) << text;
}

/// Only on one processor do the two have to take turns.
void share_one_processor() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  CPU_ZERO(&allowed);
  CPU_SET(first, &allowed);
  ASSERT_EQ(sched_setaffinity(0, sizeof allowed, &allowed), 0);
}

/// Two others take turns while this thread sleeps: only they wait.
TEST(QueuedShare, IsOfAllThreads) {
  const QueuedShare share;
  if (!share.until_now()) GTEST_SKIP() << "this kernel keeps no schedstat";
  std::atomic<bool> over{false};
  const auto turn = [&] {
    share_one_processor();
    while (!over) {
    }
  };
  std::thread one(turn);
  std::thread other(turn);
  constexpr int kMostNaps = 1000;  // of 10 ms
  int naps = 0;
  for (; naps < kMostNaps && *share.until_now() < 0.3; ++naps)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  over = true;
  one.join();
  other.join();
  EXPECT_LT(naps, kMostNaps);
}

}  // namespace
}  // namespace railgauge::measure
