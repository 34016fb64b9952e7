#include "measure/queued_time.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
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

TEST(QueuedShare, IsOfAllThreads) {
  const QueuedShare share;
  if (!share.until_now()) GTEST_SKIP() << "this kernel keeps no schedstat";
  std::thread sharing([&] {
    share_one_processor();
    std::atomic<bool> over{false};
    std::thread other([&] {  // on the same processor, as its affinity is inherited
      while (!over) {
      }
    });
    // Ends as soon as either has waited for a tenth of the time.
    while (*share.until_now() < 0.1) {
    }
    over = true;
    other.join();
  });
  sharing.join();
  EXPECT_GE(queued_us_of_this_thread().value(), 0);
  EXPECT_LE(*share.until_now(), 1);
}

}  // namespace
}  // namespace railgauge::measure
