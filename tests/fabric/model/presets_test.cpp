#include "fabric/presets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace railgauge::fabric::described {
namespace {

/// Mbit/s of all links whose lower end is `node`.
double up_of(const Fabric& fabric, const std::string& node) {
  double all = 0;
  for (const Link& link : fabric.links) {
    if (link.a.node == node) all += link.rate_mbit_per_s;
  }
  return all;
}

double down_of(const Fabric& fabric, const std::string& node) {
  double all = 0;
  for (const Link& link : fabric.links) {
    if (link.b.node == node) all += link.rate_mbit_per_s;
  }
  return all;
}

bool has_switch(const Fabric& fabric, const std::string& name) {
  return std::ranges::find(fabric.switches, name, &Switch::name) != fabric.switches.end();
}

std::string refusal(const std::string& name, const Shape& shape) {
  try {
    preset(name, shape);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(RailOptimised, HasALeafForEachRailAndPod) {
  const Fabric fabric = preset("rail-optimised", {.hosts = 8, .rails = 2, .spines = 4});
  EXPECT_EQ(fabric.hosts.size(), 8U);
  EXPECT_EQ(fabric.switches.size(), 2U * 2U + 4U);
  EXPECT_EQ(fabric.links.size(), 8U * 2U + 4U * 4U);
  EXPECT_TRUE(find_link(fabric, "host3:leaf1-0").has_value());
  EXPECT_TRUE(find_link(fabric, "host4:leaf1-1").has_value());
  EXPECT_FALSE(find_link(fabric, "host4:leaf1-0").has_value());
  EXPECT_EQ(fabric.hosts[3].pod, 0);
  EXPECT_EQ(fabric.hosts[4].pod, 1);
}

TEST(RailOptimised, IsNotOversubscribed) {
  for (const int spines : {1, 2, 3, 4}) {
    const Fabric fabric = preset("rail-optimised", {.hosts = 6, .rails = 2, .spines = spines});
    for (const char* const leaf : {"leaf0-0", "leaf0-1", "leaf1-0", "leaf1-1"}) {
      EXPECT_DOUBLE_EQ(up_of(fabric, leaf), 3 * 200) << leaf << " of " << spines;
      EXPECT_DOUBLE_EQ(down_of(fabric, leaf), 3 * 200);
    }
  }
}

TEST(RailOptimised, SpreadsHostsThatDoNotDivide) {
  const Fabric fabric =
      preset("rail-optimised", {.hosts = 5, .rails = 1, .spines = 1, .leaves = 3});
  EXPECT_DOUBLE_EQ(down_of(fabric, "leaf0-0"), 400);
  EXPECT_DOUBLE_EQ(down_of(fabric, "leaf0-1"), 400);
  EXPECT_DOUBLE_EQ(down_of(fabric, "leaf0-2"), 200);
}

TEST(RailOptimised, OfASingleHostHasASingleLeaf) {
  const Fabric fabric = preset("rail-optimised", {.hosts = 1, .rails = 1, .spines = 1});
  EXPECT_TRUE(has_switch(fabric, "leaf0-0"));
  EXPECT_FALSE(has_switch(fabric, "leaf0-1"));
}

TEST(Clos, JoinsAllPortsOfAHostToOneLeaf) {
  const Fabric fabric = preset("clos", {.hosts = 4, .rails = 2, .spines = 2});
  EXPECT_EQ(fabric.switches.size(), 2U + 2U);
  EXPECT_EQ(fabric.links[find_link(fabric, "host1.rail1").value()].b.node, "leaf0");
  EXPECT_EQ(fabric.links[find_link(fabric, "host2.rail0").value()].b.node, "leaf1");
  EXPECT_DOUBLE_EQ(down_of(fabric, "leaf0"), 4 * 200);
  EXPECT_DOUBLE_EQ(up_of(fabric, "leaf0"), 4 * 200);
}

TEST(Oversubscribed, HasHalfOfThatAbove) {
  const Fabric fabric = preset("oversubscribed-2", {.hosts = 4, .rails = 2, .spines = 2});
  EXPECT_DOUBLE_EQ(down_of(fabric, "leaf1"), 4 * 200);
  EXPECT_DOUBLE_EQ(up_of(fabric, "leaf1"), 2 * 200);
}

TEST(Storage, HasASwitchApart) {
  const Fabric fabric = preset("storage", {.hosts = 6, .rails = 2, .spines = 2});
  EXPECT_EQ(fabric.hosts.size(), 6U + 2U);
  EXPECT_DOUBLE_EQ(down_of(fabric, "storage-leaf"), 6 * 200 + 2 * 400);
  EXPECT_DOUBLE_EQ(up_of(fabric, "storage-leaf"), 0);
  EXPECT_DOUBLE_EQ(up_of(fabric, "host5"), 3 * 200);
}

TEST(Presets, TakeRateDelayAndMtu) {
  const Fabric fabric = preset("clos", {.hosts = 2,
                                        .rails = 1,
                                        .spines = 2,
                                        .rate_mbit_per_s = 100,
                                        .delay_us = 7,
                                        .mtu_bytes = 1500});
  for (const Link& link : fabric.links) {
    EXPECT_EQ(link.rate_mbit_per_s, is_host(fabric, link.a.node) ? 100 : 50);
    EXPECT_EQ(link.delay_us, 7);
    EXPECT_EQ(link.mtu_bytes, 1500);
  }
}

TEST(Presets, GiveFastFabricsLargerBuffers) {
  const Switching usual = preset("clos", {.rate_mbit_per_s = 200}).switching;
  const Switching twice = preset("clos", {.rate_mbit_per_s = 400}).switching;
  const Switching slow = preset("clos", {.rate_mbit_per_s = 20}).switching;
  EXPECT_EQ(usual.buffer_bytes, Switching{}.buffer_bytes);
  EXPECT_EQ(slow.buffer_bytes, usual.buffer_bytes);
  EXPECT_EQ(slow.priorities[1].ecn_kmin_bytes, usual.priorities[1].ecn_kmin_bytes);
  EXPECT_EQ(twice.buffer_bytes, 2 * usual.buffer_bytes);
  EXPECT_EQ(twice.priorities[1].ecn_kmin_bytes, 2 * usual.priorities[1].ecn_kmin_bytes.value_or(0));
  EXPECT_EQ(twice.priorities[1].ecn_kmax_bytes, 2 * usual.priorities[1].ecn_kmax_bytes.value_or(0));
}

TEST(Presets, RefuseWhatTheyCannotMake) {
  EXPECT_EQ(refusal("dragonfly", {}),
            "'dragonfly' is not one of rail-optimised, clos, oversubscribed-2, storage");
  EXPECT_EQ(refusal("clos", {.hosts = 0}), "there are from 1 to 254 hosts, not 0");
  EXPECT_EQ(refusal("clos", {.hosts = 255}), "there are from 1 to 254 hosts, not 255");
  EXPECT_EQ(refusal("clos", {.rails = 65}), "there are from 1 to 64 rails, not 65");
  EXPECT_EQ(refusal("clos", {.spines = 0}), "there are from 1 to 254 spines, not 0");
  EXPECT_EQ(refusal("clos", {.hosts = 2, .leaves = 3}), "there are from 1 to 2 leaves, not 3");
}

TEST(Presets, AreSoundOfEverySize) {
  for (const std::string& name : preset_names()) {
    for (int hosts = 1; hosts <= 9; ++hosts) {
      EXPECT_EQ(refusal(name, {.hosts = hosts, .rails = 3, .spines = 3}), "") << name << hosts;
    }
  }
}

}  // namespace
}  // namespace railgauge::fabric::described
