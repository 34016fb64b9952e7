
#include "fabric/description.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "fabric/presets.hpp"

namespace railgauge::fabric::described {
namespace {

/// What is said of a sound fabric (2 hosts, leaf0-0 and leaf0-1, spine0) after a change.
std::string complaint(const std::function<void(Fabric&)>& change) {
  Fabric fabric = preset("rail-optimised", {.hosts = 2, .rails = 1, .spines = 1});
  change(fabric);
  try {
    check(fabric);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(DescriptionCheck, ASoundFabricPasses) {
  EXPECT_EQ(complaint([](Fabric&) {}), "");
}

TEST(DescriptionCheck, NodesAreThereOnce) {
  EXPECT_EQ(complaint([](Fabric& f) { f.switches.clear(); }), "switches: expected at least 1");
  EXPECT_EQ(complaint([](Fabric& f) { f.hosts[1].name = "host0"; }),
            "hosts[1].name: there are two 'host0'");
  EXPECT_EQ(complaint([](Fabric& f) { f.switches[2].name = "leaf0-0"; }),
            "switches[2].name: there are two 'leaf0-0'");
  EXPECT_EQ(complaint([](Fabric& f) { f.switches[0].name = ""; }), "switches[0].name: is empty");
}

TEST(DescriptionCheck, LinksJoinWhatThereIs) {
  EXPECT_EQ(complaint([](Fabric& f) { f.links[0].b.node = "leaf9"; }),
            "links[0].b: there is no host or switch 'leaf9'");
  EXPECT_EQ(complaint([](Fabric& f) { f.links[1].b = f.links[0].b; }),
            "links[1].b_port: leaf0-0 has two ports 'host0'");
  EXPECT_EQ(complaint([](Fabric& f) {
              f.links[0].b = {"host1", "rail1", ""};
            }),
            "links[0]: joins two hosts without a switch");
  EXPECT_EQ(complaint([](Fabric& f) {
              f.links[2].b = {"leaf0-1", "leaf0-0", ""};
            }),
            "links[2]: joins two switches of the same tier");
}

TEST(DescriptionCheck, PrioritiesMakeSense) {
  EXPECT_EQ(complaint([](Fabric& f) { f.switching.priorities[1].ecn_kmax_bytes.reset(); }),
            "switching.priorities[1]: ecn_kmin_bytes and ecn_kmax_bytes belong together");
  EXPECT_EQ(complaint([](Fabric& f) { f.switching.priorities[1].ecn_kmin_bytes = 1U << 30U; }),
            "switching.priorities[1].ecn_kmin_bytes: is larger than ecn_kmax_bytes");
  EXPECT_EQ(complaint([](Fabric& f) { f.switching.priorities[1].priority = 0; }),
            "switching.priorities[1].priority: priority 0 is there twice");
  EXPECT_EQ(complaint([](Fabric& f) { f.switching.priorities[2].dscp = {26}; }),
            "switching.priorities[2].dscp: DSCP 26 is there twice");
}

TEST(DescriptionCheck, FaultsAreAtWhatThereIs) {
  const auto with = [](const Fault& fault) {
    return complaint([&](Fabric& fabric) { fabric.faults = {fault}; });
  };
  EXPECT_EQ(with({"leaf0-0:spine0", "both", "loss=1%"}), "");
  EXPECT_EQ(with({"host1.rail0", "a-to-b", "loss=1%"}), "");
  EXPECT_EQ(with({"spine0", "both", "rate=50Mbit delay=1ms"}), "");
  EXPECT_EQ(with({"spine7", "both", "loss=1%"}),
            "faults[0].at: 'spine7' is no switch, and not the name of one link");
  EXPECT_EQ(with({"spine0", "up", "loss=1%"}),
            "faults[0].direction: must be a-to-b, b-to-a or both, not 'up'");
  EXPECT_EQ(with({"spine0", "both", ""}), "faults[0].fault: is empty");
}

/// Names of switches that exist may be longer than those of netdevs, and hosts need not be listed.
TEST(DescriptionCheck, RealSwitchesPass) {
  EXPECT_EQ(complaint([](Fabric& f) {
              f.links = {{.a = {.node = "dc1-row3-rack12-leaf1", .port = "Ethernet1/1"},
                          .b = {.node = "spine0", .port = "Ethernet12/1"}}};
              f.switches[0].name = "dc1-row3-rack12-leaf1";
              f.hosts.clear();
            }),
            "");
}

TEST(DescriptionCheck, AddressingIsKnown) {
  EXPECT_EQ(complaint([](Fabric& f) { f.addressing = "ipv6"; }),
            "addressing: must be subnet or routed, not 'ipv6'");
}

}  // namespace
}  // namespace railgauge::fabric::described
