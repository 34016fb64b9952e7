#include <gtest/gtest.h>

#include "softfabric/fault_injection.hpp"
#include "softfabric/netdevs.hpp"
#include "softfabric/pause_frame.hpp"
#include "softfabric/rig.hpp"

namespace railgauge::softfabric {
namespace {

/// 200 KiB of buffer and 20 of headroom; ECN is off.
Fabric small_buffers(const Shape& shape) {
  Fabric fabric = shaped(shape);
  fabric.switching.buffer_bytes = 200U << 10U;
  fabric.switching.pfc_headroom_bytes = 20U << 10U;
  fabric.switching.priorities[1].ecn_kmin_bytes.reset();
  fabric.switching.priorities[1].ecn_kmax_bytes.reset();
  return fabric;
}

void send_all(Rig& rig, const std::vector<std::size_t>& from, std::size_t to, int packets,
              std::uint8_t dscp) {
  for (int i = 0; i < packets; ++i) {
    for (const std::size_t one : from) {
      rig.send(one, to, {.source_port = static_cast<std::uint16_t>(50000 + one), .dscp = dscp});
    }
  }
}

TEST(FlowControl, AnIncastPausesItsSendersAndLosesNothing) {
  Rig rig(small_buffers({.hosts_per_leaf = 3}));
  send_all(rig, {0, 1}, 2, 1000, kLosslessDscp);
  rig.run(2000 * kOnLine + 50us);
  EXPECT_EQ(rig.hosts.at(2).size(), 2000U) << "at the link's rate: they go on before it is idle";
  rig.run_out();
  EXPECT_EQ(rig.model.totals().dropped, 0U);
  for (const char* host : {"host0", "host1"}) {
    const PriorityCounters& counters = rig.counters(rig.wire(host, "leaf0"), 3);
    EXPECT_GT(counters.pauses_sent, 0U);
    EXPECT_EQ(counters.pauses_received, counters.pauses_sent);
    EXPECT_GT(counters.paused, 0ns);
    EXPECT_EQ(rig.counters(rig.wire(host, "leaf0"), 0).pauses_sent, 0U);
  }
  EXPECT_EQ(rig.model.buffer(0).used(), 0U);
}

TEST(FlowControl, WithoutCongestionNobodyIsPaused) {
  Rig rig(small_buffers({.hosts_per_leaf = 4}));
  for (int i = 0; i < 500; ++i) {
    rig.send(0, 2, {.dscp = kLosslessDscp});
    rig.send(1, 3, {.dscp = kLosslessDscp});
  }
  rig.run_out();
  EXPECT_EQ(rig.hosts.packets.size(), 1000U);
  EXPECT_TRUE(rig.hosts.pauses.empty());
}

TEST(FlowControl, HostsGetTheFramesThatTheyAreCountedFor) {
  Rig rig(small_buffers({.hosts_per_leaf = 3}));
  send_all(rig, {0, 1}, 2, 1000, kLosslessDscp);
  rig.run_out();
  std::uint64_t frames = 0;
  std::uint64_t stops = 0;
  for (const Hosts::Got& got : rig.hosts.pauses) {
    if (got.link != 0) continue;
    const Pause pause = parse_pause(got.frame).value();
    for (std::size_t priority = 0; priority < kPriorities; ++priority) {
      EXPECT_EQ(pause[priority].has_value(), priority == 3);
    }
    ++frames;
    stops += *pause[3] > 0 ? 1 : 0;
  }
  EXPECT_EQ(frames, rig.counters(rig.wire("host0", "leaf0"), 3).pauses_received);
  EXPECT_GT(stops, 0U);
  EXPECT_LT(stops, frames) << "and those that let it go on";
}

TEST(FlowControl, GoesHopByHop) {
  Rig rig(small_buffers({.hosts_per_leaf = 2, .leaves = 2, .spines = 1}));
  // Hosts 0 and 1 of leaf0, and 2 of leaf1, to host 3 of leaf1: leaf1 has to stop the spine, the
  // spine leaf0, and leaf0 its hosts.
  send_all(rig, {0, 1, 2}, 3, 3000, kLosslessDscp);
  rig.run_out();
  EXPECT_EQ(rig.model.totals().dropped, 0U);
  EXPECT_EQ(rig.hosts.at(3).size(), 9000U);
  for (const auto& [from, to] :
       {std::pair{"spine0", "leaf1"}, std::pair{"leaf0", "spine0"}, std::pair{"host0", "leaf0"},
        std::pair{"host1", "leaf0"}, std::pair{"host2", "leaf1"}}) {
    EXPECT_GT(rig.counters(rig.wire(from, to), 3).pauses_received, 0U) << from << " to " << to;
  }
}

/// When the last of a victim's packets arrives: host 0 sends them to host 3, which nobody else
/// does, while hosts 0 and 1 send 2000 each to host 2.
Time end_of_victim(std::uint8_t dscp) {
  Rig rig(small_buffers({.hosts_per_leaf = 4}));
  send_all(rig, {0, 1}, 2, 2000, kLosslessDscp);
  for (int i = 0; i < 100; ++i) rig.send(0, 3, {.dscp = dscp});
  const Time start = rig.now;
  for (int step = 0; step < 1000 && rig.hosts.at(3).size() < 100; ++step) rig.run(100us);
  return rig.now - start;
}

TEST(FlowControl, HitsAVictimThatSharesThePriority) {
  EXPECT_GT(end_of_victim(kLosslessDscp), 30ms) << "as long as the incast takes";
  EXPECT_LT(end_of_victim(0), 10ms);
}

TEST(FlowControl, LossyPrioritiesGoOnWhileOneIsPaused) {
  Rig rig(small_buffers({.hosts_per_leaf = 3}));
  Pause pause{};
  pause[3] = kLongestPause;
  const auto mac = mac_of(mac_address(2, End::a));
  const auto bytes = pause_frame(pause, mac.data());
  rig.send(2, {bytes.begin(), bytes.end()});
  rig.send(0, 2, {.dscp = kLosslessDscp});
  rig.send(0, 2);
  rig.run(1ms);
  ASSERT_EQ(rig.hosts.at(2).size(), 1U) << "of priority 0";
  EXPECT_EQ(rig.counters(rig.wire("leaf0", "host2"), 3).pauses_received, 1U);
}

TEST(FlowControl, APauseEndsByItsTime) {
  Rig rig(small_buffers({.hosts_per_leaf = 3}));
  Pause pause{};
  pause[3] = 1000;  // 512 us
  const auto bytes = pause_frame(pause, mac_of(mac_address(2, End::a)).data());
  rig.send(2, {bytes.begin(), bytes.end()});
  rig.send(0, 2, {.dscp = kLosslessDscp});
  rig.run(512us);
  EXPECT_TRUE(rig.hosts.packets.empty());
  rig.run(10us);
  EXPECT_EQ(rig.hosts.packets.size(), 1U);
  EXPECT_EQ(rig.counters(rig.wire("leaf0", "host2"), 3).paused, 512us);
}

TEST(FlowControl, APauseEndsByAFrame) {
  Rig rig(small_buffers({.hosts_per_leaf = 3}));
  const auto mac = mac_of(mac_address(2, End::a));
  for (const std::uint16_t quanta : {kLongestPause, std::uint16_t{0}}) {
    Pause pause{};
    pause[3] = quanta;
    const auto bytes = pause_frame(pause, mac.data());
    rig.send(2, {bytes.begin(), bytes.end()});
    if (quanta > 0) rig.send(0, 2, {.dscp = kLosslessDscp});
    rig.run(100us);
    EXPECT_EQ(rig.hosts.packets.size(), quanta > 0 ? 0U : 1U);
  }
}

/// Keeps host 2 pausing the switch for so long.
void hold(Rig& rig, Time duration) {
  Pause pause{};
  pause[3] = kLongestPause;  // 33 ms
  const auto bytes = pause_frame(pause, mac_of(mac_address(2, End::a)).data());
  for (Time spent{}; spent < duration; spent += 20ms) {
    rig.send(2, {bytes.begin(), bytes.end()});
    rig.run(20ms);
  }
}

TEST(FlowControl, AWatchdogDropsWhatAHostNeverTakes) {
  Fabric fabric = small_buffers({.hosts_per_leaf = 3});
  fabric.switching.pfc_watchdog_ms = 100;
  Rig rig(fabric);
  hold(rig, 20ms);
  send_all(rig, {0}, 2, 500, kLosslessDscp);
  hold(rig, 60ms);
  EXPECT_EQ(rig.drops(Drop::watchdog), 0U);
  EXPECT_GT(rig.model.buffer(0).used(), 0U);
  hold(rig, 60ms);
  EXPECT_EQ(rig.drops(Drop::watchdog), 500U) << "also those that waited in the host";
  EXPECT_EQ(rig.model.buffer(0).used(), 0U);
  rig.run(100ms);  // the pause has ended
  rig.send(0, 2, {.dscp = kLosslessDscp});
  rig.run_out();
  EXPECT_EQ(rig.hosts.at(2).size(), 1U);
}

TEST(FlowControl, WithoutAWatchdogItWaits) {
  Fabric fabric = small_buffers({.hosts_per_leaf = 3});
  fabric.switching.pfc_watchdog_ms = 0;
  Rig rig(fabric);
  hold(rig, 20ms);
  send_all(rig, {0}, 2, 500, kLosslessDscp);
  hold(rig, 2s);
  EXPECT_EQ(rig.model.totals().dropped, 0U);
  rig.run_out();
  EXPECT_EQ(rig.hosts.at(2).size(), 500U);
}

/// A pause that outlasts its quanta is told again.
TEST(FlowControl, ALongPauseIsRefreshed) {
  Fabric fabric = small_buffers({.hosts_per_leaf = 3});
  fabric.switching.pfc_watchdog_ms = 0;
  Rig rig(fabric);
  hold(rig, 20ms);
  send_all(rig, {0}, 2, 500, kLosslessDscp);
  hold(rig, 1s);
  const PriorityCounters& counters = rig.counters(rig.wire("host0", "leaf0"), 3);
  EXPECT_NEAR(static_cast<double>(counters.pauses_sent), 1000 / 16.8, 3) << "half of 33.5 ms";
  EXPECT_TRUE(rig.model.wire(rig.wire("host0", "leaf0")).paused[3].active);
}

/// Those that have ended are not: otherwise each of the many short pauses of an incast would begin
/// a series of its own.
TEST(FlowControl, OnlyTheLastPauseIsRefreshed) {
  Fabric fabric = small_buffers({.hosts_per_leaf = 3});
  fabric.switching.pfc_watchdog_ms = 0;
  Rig rig(fabric);
  send_all(rig, {0, 1}, 2, 2000, kLosslessDscp);
  rig.run(20ms);
  const PriorityCounters& counters = rig.counters(rig.wire("host0", "leaf0"), 3);
  const std::uint64_t before = counters.pauses_sent;
  EXPECT_GT(before, 50U);
  hold(rig, 500ms);
  EXPECT_NEAR(static_cast<double>(counters.pauses_sent - before), 500 / 16.8, 3);
}

TEST(FlowControl, WhereItIsOffTheHeadroomOverflows) {
  Rig rig(small_buffers({.hosts_per_leaf = 3}));
  plant(rig.model, "host0.rail0", "a-to-b", "pfc=off");
  send_all(rig, {0, 1}, 2, 1000, kLosslessDscp);
  rig.run_out();
  EXPECT_EQ(rig.counters(rig.wire("host0", "leaf0"), 3).pauses_sent, 0U);
  EXPECT_GT(rig.counters(rig.wire("host1", "leaf0"), 3).pauses_sent, 0U);
  const auto headroom = static_cast<std::size_t>(Drop::headroom_full);
  EXPECT_GT(rig.counters(rig.wire("host0", "leaf0"), 3).drops[headroom], 0U);
  EXPECT_EQ(rig.counters(rig.wire("host1", "leaf0"), 3).drops[headroom], 0U);
}

/// What is on its way when the pause is sent has to fit: a link's delay both ways.
TEST(FlowControl, HeadroomHoldsWhatIsOnItsWay) {
  Fabric fabric = small_buffers({.hosts_per_leaf = 3});
  for (Link& link : fabric.links) link.delay_us = 60;  // 15 KB both ways
  Rig rig(fabric);
  send_all(rig, {0, 1}, 2, 1000, kLosslessDscp);
  rig.run_out();
  EXPECT_EQ(rig.model.totals().dropped, 0U);
  for (Link& link : fabric.links) link.delay_us = 200;
  Rig longer(fabric);
  send_all(longer, {0, 1}, 2, 1000, kLosslessDscp);
  longer.run_out();
  EXPECT_GT(longer.drops(Drop::headroom_full), 0U);
}

}  // namespace
}  // namespace railgauge::softfabric
