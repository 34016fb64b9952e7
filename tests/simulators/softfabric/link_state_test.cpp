#include <gtest/gtest.h>

#include "softfabric/fault_injection.hpp"
#include "softfabric/rig.hpp"

namespace railgauge::softfabric {
namespace {

Fabric two_spines(double reroute_after_ms) {
  Fabric fabric = shaped({.hosts_per_leaf = 1, .leaves = 2, .spines = 2});
  fabric.switching.reroute_after_ms = reroute_after_ms;
  return fabric;
}

/// Sends 100 flows and says how many of their packets arrived.
std::size_t arrive(Rig& rig) {
  const std::size_t before = rig.hosts.packets.size();
  for (std::uint16_t port = 0; port < 100; ++port) {
    rig.send(0, 1, {.source_port = static_cast<std::uint16_t>(50000 + port), .payload_bytes = 8});
  }
  rig.run(1ms);
  return rig.hosts.packets.size() - before;
}

TEST(LinkState, ADeadLinkLeavesTheRoutesAfterItsTime) {
  Rig rig(two_spines(20));
  EXPECT_EQ(arrive(rig), 100U);
  plant(rig.model, "leaf1:spine0", "both", "link=down");
  const std::size_t at_once = arrive(rig);
  EXPECT_GT(at_once, 20U);
  EXPECT_LT(at_once, 80U) << "half of the flows take the dead link";
  EXPECT_EQ(rig.drops(Drop::link_down), 100 - at_once);
  rig.run(20ms);
  EXPECT_EQ(arrive(rig), 100U);
  EXPECT_EQ(rig.sent(rig.wire("spine0", "leaf1")),
            rig.sent(rig.wire("leaf0", "spine0")) - rig.drops(Drop::link_down));
  plant(rig.model, "leaf1:spine0", "both", "link=up");
  rig.run(21ms);
  const std::uint64_t before = rig.sent(rig.wire("leaf0", "spine0"));
  EXPECT_EQ(arrive(rig), 100U);
  EXPECT_GT(rig.sent(rig.wire("leaf0", "spine0")), before);
}

TEST(LinkState, WithoutReroutingItNeverDoes) {
  Rig rig(two_spines(-1));
  plant(rig.model, "leaf0:spine0", "a-to-b", "link=down");
  rig.run(10s);
  EXPECT_LT(arrive(rig), 80U);
}

TEST(LinkState, ALinkTakesWithItWhatItHolds) {
  Rig rig(two_spines(20));
  for (int i = 0; i < 50; ++i) rig.send(0, 1);
  rig.run(30us);  // some wait, one is on the line
  plant(rig.model, "host0", "both", "link=down");
  EXPECT_FALSE(rig.model.wire(0).up);
  EXPECT_FALSE(rig.model.wire(1).up) << "one direction is both";
  rig.run_out();
  EXPECT_EQ(rig.hosts.packets.size() + rig.drops(Drop::link_down), 50U);
  EXPECT_GT(rig.drops(Drop::link_down), 40U);
  rig.send(0, 1);
  EXPECT_EQ(rig.drops(Drop::link_down) + rig.hosts.packets.size(), 51U);
}

TEST(LinkState, FlapsUpAndDown) {
  const Faults faults = with_words({}, "flap=20ms/5ms");
  EXPECT_TRUE(flap_is_up(faults, 19ms));
  EXPECT_FALSE(flap_is_up(faults, 20ms));
  EXPECT_TRUE(flap_is_up(faults, 25ms));
  EXPECT_EQ(next_flap(faults, 0ms), 20ms);
  EXPECT_EQ(next_flap(faults, 20ms), 25ms);
  EXPECT_EQ(next_flap(faults, 26ms), 45ms);
  Rig rig(shaped({}));
  plant(rig.model, "host0.rail0", "both", "flap=20ms/5ms");
  int up = 0;
  for (int step = 0; step < 1000; ++step) {
    rig.run(250us);
    up += rig.model.wire(0).up ? 1 : 0;
  }
  EXPECT_NEAR(up, 800, 5);
  plant(rig.model, "host0.rail0", "both", "clear");
  EXPECT_TRUE(rig.model.wire(0).up);
  rig.run_out();
  EXPECT_TRUE(rig.model.wire(0).up) << "the flap has ended";
}

TEST(LinkState, ASwitchThatRebootsLosesWhatItHoldsAndComesBack) {
  Rig rig(shaped({.hosts_per_leaf = 3}));
  for (int i = 0; i < 50; ++i) {
    rig.send(0, 2);
    rig.send(1, 2);
  }
  rig.run(200us);
  EXPECT_GT(rig.model.buffer(0).used(), 0U);
  rig.model.reboot(0, 3ms);
  EXPECT_EQ(rig.model.buffer(0).used(), 0U);
  EXPECT_GT(rig.drops(Drop::reboot), 0U);
  rig.run(2999us);
  EXPECT_FALSE(rig.model.wire(0).up);
  rig.run(1us);
  EXPECT_TRUE(rig.model.wire(0).up);
  rig.run(60ms);
  const std::size_t before = rig.hosts.packets.size();
  rig.send(0, 2);
  rig.run_out();
  EXPECT_EQ(rig.hosts.packets.size(), before + 1);
}

}  // namespace
}  // namespace railgauge::softfabric
