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
  EXPECT_EQ(complaint([](Fabric& f) { f.hosts[0].name = "host 0"; }),
            "hosts[0].name: 'host 0' must be 1 to 15 letters, digits, - and _");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "sixteen-letters-"; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = ""; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "../etc"; }), "");
  EXPECT_NE(complaint([](Fabric& f) { f.switches[0].name = "-n"; }), "");
  EXPECT_EQ(complaint([](Fabric& f) { f.links[0].a.port = "mgmt"; }),
            "links[0].a_port: 'mgmt' is not a name for a host's port");
  EXPECT_EQ(complaint([](Fabric& f) { f.links.erase(f.links.begin() + 1); }),
            "hosts[1]: host1 has no link");
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
