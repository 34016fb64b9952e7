#include "softfabric/description_check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "softfabric/presets.hpp"

namespace railgauge::softfabric {
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

TEST(DescriptionCheck, NodesAreThereOnceAndFitForNetdevs) {
  EXPECT_EQ(complaint([](Fabric& f) { f.hosts.clear(); }), "hosts: there are none");
  EXPECT_EQ(complaint([](Fabric& f) { f.hosts[1].name = "host0"; }),
            "hosts[1].name: there are two 'host0'");
  EXPECT_EQ(complaint([](Fabric& f) { f.switches[2].name = "leaf0-0"; }),
            "switches[2].name: there are two 'leaf0-0'");
  EXPECT_EQ(complaint([](Fabric& f) { f.hosts[0].name = "host 0"; }),
            "hosts[0].name: 'host 0' must be 1 to 15 letters, digits, - and _");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "sixteen-letters-"; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = ""; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "../etc"; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "-n"; }), "");
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
  EXPECT_EQ(complaint([](Fabric& f) { f.links[0].a.port = "mgmt"; }),
            "links[0].a_port: 'mgmt' is not a name for a host's port");
  EXPECT_EQ(complaint([](Fabric& f) { f.links.erase(f.links.begin() + 1); }),
            "hosts[1]: host1 has no link");
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

TEST(DescriptionCheck, FaultsAreWhatSoftswitchKnows) {
  const auto refused = [](const std::string& words) {
    return complaint([&](Fabric& fabric) { fabric.faults = {{"spine0", "both", words}}; });
  };
  EXPECT_EQ(refused("loss=200%"),
            "faults[0].fault: fault 'loss=200%': loss takes a probability, such as 1% or 0.01");
  for (const char* words :
       {"loss=-1%", "rate=0", "delay=5", "mtu=70000", "reboot", "loss=1% pfc"}) {
    EXPECT_NE(refused(words), "") << words;
  }
  EXPECT_EQ(refused("loss=100%"), "");
}

TEST(DescriptionCheck, ABufferHoldsAPacket) {
  EXPECT_EQ(complaint([](Fabric& f) { f.switching.buffer_bytes = 4199; }),
            "switching: buffer_bytes times dynamic_threshold must hold a packet of 4200 bytes");
  EXPECT_NE(complaint([](Fabric& f) { f.switching.dynamic_threshold = 0; }), "");
  EXPECT_EQ(complaint([](Fabric& f) { f.switching.buffer_bytes = 4200; }), "");
}

TEST(DescriptionCheck, AddressingIsKnown) {
  EXPECT_EQ(complaint([](Fabric& f) { f.addressing = "ipv6"; }),
            "addressing: must be subnet or routed, not 'ipv6'");
}

}  // namespace
}  // namespace railgauge::softfabric
