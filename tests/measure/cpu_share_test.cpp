#include "measure/cpu_share.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace railgauge::measure {
namespace {

TEST(CpuShare, IsLittleOfATimeThatWasSlept) {
  const CpuShare share;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(share.until_now(), 0.1);
}

/// On a busy host it may be little of the time, but it is what this thread ran.
TEST(CpuShare, GrowsWithWhatTheThreadRuns) {
  CpuShare share;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const double slept = share.until_now();
  for (long turns = 0; share.until_now() < 2 * slept + 0.01; ++turns) {
    ASSERT_LT(turns, 100'000'000);
  }
}

TEST(CpuShare, IsOfTheThreadAlone) {
  const CpuShare share;
  std::thread other([] {
    const CpuShare own;
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

TEST(CpuShare, ScalesARateUnlessNothingIsMissing) {
  EXPECT_EQ(rate_at_full_share(4, 1), 4);
  EXPECT_EQ(rate_at_full_share(4, 0.95), 4);
  EXPECT_EQ(rate_at_full_share(4, 0.5), 8);
  EXPECT_EQ(rate_at_full_share(4, 0), 400);
  EXPECT_FALSE(had_full_share(0.94));
  EXPECT_EQ(cpu_share_text(0.29), "the endpoint processes had a CPU for about 29 % of the time");
}

TEST(QueuedTime, IsTheSecondNumber) {
  EXPECT_DOUBLE_EQ(read_queued_us("1000 2500000 7\n").value(), 2500);
  for (const char* text : {"", "12", "1 x 2"}) EXPECT_FALSE(read_queued_us(text)) << text;
}

TEST(ShareBesideStall, CountsAStallTwice) {
  EXPECT_DOUBLE_EQ(share_beside_stall(0.9, 0, 1), 0.9);
  EXPECT_DOUBLE_EQ(share_beside_stall(0.9, 20, 1), 0.9);
  EXPECT_DOUBLE_EQ(share_beside_stall(1, 200, 1), 0.6);
  EXPECT_DOUBLE_EQ(share_beside_stall(1, 700, 1), 0);
  EXPECT_DOUBLE_EQ(share_beside_stall(1, 700, 0), 1) << "of nothing";
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
TEST(ProcessCpuShare, IsOfAllThreads) {
  const ProcessCpuShare share;
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
  for (; naps<kMostNaps&& * share.until_now()> 0.7; ++naps)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  over = true;
  one.join();
  other.join();
  EXPECT_LT(naps, kMostNaps);
}

}  // namespace
}  // namespace railgauge::measure
