#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "flow/test.hpp"

namespace railgauge::flow {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kMostBytes = 256 * 1024;

/// Two NICs of this process, which are one port opened twice.
class FlowDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<verbs::Port> ports = verbs::find_ports();
    const auto usable = std::ranges::find_if(ports, &verbs::Port::usable);
    if (usable == ports.end()) GTEST_SKIP() << verbs::explain_no_usable_port(ports);
    left_.emplace(*usable, kMostBytes);
    right_.emplace(*usable, kMostBytes);
  }

  struct Ends {
    std::optional<Figures> first{};
    std::optional<Figures> second{};
  };

  /// What both ends saw of the class of what the other sent.
  struct Classes {
    std::optional<std::uint8_t> first{};
    std::optional<std::uint8_t> second{};
  };

  /// Both ends until they are over.
  Ends run(const Plan& plan, const Plan& other) {
    flow::Test first(*left_, flow::Test::Part::first, plan);
    flow::Test second(*right_, flow::Test::Part::second, other);
    const Offer offer = first.offer();
    const bool joined = first.connect(second.offer());
    const bool both = second.connect(offer) && joined;
    first.start(both);
    second.start(both);
    for (bool going_on = true; going_on;) {
      const bool one = first.advance();
      going_on = second.advance() || one;
    }
    classes_ = {first.arrived_class(), second.arrived_class()};
    heard_ = {first.hears_peer(), second.hears_peer()};
    return {first.figures(), second.figures()};
  }
  Ends run(const Plan& plan) { return run(plan, plan); }

  std::optional<Nic> left_;
  std::optional<Nic> right_;
  Classes classes_;
  std::pair<std::optional<bool>, std::optional<bool>> heard_;  // of both ends
};

void expect_counted(const std::optional<Figures>& figures, std::uint64_t messages,
                    std::uint32_t bytes) {
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->reason, "");
  EXPECT_EQ(figures->messages, messages);
  EXPECT_EQ(figures->bytes, messages * bytes);
  EXPECT_EQ(figures->times.count(), messages);
  EXPECT_GT(figures->seconds, 0);
}

TEST_F(FlowDeviceTest, CountsTheMessagesOfBothDirections) {
  for (const Directions directions : {Directions::in_turn, Directions::together}) {
    const auto [first, second] =
        run({.directions = directions, .message_bytes = 4096, .iterations = 100});
    expect_counted(first, 100, 4096);
    expect_counted(second, 100, 4096);
    EXPECT_GT(first->gigabytes_per_second(), 0);
  }
}

/// A busy machine sends less, and never more; messages that it sends late took longer.
TEST_F(FlowDeviceTest, SendsNoFasterThanItsRate) {
  constexpr double kRate = 0.002;  // 2 MB/s: a message in 2 ms
  const auto [first, second] = run({.directions = Directions::forward,
                                    .message_bytes = 4096,
                                    .queue_pairs = 2,
                                    .time = 100ms,
                                    .gigabytes_per_second = kRate});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->reason, "");
  EXPECT_GE(first->messages, 1U);
  EXPECT_LE(first->messages, 1 + static_cast<std::uint64_t>(0.1 * kRate * 1e9 / 4096));
  EXPECT_FALSE(second);
}

TEST_F(FlowDeviceTest, SendsOneWayOnlyIfAsked) {
  const auto [first, second] = run({.directions = Directions::forward, .iterations = 10});
  expect_counted(first, 10, Plan{}.message_bytes);
  EXPECT_FALSE(second);
}

TEST_F(FlowDeviceTest, UnansweredHasLatencyAndBandwidthForwardOnly) {
  const auto [first, second] =
      run({.mode = Mode::unanswered, .message_bytes = 4096, .iterations = 9, .flow_labels = {77}});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->reason, "");
  EXPECT_EQ(first->messages, 9U);
  EXPECT_EQ(first->times.count(), 9U);
  EXPECT_GT(first->gigabytes_per_second(), 0);
  EXPECT_FALSE(second);
}

TEST_F(FlowDeviceTest, SharesMessagesAmongQueuePairs) {
  const auto [first, second] = run({.message_bytes = kMostBytes,
                                    .queue_pairs = 4,
                                    .window = 2,
                                    .iterations = 21,
                                    .flow_labels = {1, 2, 3, 4}});
  expect_counted(first, 21, kMostBytes);
  expect_counted(second, 21, kMostBytes);
}

TEST_F(FlowDeviceTest, KnowsWhenceItsSourcePortIs) {
  for (const std::uint32_t label : {0U, 77U}) {
    const Plan plan{.flow_labels = {label}};
    flow::Test first(*left_, flow::Test::Part::first, plan);
    flow::Test second(*right_, flow::Test::Part::second, plan);
    EXPECT_EQ(first.source_ports(), verbs::SourcePort::by_driver);  // not connected yet
    ASSERT_TRUE(first.connect(second.offer()));
    const bool told = first.source_ports() != verbs::SourcePort::by_driver;
    EXPECT_EQ(told, label != 0);
  }
}

TEST_F(FlowDeviceTest, TimesEveryKindOfPing) {
  for (const Mode mode : {Mode::write, Mode::read, Mode::send}) {
    for (const Directions directions :
         {Directions::in_turn, Directions::forward, Directions::together}) {
      SCOPED_TRACE(word(mode));
      const auto [first, second] = run({.mode = mode, .directions = directions, .iterations = 50});
      expect_counted(first, 50, Pinger::kBytes);
      EXPECT_EQ(second.has_value(), directions != Directions::forward);
      if (second) expect_counted(second, 50, Pinger::kBytes);
    }
  }
}

TEST_F(FlowDeviceTest, ConnectHasLatencyAndBandwidthOfBothDirections) {
  for (const Directions directions : {Directions::in_turn, Directions::forward}) {
    const auto [first, second] = run({.mode = Mode::connect,
                                      .directions = directions,
                                      .queue_pairs = 1,
                                      .iterations = 9,
                                      .flow_labels = {77}});
    EXPECT_EQ(second.has_value(), directions == Directions::in_turn);
    for (const auto& one : {first, second}) {
      if (!one) continue;
      EXPECT_EQ(one->reason, "");
      EXPECT_EQ(one->lost_packet_bytes, 0U);
      EXPECT_EQ(one->times.count(), 20U);
      EXPECT_EQ(one->messages, 9U);
      EXPECT_EQ(one->bytes, 9U * Plan{}.message_bytes);
      EXPECT_GT(one->gigabytes_per_second(), 0);
    }
  }
}

/// Datagrams may be lost, and a device need not show their headers: then nothing is said of it.
TEST_F(FlowDeviceTest, ConnectShowsTheClassThatArrives) {
  constexpr std::uint8_t kClass = 104;
  const auto [first, second] =
      run({.mode = Mode::connect, .iterations = 9, .traffic_class = kClass});
  EXPECT_EQ(first->reason + second->reason, "");
  for (const auto& seen : {classes_.first, classes_.second}) {
    EXPECT_TRUE(seen.has_value() || !left_->port().software);
    EXPECT_EQ(seen.value_or(kClass) >> 2U, kClass >> 2U);
  }
  run({.iterations = 9, .traffic_class = kClass});
  EXPECT_FALSE(classes_.first || classes_.second);  // in no other mode
}

/// Datagrams may be lost, and a device need not have any; those of the second come while the first
/// is at work.
TEST_F(FlowDeviceTest, ConnectAndUnansweredHearThePeer) {
  for (const Mode mode : {Mode::connect, Mode::unanswered}) {
    run({.mode = mode, .iterations = 9});
    EXPECT_EQ(heard_.first.has_value(), heard_.second.has_value());
    EXPECT_TRUE(heard_.second.value_or(!left_->port().software));
  }
  run({.iterations = 9});
  EXPECT_FALSE(heard_.first || heard_.second) << "in no other mode";
}

TEST_F(FlowDeviceTest, AHalfOfARoundTripIsAtMostTheWhole) {
  const auto [first, second] =
      run({.mode = Mode::write, .directions = Directions::forward, .iterations = 50});
  ASSERT_TRUE(first);
  // 50 round trips one after the other, and those to warm up, took the whole time.
  EXPECT_LE(2e-6 * 50 * first->times.min_us(), first->seconds);
}

TEST_F(FlowDeviceTest, StopsWhenItsTimeIsOver) {
  const auto [first, second] = run({.time = 5ms});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->reason + second->reason, "");
  EXPECT_GE(first->seconds, 0.005);
  EXPECT_GT(second->messages, 0U);
}

TEST_F(FlowDeviceTest, OneTestAfterTheOtherWithTheSameNics) {
  for (int i = 0; i < 3; ++i) expect_counted(run({.iterations = 5}).first, 5, Plan{}.message_bytes);
}

TEST_F(FlowDeviceTest, APeerWithoutQueuePairsIsAReason) {
  flow::Test alone(*left_, flow::Test::Part::first, {});
  EXPECT_FALSE(alone.connect({}));
  alone.start(false);
  EXPECT_FALSE(alone.advance());
  EXPECT_EQ(alone.figures()->reason, "the other end has no queue pair");
}

TEST_F(FlowDeviceTest, APeerThatSaysNothingIsAReason) {
  const Plan plan{.iterations = 5, .time = 0ms, .patience = 50ms};
  flow::Test first(*left_, flow::Test::Part::first, plan);
  flow::Test second(*right_, flow::Test::Part::second, plan);
  const Offer offer = first.offer();
  const bool joined = first.connect(second.offer());
  ASSERT_TRUE(second.connect(offer) && joined);
  second.start(true);  // the first never begins
  while (second.advance()) {
  }
  EXPECT_EQ(second.figures()->reason,
            "not tested, the other direction failed first: nothing arrived, and nothing was "
            "acknowledged, "
            "for 50 ms");
}

TEST_F(FlowDeviceTest, AWholeTestHasADeadline) {
  const auto [first, second] = run({.time = 10000ms, .longest = 100ms});
  EXPECT_EQ(first->reason, "it was not done after 100 ms");
}

}  // namespace
}  // namespace railgauge::flow
