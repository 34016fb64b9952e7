#include "softfabric/description.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fabric/presets.hpp"

namespace railgauge::softfabric {
namespace {

/// What is said of a sound fabric (2 hosts, leaf0-0 and leaf0-1, spine0) after a change.
std::string complaint(const std::function<void(Fabric&)>& change) {
  Fabric fabric =
      fabric::described::preset("rail-optimised", {.hosts = 2, .rails = 1, .spines = 1});
  change(fabric);
  try {
    check_buildable(fabric);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Buildable, ASoundFabricPasses) {
  EXPECT_EQ(complaint([](Fabric&) {}), "");
}

TEST(Buildable, NamesFitForNetdevs) {
  EXPECT_EQ(complaint([](Fabric& f) { f.hosts.clear(); }), "hosts: there are none");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "sixteen-letters-"; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = ""; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "../etc"; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "-n"; }), "");
  EXPECT_EQ(complaint([](Fabric& f) { f.links[0].a.port = "mgmt"; }),
            "links[0].a_port: 'mgmt' is not a name for a host's port");
  EXPECT_EQ(complaint([](Fabric& f) { f.links.erase(f.links.begin() + 1); }),
            "hosts[1]: host1 has no link");
}

// Renames host 0, also at its links.
std::string complaint_about(const std::string& name) {
  return complaint([&](Fabric& fabric) {
    for (Link& link : fabric.links) {
      if (link.a.node == fabric.hosts[0].name) link.a.node = name;
    }
    fabric.hosts[0].name = name;
  });
}

TEST(Buildable, NamesOfHostsAreThoseOfASite) {
  for (const char* name :
       {"gpu-1.rack-a", "gpu-0001.rack-a.site.example.com", "h", "sixteen-letters-"})
    EXPECT_EQ(complaint_about(name), "") << name;
  EXPECT_EQ(complaint_about(std::string(64, 'h')), "");
  EXPECT_EQ(complaint_about("host 0"),
            "hosts[0].name: 'host 0' must be 1 to 64 letters, digits, - and _, with single dots "
            "between them");
  for (const char* name : {"", ".", "..", "a..b", ".a", "a.", "-a", "a.-b", "a/b", "a:b"})
    EXPECT_NE(complaint_about(name), "") << name;
  EXPECT_NE(complaint_about(std::string(65, 'h')), "");
}

TEST(Buildable, PortsOfSwitchesAreCalledAsTheirHosts) {
  const std::string name = "gpu-0001.rack-a.example.com";
  EXPECT_EQ(complaint([&](Fabric& f) { f.links[0].b.port = name; }), "");
  EXPECT_EQ(complaint([&](Fabric& f) { f.links[0].a.port = name; }),
            "links[0].a_port: '" + name + "' must be 1 to 15 letters, digits, - and _");
  EXPECT_NE(complaint([](Fabric& f) { f.links[0].b.port = "../etc"; }), "");
}

TEST(Buildable, FaultsAreWhatSoftswitchKnows) {
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

TEST(Buildable, ABufferHoldsAPacket) {
  EXPECT_EQ(complaint([](Fabric& f) { f.switching.buffer_bytes = 4199; }),
            "switching: buffer_bytes times dynamic_threshold must hold a packet of 4200 bytes");
  EXPECT_NE(complaint([](Fabric& f) { f.switching.dynamic_threshold = 0; }), "");
  EXPECT_EQ(complaint([](Fabric& f) { f.switching.buffer_bytes = 4200; }), "");
}

TEST(Buildable, AFileIsNamedToo) {
  EXPECT_THROW(
      {
        try {
          read_fabric("/nowhere/fabric.json");
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "/nowhere/fabric.json: cannot be read");
          throw;
        }
      },
      std::runtime_error);
}

}  // namespace
}  // namespace railgauge::softfabric
