#include "softroce/faults/dcqcn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "softroce/faults/shaper.hpp"

namespace railgauge::softroce {
namespace {

using namespace std::chrono_literals;

constexpr Time kStart{1h};
constexpr double kLine = 40e9;
constexpr double kAdditive = 40e6;
constexpr nanoseconds kTimer = 55us;
constexpr std::size_t kByteCounter = 10'000'000;

ReactionPoint after_cuts(int cuts) {
  ReactionPoint point(kLine);
  for (int cut = 0; cut < cuts; ++cut) point.congestion_notification(kStart);
  return point;
}

double rate_at(ReactionPoint& point, Time now) {
  (void)point.may_send(1, now);
  return point.bits_per_second();
}

TEST(ReactionPoint, LimitsNothingUntilTheFirstNotification) {
  ReactionPoint point(kLine);
  point.sent(1'000'000'000, kStart);
  EXPECT_FALSE(point.limited());
  EXPECT_EQ(point.may_send(4096, kStart), kStart);
  EXPECT_EQ(point.bits_per_second(), kLine);
}

TEST(ReactionPoint, HalvesAtFirstAndLessOnceAlphaHasFaded) {
  ReactionPoint point = after_cuts(1);
  EXPECT_EQ(point.bits_per_second(), kLine / 2);
  const Time later = kStart + 200 * kTimer;  // recovered meanwhile
  EXPECT_EQ(rate_at(point, later), kLine);
  point.congestion_notification(later);
  const double alpha = std::pow(255.0 / 256, 200);
  EXPECT_NEAR(point.bits_per_second(), kLine * (1 - alpha / 2), 1);
  point.congestion_notification(later);
  const double raised = alpha * 255 / 256 + 1.0 / 256;
  EXPECT_NEAR(point.bits_per_second(), kLine * (1 - alpha / 2) * (1 - raised / 2), 1);
}

TEST(ReactionPoint, HalvesTheDistanceToItsFormerRateInFastRecovery) {
  ReactionPoint point = after_cuts(2);  // from 20 to 10 Gb/s
  EXPECT_EQ(rate_at(point, kStart + kTimer - 1ns), 10e9);
  for (int stage = 1; stage < 5; ++stage) {
    EXPECT_NEAR(rate_at(point, kStart + stage * kTimer), 20e9 - 10e9 / (1 << stage), 1) << stage;
  }
}

TEST(ReactionPoint, ThenAddsAThousandthOfTheLineRateAStage) {
  ReactionPoint point = after_cuts(2);
  // The target has risen in all stages but the first four, and the rate is one step behind.
  for (const int stage : {50, 51, 400}) {
    EXPECT_NEAR(rate_at(point, kStart + stage * kTimer), 20e9 + (stage - 4 - 1) * kAdditive, 1e3)
        << stage;
  }
  EXPECT_TRUE(point.limited());
  EXPECT_EQ(rate_at(point, kStart + 510 * kTimer), kLine);
  EXPECT_FALSE(point.limited());
}

TEST(ReactionPoint, BeginsItsRecoveryAnewAtEachNotification) {
  ReactionPoint point = after_cuts(2);
  point.sent(7 * kByteCounter - 1, kStart);
  const Time second = kStart + 3 * kTimer + 1us;
  const double before = rate_at(point, second);
  point.congestion_notification(second);
  const double cut = point.bits_per_second();
  point.sent(kByteCounter - 1, second);
  for (int stage = 0; stage < 5; ++stage) {
    EXPECT_NEAR(rate_at(point, second + (stage + 1) * kTimer - 1ns),
                before - (before - cut) / (1 << stage), 1)
        << stage;
  }
}

TEST(ReactionPoint, CountsBytesAsItCountsTime) {
  ReactionPoint point = after_cuts(2);
  point.sent(kByteCounter - 1, kStart);
  EXPECT_EQ(point.bits_per_second(), 10e9);
  point.sent(1, kStart);
  EXPECT_EQ(point.bits_per_second(), 15e9);
  point.sent(3 * kByteCounter, kStart);
  EXPECT_NEAR(point.bits_per_second(), 20e9 - 10e9 / 16, 1);
}

TEST(ReactionPoint, LeapsOnceTimeAndBytesHaveBothHadTheirStages) {
  ReactionPoint point = after_cuts(2);
  point.sent(6 * kByteCounter, kStart);
  const double fifth = rate_at(point, kStart + 5 * kTimer);
  const double sixth = rate_at(point, kStart + 6 * kTimer);
  // Half of: the one step that the rate was behind, and the ten of the leap.
  EXPECT_NEAR(sixth - fifth, (1 + 10) * kAdditive / 2, kAdditive / 10);
}

TEST(ReactionPoint, NeverStops) {
  EXPECT_EQ(after_cuts(100).bits_per_second(), 10e6);  // of the paper's links
  ReactionPoint slow(5e6);
  for (int cut = 0; cut < 100; ++cut) slow.congestion_notification(kStart);
  EXPECT_EQ(slow.bits_per_second(), 5e4);
}

/// Packets of 1000 bytes that leave within 50 us of a cut to 20 Gb/s, at which each takes 400 ns,
/// if the sender comes only every `interval`.
int sent_in_50_us(nanoseconds interval) {
  ReactionPoint point = after_cuts(1);
  int packets = 0;
  for (Time now = kStart; now <= kStart + 50us; now += interval) {
    for (; point.may_send(1000, now) <= now; ++packets) point.sent(1000, now);
  }
  return packets;
}

TEST(ReactionPoint, PacesToItsRateEvenIfTheSenderComesLate) {
  EXPECT_EQ(sent_in_50_us(1ns), 125);
  EXPECT_EQ(sent_in_50_us(25us), 125);
}

TEST(ReactionPoint, SavesUpNoMoreThan50MicrosecondsAndOnePacket) {
  ReactionPoint point = after_cuts(100);  // 10 Mb/s: 25 bytes are 20 us
  const Time now = kStart + 200us;
  int packets = 0;
  for (; point.may_send(25, now) <= now; ++packets) point.sent(25, now);
  EXPECT_EQ(packets, 3);
  EXPECT_EQ(point.may_send(25, now), now + 10us);
}

TEST(NotificationPoint, SendsOneNotificationIn50Microseconds) {
  NotificationPoint point(kLine);
  EXPECT_TRUE(point.marked(kStart));
  EXPECT_FALSE(point.marked(kStart + 49'999ns));
  EXPECT_TRUE(point.marked(kStart + 50us));
  EXPECT_FALSE(point.marked(kStart + 99us));
}

/// A link of 5 Mb/s has a hundredth of the rate below which times are longer.
TEST(Dcqcn, SlowLinksHaveLongerTimes) {
  constexpr double kSlow = 5e6;
  ReactionPoint reaction(kSlow);
  reaction.congestion_notification(kStart);
  reaction.congestion_notification(kStart);
  EXPECT_EQ(rate_at(reaction, kStart + 100 * kTimer - 1ns), kSlow / 4);
  EXPECT_NEAR(rate_at(reaction, kStart + 100 * kTimer), kSlow * 3 / 8, 1);
  NotificationPoint point(kSlow);  // four times as long again
  EXPECT_TRUE(point.marked(kStart));
  EXPECT_FALSE(point.marked(kStart + 20ms - 1ns));
  EXPECT_TRUE(point.marked(kStart + 20ms));
}

/// Senders of the same line rate, and a switch port between them and their receiver.
class Bottleneck {
 public:
  struct Rates {
    std::size_t senders = 2;
    double line_bits_per_second = 10e9;
    std::uint64_t port_bits_per_second = 10'000'000'000;
    std::size_t packet_bytes = 1250;  // on the wire
  };

  explicit Bottleneck(const Rates& rates)
      : rates_(rates),
        packet_time_(nanoseconds(std::llround(8e9 * static_cast<double>(rates.packet_bytes) /
                                              rates.line_bits_per_second))),
        senders_(rates.senders, Sender{ReactionPoint(rates.line_bits_per_second),
                                       NotificationPoint(rates.line_bits_per_second), kStart}) {
    port_.configure(
        {.bits_per_second = rates.port_bits_per_second, .delay = 2us, .mark_above_bytes = 100'000},
        kStart);
  }

  ReactionPoint& sender(std::size_t flow) { return senders_[flow].reaction; }

  /// The bits a second that each flow brought to the receiver.
  std::vector<double> run(nanoseconds duration) {
    std::vector<double> bits(senders_.size());
    for (const Time end = now_ + duration; now_ < end; now_ += packet_time_ / 2) {
      for (std::size_t flow = 0; flow < senders_.size(); ++flow) send(flow);
      while (const auto arrived = port_.take(now_)) {
        const std::size_t flow = arrived->source_port;
        bits[flow] += 8.0 * static_cast<double>(ip_packet_bytes(*arrived)) * 1e9 /
                      static_cast<double>(duration.count());
        const bool congested = arrived->traffic_class == 3;
        Sender& sender = senders_[flow];
        if (congested && sender.notification.marked(now_)) {
          sender.reaction.congestion_notification(now_);
        }
      }
    }
    return bits;
  }

 private:
  struct Sender {
    ReactionPoint reaction;
    NotificationPoint notification;
    Time wire_free;
  };

  void send(std::size_t flow) {
    constexpr std::size_t kIpAndUdp = 28;
    Sender& sender = senders_[flow];
    Datagram packet;
    packet.source_port = static_cast<std::uint16_t>(flow);
    packet.destination = ipv4(1);
    packet.traffic_class = 2;
    packet.bytes.resize(rates_.packet_bytes - kIpAndUdp);
    if (sender.wire_free > now_ || sender.reaction.may_send(rates_.packet_bytes, now_) > now_)
      return;
    sender.reaction.sent(rates_.packet_bytes, now_);
    sender.wire_free = now_ + packet_time_;
    port_.submit(std::move(packet), now_);
  }

  Rates rates_;
  nanoseconds packet_time_;
  Shaper port_{1, 0, Direction::transmit};
  std::vector<Sender> senders_;
  Time now_ = kStart;
};

TEST(Dcqcn, BringsTwoFlowsToAFairShareOfAFullLink) {
  Bottleneck bottleneck({});
  for (int cut = 0; cut < 6; ++cut) bottleneck.sender(1).congestion_notification(kStart);
  const auto first = bottleneck.run(1ms);
  EXPECT_GT(first[0], 2 * first[1]);
  bottleneck.run(200ms);
  const auto settled = bottleneck.run(100ms);
  EXPECT_NEAR(settled[0] / settled[1], 1, 0.2);
  EXPECT_GT(settled[0] + settled[1], 9e9);
}

/// Where the queue drains for as long as many intervals of 50 us.
TEST(Dcqcn, UsesALinkBetweenSlowSwitches) {
  Bottleneck bottleneck({.senders = 3,
                         .line_bits_per_second = 20e6,
                         .port_bits_per_second = 40'000'000,
                         .packet_bytes = 4178});
  bottleneck.run(2s);
  const auto settled = bottleneck.run(4s);
  EXPECT_GT(settled[0] + settled[1] + settled[2], 0.93 * 40e6);
  const auto [least, most] = std::ranges::minmax(settled);
  EXPECT_GT(least, 0.9 * most);
}

}  // namespace
}  // namespace railgauge::softroce
