#include "flow/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "flow/counted_clock.hpp"
#include "flow/null_device.hpp"
#include "flow/test.hpp"

namespace railgauge::flow {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kGibibyte = 16384;  // messages of 64 KiB
constexpr auto kQuick = 100ns;              // of time for each reading of the clock
constexpr auto kSlow = 1ms;

/// A test between two NICs without a wire, in the time of a CountedClock.
class StreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    NullDevice::set_completions_per_poll(1);
    NullDevice::set_silent(false);
  }

  struct Run {
    Figures figures{};
    NullDevice::Counts counts{};
    std::uint64_t readings = 0;
    std::uint64_t most_under_way = 0;
  };

  /// `watched`: notes how much is under way, which takes its time.
  static Run run(const Plan& plan, std::chrono::nanoseconds a_reading, bool watched = false) {
    Nic here(NullDevice::port(), plan.message_bytes);
    Nic there(NullDevice::port(), plan.message_bytes);
    const CountedClock clock(a_reading);
    flow::Test sender(here, flow::Test::Part::first, plan);
    flow::Test receiver(there, flow::Test::Part::second, plan);
    const Offer offer = sender.offer();
    const bool joined = sender.connect(receiver.offer());
    const bool both = receiver.connect(offer) && joined;
    sender.start(both);
    receiver.start(both);
    receiver.advance();  // it answers the greeting
    NullDevice::counts() = {};
    const std::uint64_t before = CountedClock::readings();
    Run run;
    while (sender.advance()) {
      if (!watched) continue;
      const std::uint64_t under_way = NullDevice::counts().messages - sender.figures()->messages;
      run.most_under_way = std::max(run.most_under_way, under_way);
    }
    run.readings = CountedClock::readings() - before;
    run.counts = NullDevice::counts();
    run.figures = *sender.figures();
    return run;
  }
};

Plan of(std::uint64_t messages) {
  return {.directions = Directions::forward, .iterations = messages};
}

void expect_all(const Figures& figures, std::uint64_t messages) {
  EXPECT_EQ(figures.reason, "");
  EXPECT_EQ(figures.messages, messages);
  EXPECT_EQ(figures.bytes, messages * Plan{}.message_bytes);
  EXPECT_EQ(figures.times.count(), messages);
}

/// One of each for four messages, and what it takes to begin and to end.
TEST_F(StreamTest, PostsSignalsAndReadsTheClockOnceForFourMessages) {
  const Run one = run(of(kGibibyte), kQuick);
  expect_all(one.figures, kGibibyte);
  EXPECT_EQ(one.counts.messages, kGibibyte + 1) << "and a notice";
  constexpr std::uint64_t kMost = kGibibyte / 4 + 32;
  EXPECT_LE(one.counts.posts, kMost);
  EXPECT_LE(one.counts.signals, kMost);
  EXPECT_LE(one.readings, kMost);
}

TEST_F(StreamTest, PostsAllThatAPollMadeRoomForAtOnce) {
  NullDevice::set_completions_per_poll(std::numeric_limits<int>::max());
  const Run one = run(of(kGibibyte), kQuick);
  expect_all(one.figures, kGibibyte);
  EXPECT_LE(one.counts.posts, kGibibyte / 16 + 32);
  EXPECT_LE(one.readings, kGibibyte / 16 + 32);
}

TEST_F(StreamTest, SignalsSeldomWithALargeWindowAndAlwaysWithASmallOne) {
  for (const auto& [window, every] : {std::pair{256, 8U}, {8, 2U}, {4, 1U}, {1, 1U}}) {
    Plan plan = of(kGibibyte);
    plan.window = window;
    const Run one = run(plan, kQuick);
    expect_all(one.figures, kGibibyte);
    EXPECT_LE(one.counts.signals, kGibibyte / every + 64) << window;
    EXPECT_GE(one.counts.signals, kGibibyte / every) << window;
  }
}

/// Where a message takes long nothing is gained by lumping it together with others.
TEST_F(StreamTest, SignalsEachMessageOfASlowPath) {
  const Run one = run(of(100), kSlow);
  expect_all(one.figures, 100);
  EXPECT_EQ(one.counts.signals, 101U);
}

TEST_F(StreamTest, HasNoMoreUnderWayThanItsWindow) {
  for (const int queue_pairs : {1, 4}) {
    Plan plan = of(500);
    plan.queue_pairs = queue_pairs;
    const auto window =
        static_cast<std::uint64_t>(queue_pairs) * static_cast<std::uint64_t>(plan.window);
    const Run one = run(plan, kQuick, true);
    expect_all(one.figures, 500);
    EXPECT_LE(one.most_under_way, window);
    EXPECT_GE(one.most_under_way, window - 4) << "and fills it";
  }
}

/// From its post, behind a full window, as if each was posted alone: there is a reading for every
/// four acknowledged, and so four for a window.
TEST_F(StreamTest, TimesAMessageFromItsPost) {
  const Run one = run(of(kGibibyte), kQuick);
  EXPECT_EQ(one.figures.times.quantile_us(500), 0.4);
  EXPECT_LE(one.figures.times.max_us(), 0.5);
}

/// Each is timed from when it was due.
TEST_F(StreamTest, OfARateSignalsEachMessage) {
  Plan plan = of(1000);
  plan.gigabytes_per_second = 50;
  const Run one = run(plan, kQuick);
  expect_all(one.figures, 1000);
  EXPECT_EQ(one.counts.signals, 1001U);
  EXPECT_LE(one.figures.gigabytes_per_second(), 50 * 1000.0 / 999);
}

/// Messages of a burst wait for each other on the wire, and bursts have the rate.
TEST_F(StreamTest, OfBurstsSendsTheMessagesOfOneAtOnce) {
  Plan plan = of(1000);
  plan.gigabytes_per_second = 50;
  plan.window = 10;
  plan.burst = 10;
  const Run one = run(plan, kQuick, true);
  expect_all(one.figures, 1000);
  EXPECT_EQ(one.most_under_way, 10);
  EXPECT_LE(one.figures.gigabytes_per_second(), 50 * 1000.0 / 990);
  EXPECT_GT(one.figures.gigabytes_per_second(), 45);
}

TEST_F(StreamTest, StopsWhenItsTimeIsOverAndWaitsForTheRest) {
  Plan plan = of(0);
  plan.time = 1ms;
  const Run one = run(plan, kQuick);
  EXPECT_EQ(one.figures.reason, "");
  EXPECT_EQ(one.counts.messages, one.figures.messages + 1);
  EXPECT_GE(one.figures.seconds, 1e-3);
  EXPECT_LE(one.figures.seconds, 1.01e-3);
}

TEST_F(StreamTest, ThatIsNeverAcknowledgedIsAReason) {
  NullDevice::set_silent(true);
  Plan plan = of(100);
  plan.patience = 50ms;
  const Run one = run(plan, kSlow);
  EXPECT_EQ(one.figures.reason, "nothing arrived, and nothing was acknowledged, for 50 ms");
  EXPECT_EQ(one.figures.messages, 0U);
}

}  // namespace
}  // namespace railgauge::flow
