#include "experiments/congestion/link_breaker.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using std::chrono::milliseconds;

std::string failure_of(const std::string& command, milliseconds limit) {
  LinkBreaker breaker({.command = command,
                       .after = milliseconds(1),
                       .limit = limit,
                       .origin = LinkBreaker::Clock::now()});
  breaker.wait();
  EXPECT_GT(breaker.broken_s(), 0.0);
  return breaker.failure();
}

constexpr milliseconds kAmple{60'000};

TEST(LinkBreaker, RunsACommand) {
  EXPECT_EQ(failure_of("true", kAmple), "");
  EXPECT_EQ(failure_of("exit 3", kAmple), "--break-command failed: exit 3 (exit status 3)");
  EXPECT_EQ(failure_of("kill -9 $$", kAmple), "--break-command failed: kill -9 $$ (signal 9)");
}

TEST(LinkBreaker, EndsACommandThatHangsWithItsChildren) {
  EXPECT_EQ(failure_of("sleep 1000 & wait", milliseconds(200)),
            "--break-command failed: sleep 1000 & wait (it did not end within 0.2 s, and was "
            "killed)");
}

TEST(LinkBreaker, WithoutACommandRunsNothing) {
  LinkBreaker breaker({});
  breaker.wait();
  EXPECT_EQ(breaker.broken_s(), 0.0);
  EXPECT_EQ(breaker.failure(), "");
}

}  // namespace
}  // namespace railgauge::runner
