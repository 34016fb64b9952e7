#include "softroce/device/priority_pause.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "softroce/wire_pair.hpp"

namespace railgauge::softroce {
namespace {

using namespace std::chrono_literals;

constexpr std::uint16_t kLongest = 0xffff;

PauseQuanta pause_of(std::size_t priority, std::uint16_t quanta) {
  PauseQuanta pause{};
  pause[priority] = quanta;
  return pause;
}

/// Destination, source, EtherType 8808, opcode 0101, the vector of priorities, their times.
std::vector<std::byte> frame_of(std::uint16_t operation, std::uint8_t enabled) {
  std::vector<std::byte> frame(60);
  frame[12] = std::byte{0x88};
  frame[13] = std::byte{0x08};
  frame[14] = static_cast<std::byte>(operation >> 8);
  frame[15] = static_cast<std::byte>(operation);
  frame[17] = std::byte{enabled};
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    frame[18 + 2 * priority] = std::byte{0x10};
    frame[19 + 2 * priority] = static_cast<std::byte>(priority);
  }
  return frame;
}

TEST(PauseFrame, NamesPrioritiesAndTimes) {
  const auto quanta = parse_pause(frame_of(0x0101, 0b1000'1000));
  ASSERT_TRUE(quanta.has_value());
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    const bool concerned = priority == 3 || priority == 7;
    ASSERT_EQ((*quanta)[priority].has_value(), concerned) << priority;
    EXPECT_EQ((*quanta)[priority].value_or(0), concerned ? 0x1000 + priority : 0);
  }
}

TEST(PauseFrame, OthersAreNone) {
  EXPECT_FALSE(parse_pause(frame_of(0x0001, 0xff))) << "802.3x";
  auto frame = frame_of(0x0101, 0xff);
  EXPECT_FALSE(parse_pause(std::span(frame).first(33)));
  EXPECT_TRUE(parse_pause(std::span(frame).first(34)));
  frame[13] = std::byte{0x00};
  EXPECT_FALSE(parse_pause(frame));
}

TEST(PriorityPause, HoldsItsPriorityForItsTime) {
  const Time start{1s};
  PriorityPause pause;
  EXPECT_FALSE(pause.obey(pause_of(3, 1000), 1e9, start));  // 512 us
  constexpr std::uint8_t kDscp26 = 26U << 2U;
  EXPECT_TRUE(pause.holds(kDscp26, start + 511us));
  EXPECT_TRUE(pause.holds(kDscp26 | 3U, start)) << "ECN does not matter";
  EXPECT_FALSE(pause.holds(0, start));
  EXPECT_FALSE(pause.holds(48U << 2U, start));
  EXPECT_EQ(pause.next_end(), start + 512us);
  EXPECT_FALSE(pause.expire(start + 511us));
  EXPECT_TRUE(pause.expire(start + 600us));
  EXPECT_FALSE(pause.holds(kDscp26, start + 600us));
  EXPECT_EQ(pause.next_end(), Time::max());
  EXPECT_EQ(pause.frames(3), 1U);
  EXPECT_EQ(pause.microseconds(3), 512U) << "not until somebody looked";
}

TEST(PriorityPause, ARefreshIsOnePause) {
  const Time start{1s};
  PriorityPause pause;
  pause.obey(pause_of(3, 1000), 1e9, start);
  pause.obey(pause_of(3, 1000), 1e9, start + 400us);
  EXPECT_EQ(pause.next_end(), start + 912us);
  EXPECT_TRUE(pause.obey(pause_of(3, 0), 1e9, start + 700us));
  EXPECT_EQ(pause.frames(3), 3U);
  EXPECT_EQ(pause.microseconds(3), 700U);
  EXPECT_FALSE(pause.obey(pause_of(3, 0), 1e9, start + 800us)) << "nothing was paused";
}

/// The pair's traffic class is 0, which is priority 0.
struct PausedPair : ::testing::Test {
  void pause(std::uint16_t quanta, std::size_t priority = 0) {
    pair.client_host.port.obey(pause_of(priority, quanta));
  }
  WirePair pair;
};

TEST_F(PausedPair, SendsNothingUntilItMay) {
  pause(kLongest);
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 8), 0);
  EXPECT_TRUE(pair.client_host.sends().empty());
  pause(0);
  EXPECT_EQ(pair.client_host.sends().size(), 1U);
}

TEST_F(PausedPair, GoesOnWhenThePauseHasEndedByItself) {
  pause(kLongest);  // 0.84 ms at 40 Gbit/s
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 8), 0);
  EXPECT_TRUE(pair.client_host.sends().empty());
  pair.pass(1ms);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok");
}

TEST_F(PausedPair, OtherPrioritiesGoOn) {
  pause(kLongest, 3);
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 8), 0);
  EXPECT_EQ(pair.client_host.sends().size(), 1U);
}

TEST_F(PausedPair, AnswersWaitToo) {
  pair.server_host.port.obey(pause_of(0, kLongest));
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 8), 0);
  pair.to_server(pair.client_host.sends());
  EXPECT_TRUE(pair.server_host.sends().empty());
  pair.server_host.port.obey(pause_of(0, 0));
  EXPECT_EQ(pair.server_host.sends().size(), 1U);
}

/// What was sent before is not repeated because the answer cannot be, however long it takes.
TEST_F(PausedPair, NothingIsLateWhileItWaits) {
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 8), 0);
  const Flight sent = pair.client_host.sends();
  ASSERT_EQ(sent.size(), 1U);
  for (int refresh = 0; refresh < 10000; ++refresh) {
    pause(kLongest);
    pair.pass(500us);
  }
  EXPECT_TRUE(pair.client_host.sends().empty());
  EXPECT_EQ(pair.client_host.port.counters.completer_retry_err, 0U);
  pause(0);
  pair.to_server(sent);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok");
}

TEST_F(PausedPair, CountersAreThoseOfMlx5) {
  const auto value = [this](const std::string& wanted) -> std::int64_t {
    for (const auto& [name, count] : pair.client_host.port.named_counters()) {
      if (name == wanted) return static_cast<std::int64_t>(count);
    }
    return -1;
  };
  pause(kLongest, 3);
  pair.pass(100us);
  pause(0, 3);
  EXPECT_EQ(value("rx_prio3_pause"), -1)
      << "where pause frames cannot be heard, nobody counts them";
  pair.client_host.port.hears_pauses = true;
  EXPECT_EQ(value("rx_prio3_pause"), 2);
  EXPECT_EQ(value("rx_prio3_pause_duration"), 100);
  EXPECT_EQ(value("rx_prio0_pause"), 0);
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 8), 0);
  EXPECT_EQ(pair.client_host.sends().size(), 1U);
  EXPECT_GT(value("tx_prio0_bytes"), 8);
  EXPECT_EQ(value("tx_prio3_bytes"), 0);
}

}  // namespace
}  // namespace railgauge::softroce
