// Queues that grow: ECN, tail drop, the shared buffer.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "softfabric/fault_injection.hpp"
#include "softfabric/rig.hpp"

namespace railgauge::softfabric {
namespace {

/// Hosts 0 and 1 send to host 2, each as fast as its link is: half of it has to wait.
void incast(Rig& rig, int packets, FrameOf what) {
  for (int i = 0; i < packets; ++i) {
    for (const std::size_t from : {0U, 1U}) {
      what.source_port = static_cast<std::uint16_t>(50000 + from);
      rig.send(from, 2, what);
    }
  }
  rig.run_out();
}

Fabric three_hosts() {
  return shaped({.hosts_per_leaf = 3});
}

TEST(Ecn, MarksNothingBelowKmin) {
  Rig rig(three_hosts());
  incast(rig, 48, {.dscp = kLosslessDscp});  // 48 of 96 wait: below 50 KiB
  EXPECT_EQ(rig.marks(), 0U);
  EXPECT_EQ(rig.hosts.at(2).size(), 96U);
  const auto& queue = rig.counters(rig.wire("leaf0", "host2"), 3);
  EXPECT_GT(queue.most_queued_bytes, 40U << 10U);
  EXPECT_LE(queue.most_queued_bytes, 50U << 10U);
}

TEST(Ecn, MarksAllAboveKmax) {
  Fabric fabric = three_hosts();
  fabric.switching.priorities[1].ecn_kmin_bytes = 20U << 10U;
  fabric.switching.priorities[1].ecn_kmax_bytes = 20U << 10U;
  Rig rig(fabric);
  incast(rig, 200, {.dscp = kLosslessDscp});
  std::size_t marked = 0;
  bool seen = false;
  for (const Frame& frame : rig.hosts.at(2)) {
    const bool now = parse(frame)->ecn == Ecn::congested;
    marked += now ? 1 : 0;
    seen = seen || now;
    EXPECT_TRUE(ip_checksum_is_right(frame));
  }
  EXPECT_TRUE(seen);
  EXPECT_EQ(marked, rig.marks());
  // A queue of 20 KiB is 20 packets; it grows by one for every two that come.
  EXPECT_NEAR(static_cast<double>(marked), 400 - 2 * 20, 5);
}

TEST(Ecn, MarksBetweenByPmax) {
  Fabric fabric = three_hosts();
  fabric.switching.priorities[1].ecn_kmin_bytes = 0;
  fabric.switching.priorities[1].ecn_kmax_bytes = 1U << 30U;
  fabric.switching.priorities[1].ecn_pmax = 1;
  Rig none(fabric);
  incast(none, 200, {.dscp = kLosslessDscp});
  EXPECT_LE(none.marks(), 2U) << "a queue of 200 KB is 0.02 % of the way to Kmax";
  fabric.switching.priorities[1].ecn_kmax_bytes = 400 * kFrameBytes;
  Rig rig(fabric);
  incast(rig, 200, {.dscp = kLosslessDscp});
  // The depth rises from 0 to 200 packets and is 100 in the mean: a probability of a quarter.
  EXPECT_NEAR(static_cast<double>(rig.marks()), 100, 30);
}

TEST(Ecn, BeginsAtTheKminOfAFault) {
  Rig rig(three_hosts());
  plant(rig.model, "leaf0:host2", "both", "kmin=10000");
  incast(rig, 48, {.dscp = kLosslessDscp});
  EXPECT_GT(rig.marks(), 0U);
}

/// Both send as fast as the link of host 2 is.
TEST(Unfair, OneThatGoesAheadHasAllOfTheLink) {
  Rig rig(three_hosts());
  plant(rig.model, "host0.rail0", "a-to-b", "ahead=on");
  incast(rig, 100, {});
  const std::vector<Frame> arrived = rig.hosts.at(2);
  const auto ahead = std::ranges::count_if(std::span(arrived).first(100), [](const Frame& frame) {
    return parse(frame)->source_port == 50000;
  });
  EXPECT_GE(ahead, 98);
  EXPECT_EQ(arrived.size(), 200U);
}

TEST(Ecn, LeavesPacketsAloneThatAreNotCapable) {
  Rig rig(three_hosts());
  incast(rig, 300, {.dscp = kLosslessDscp, .ecn = 0});
  EXPECT_EQ(rig.marks(), 0U);
  for (const Frame& frame : rig.hosts.at(2)) EXPECT_EQ(parse(frame)->ecn, Ecn::not_capable);
}

TEST(Ecn, PrioritiesWithoutThresholdsMarkNothing) {
  Rig rig(three_hosts());
  incast(rig, 300, {});
  EXPECT_EQ(rig.marks(), 0U);
}

TEST(TailDrop, ALossyQueueTakesHalfOfTheBuffer) {
  Fabric fabric = three_hosts();
  fabric.switching.buffer_bytes = 100 * kFrameBytes;
  Rig rig(fabric);
  incast(rig, 300, {});
  // With alpha 1 one queue grows until it is as long as what is left.
  const auto& queue = rig.counters(rig.wire("leaf0", "host2"), 0);
  EXPECT_EQ(queue.most_queued_bytes / kFrameBytes, 50U);
  EXPECT_GT(rig.drops(Drop::buffer_full), 200U);
  EXPECT_EQ(rig.hosts.at(2).size() + rig.drops(Drop::buffer_full), 600U);
  EXPECT_EQ(rig.model.buffer(0).used(), 0U) << "all is given back";
  EXPECT_EQ(rig.model.buffer(0).most_used(), 50 * kFrameBytes);
}

TEST(TailDrop, ASwitchMayHaveABufferOfItsOwn) {
  Fabric fabric = three_hosts();
  fabric.switches.front().buffer_bytes = 100 * kFrameBytes;
  Rig rig(fabric);
  incast(rig, 300, {});
  EXPECT_EQ(rig.model.buffer(0).most_used(), 50 * kFrameBytes);
}

TEST(TailDrop, WithoutCongestionNothingIsDropped) {
  Fabric fabric = three_hosts();
  fabric.switching.buffer_bytes = 10 * kFrameBytes;
  Rig rig(fabric);
  for (int i = 0; i < 300; ++i) rig.send(0, 2);
  rig.run_out();
  EXPECT_EQ(rig.hosts.at(2).size(), 300U);
}

/// Two queues and alpha 1: a third of the buffer each.
TEST(SharedBuffer, QueuesShareWhatThereIs) {
  SharedBuffer buffer(300, 1, 0);
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  for (int i = 0; i < 300; ++i) {
    if (buffer.take(first, 1)) ++first;
    if (buffer.take(second, 1)) ++second;
  }
  EXPECT_EQ(first, 100U);
  EXPECT_EQ(second, 100U);
}

TEST(SharedBuffer, ALargeAlphaIsBoundedByTheBuffer) {
  SharedBuffer buffer(300, 8, 0);
  std::uint64_t queue = 0;
  for (int i = 0; i < 400; ++i) queue += buffer.take(queue, 1) ? 1 : 0;
  EXPECT_EQ(queue, 267U);  // 8 / 9
}

TEST(SharedBuffer, HeadroomIsTakenLastAndGivenBackFirst) {
  SharedBuffer buffer(100, 1, 20);
  IngressShare share;
  int taken = 0;
  while (buffer.take(share, 10)) ++taken;
  EXPECT_EQ(share.bytes, 50U);
  EXPECT_EQ(share.headroom_bytes, 20U);
  EXPECT_EQ(taken, 7);
  EXPECT_EQ(buffer.used(), 50U) << "headroom is beyond the shared buffer";
  EXPECT_TRUE(buffer.full(share, 10));
  buffer.give(share, 20);
  EXPECT_EQ(share.headroom_bytes, 0U);
  EXPECT_FALSE(buffer.relieved(share, 10));
  buffer.give(share, 30);
  EXPECT_TRUE(buffer.relieved(share, 10));
}

TEST(QueueDepths, AreCountedInPowersOfTwo) {
  EXPECT_EQ(depth_bucket(0), 0U);
  EXPECT_EQ(depth_bucket(1023), 0U);
  EXPECT_EQ(depth_bucket(1024), 1U);
  EXPECT_EQ(depth_bucket(4096), 3U);
  EXPECT_EQ(depth_bucket(1U << 30U), kDepths - 1);
  Rig rig(three_hosts());
  incast(rig, 100, {});
  std::uint64_t counted = 0;
  for (const std::uint64_t count : rig.counters(rig.wire("leaf0", "host2"), 0).queue_depths) {
    counted += count;
  }
  EXPECT_EQ(counted, 200U);
}

}  // namespace
}  // namespace railgauge::softfabric
