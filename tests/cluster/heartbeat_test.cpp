#include "cluster/rank_watch.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace railgauge::cluster {
namespace {

using namespace std::chrono_literals;

enum Answer { saw_it, kernel_does_not_say, saw_nothing };

bool look_until(Heartbeat& heartbeat, std::chrono::nanoseconds at_least) {
  for (int looks = 0; looks < 500; ++looks) {
    std::this_thread::sleep_for(20ms);
    const auto still = heartbeat.longest_descheduled();
    if (still && *still >= at_least) return true;
  }
  return false;
}

/// Stops itself once its heart beats, and tells whether that was seen.
Answer stop_and_look(std::chrono::nanoseconds stopped) {
  Heartbeat heartbeat;
  if (!look_until(heartbeat, 0ns)) return kernel_does_not_say;
  ::raise(SIGSTOP);
  return look_until(heartbeat, stopped / 2) ? saw_it : saw_nothing;
}

constexpr std::chrono::steady_clock::time_point kStart{100s};

TEST(Heartbeat, LateIsWhoWasNotInTheRunQueue) {
  EXPECT_EQ(descheduled_time({kStart, 7s, 7s}, {kStart + 50ms, 7s, 7s}), 0ns);
  EXPECT_EQ(descheduled_time({kStart, 7s, 7s}, {kStart + 2050ms, 7s, 7s}), 2s);
  EXPECT_EQ(descheduled_time({kStart, 7s, 7s}, {kStart + 2050ms, 9s, 9s}), 0ns);
}

/// The thread may have to wait between a look at the clock and one at the queue.
TEST(Heartbeat, WaitingBetweenTwoLooksIsNoStandingStill) {
  EXPECT_LE(descheduled_time({kStart, 7s, 7s}, {kStart + 3050ms, 7s, 10s}),
            0ns);  // behind the clock
  EXPECT_LE(descheduled_time({kStart, 7s, 7s}, {kStart + 3050ms, 10s, 10s}),
            0ns);  // or of the last
}

TEST(Heartbeat, SeesThatItsProcessWasStopped) {
  constexpr auto kStopped = 2s;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(stop_and_look(kStopped));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  std::this_thread::sleep_for(kStopped);
  ::kill(child, SIGCONT);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kernel_does_not_say) GTEST_SKIP() << "no /proc/thread-self/schedstat";
  EXPECT_EQ(WEXITSTATUS(status), saw_it);
}

}  // namespace
}  // namespace railgauge::cluster
