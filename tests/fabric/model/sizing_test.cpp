#include "fabric/sizing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace railgauge::fabric {
namespace {

std::string refusal(const Request& request) {
  try {
    static_cast<void>(sized(request));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Sizing, OfThirtyTwoHostsHasFourLeavesAndFourSpines) {
  const Fabric made = sized({.hosts = 32, .nics = 4, .leaf = {64, 400}, .spine = {32, 400}}).fabric;
  const Parts parts = parts_of(made);
  EXPECT_EQ(parts.leaves, 4);
  EXPECT_EQ(parts.spines, 4);
  EXPECT_EQ(parts.spine_down_ports, 32);
  EXPECT_EQ(made.bundle, 8);
  EXPECT_DOUBLE_EQ(oversubscription(made), 1);
}

TEST(Sizing, TakesFewerSpinesThatAreLarger) {
  const Fabric made = sized({.hosts = 32, .nics = 4, .leaf = {64, 400}, .spine = {64, 400}}).fabric;
  EXPECT_EQ(parts_of(made).spines, 2);
  EXPECT_EQ(made.bundle, 16);
}

TEST(Sizing, OfAPublishedGuideWithSixtyFourHosts) {
  const Parts parts = parts_of(sized({.hosts = 64, .nics = 4}).fabric);
  EXPECT_EQ(parts.leaves, 4);
  EXPECT_EQ(parts.spines, 2);
}

TEST(Sizing, Of8192GpusHas128LeavesAnd64Spines) {
  const Fabric made = sized({.hosts = 1024}).fabric;
  const Parts parts = parts_of(made);
  EXPECT_EQ(parts.leaves, 128);
  EXPECT_EQ(parts.spines, 64);
  EXPECT_EQ(made.bundle, 1);
  EXPECT_EQ(parts.blocks, 16);                 // pods
  EXPECT_EQ(parts.leaves / parts.blocks, 8U);  // leaves of each
  EXPECT_DOUBLE_EQ(real(parts.leaf_down_ports) * made.port_gbps, 25600);
  EXPECT_DOUBLE_EQ(real(parts.leaf_up_ports) * made.up_gbps, 25600);
}

TEST(Sizing, Of262144GpusNeedsUplinksOf100G) {
  Request request{.hosts = 32768, .uplink_gbps = 100};
  const Sizing made = sized(request);
  EXPECT_FALSE(made.fabric.joined_rails);
  EXPECT_EQ(made.fabric.spines, 256);  // per rail
  EXPECT_EQ(parts_of(made.fabric).leaves, 8 * 512);
  EXPECT_EQ(parts_of(made.fabric).spine_down_ports, 512);
  ASSERT_EQ(made.remarks.size(), 1);
  request.uplink_gbps = 400;
  const std::string why = refusal(request);
  EXPECT_TRUE(has(why, "512 leaves of a rail")) << why;
  EXPECT_TRUE(has(why, "need spines of 512 ports, and a 128x400G spine has 128 of 400G")) << why;
  EXPECT_TRUE(has(why, "uplinks of 100G (4,096 leaves, 2,048 spines, 1:1)")) << why;
}

TEST(Sizing, OfAZoneOf3072NicsHas192LeavesAnd16Spines) {
  const Fabric made =
      sized({.generator = "clos-2", .hosts = 384, .leaf = {32, 400}, .spine = {192, 400}}).fabric;
  EXPECT_EQ(parts_of(made).leaves, 192);
  EXPECT_EQ(parts_of(made).spines, 16);
  EXPECT_EQ(parts_of(made).leaf_down_ports, 16);
  EXPECT_EQ(parts_of(made).spine_down_ports, 192);
}

TEST(Sizing, SaysTheRatioObtainedAndThatItIsPrime) {
  const Sizing made = sized({.hosts = 64, .oversubscription = 1.5});
  EXPECT_EQ(made.fabric.spines * made.fabric.bundle, 43);  // 64 / 1.5 = 42.67
  EXPECT_NEAR(oversubscription(made.fabric), 1.488, 5e-4);
  ASSERT_EQ(made.remarks.size(), 2);
  EXPECT_TRUE(has(made.remarks[0], "is 1.488:1, not 1.5:1")) << made.remarks[0];
  EXPECT_TRUE(has(made.remarks[1], "43, is prime")) << made.remarks[1];
}

TEST(Sizing, RefusesSpinesThatDoNotDivideTheUplinks) {
  const std::string why = refusal({.hosts = 64, .oversubscription = 1.5, .spines = 16});
  EXPECT_TRUE(has(why, "43 uplinks of a leaf do not divide by 16 spines: that number is prime"));
  EXPECT_TRUE(has(why, "; possible: any number of spines")) << why;
}

TEST(Sizing, RefusesALeafWithoutRoom) {
  EXPECT_TRUE(has(refusal({.generator = "clos-2", .leaf = {8, 400}}), "no room for the 8 ports"));
  EXPECT_TRUE(has(refusal({.nic_gbps = 800}), "a port of a 128x400G leaf is slower than 800G"));
  EXPECT_TRUE(has(refusal({.hosts_per_leaf = 65}), "room for 64 hosts and their uplinks, not"));
}

TEST(Sizing, OfThreeTiersKeepsEveryTierInItsPorts) {
  const Fabric made = sized({.generator = "clos-3", .hosts = 4096}).fabric;
  const Parts parts = parts_of(made);
  EXPECT_EQ(parts.leaves, 512);
  EXPECT_LE(parts.spine_down_ports + parts.spine_up_ports, 128);
  EXPECT_LE(parts.core_ports, 128);
  EXPECT_DOUBLE_EQ(core_oversubscription(made), 1);
  EXPECT_DOUBLE_EQ(bisection_gbps(made), 32768 * 400.0 / 2);
}

TEST(Sizing, OfAFatTreeFollowsK) {
  const Fabric made = sized({.generator = "fat-tree", .k = 4}).fabric;
  const Parts parts = parts_of(made);
  EXPECT_EQ(made.hosts, 16);
  EXPECT_EQ(parts.leaves, 8);
  EXPECT_EQ(parts.spines, 8);
  EXPECT_EQ(parts.cores, 4);
  EXPECT_EQ(parts.core_ports, 4);
  EXPECT_TRUE(has(refusal({.generator = "fat-tree", .k = 5}), "even K of 2 or more, not 5"));
}

TEST(Sizing, OfADragonflyJoinsEverySpineToAllGroups) {
  Request request{
      .generator = "dragonfly+", .hosts = 512, .nics = 1, .leaf = {16, 400}, .spine = {16, 400}};
  const Fabric made = sized(request).fabric;
  const Parts parts = parts_of(made);
  EXPECT_EQ(made.hosts_per_leaf, 8);
  EXPECT_EQ(parts.pods, 8);
  EXPECT_EQ(parts.spine_down_ports, 8);
  EXPECT_EQ(parts.spine_up_ports, 7);  // one of each other group
  EXPECT_EQ(parts.core_links, 8 * 7 / 2 * 8);
  EXPECT_EQ(most_switches(made), 4);
  EXPECT_DOUBLE_EQ(bisection_gbps(made), 4 * 4 * 8 * 400);
  request.hosts = 640;
  EXPECT_TRUE(has(refusal(request), "8 ports for other groups, and 10 groups")) << refusal(request);
  request.hosts = 8;
  EXPECT_TRUE(has(refusal(request), "one group holds all hosts")) << refusal(request);
}

TEST(Sizing, OfTwoSitesHasAFabricAtEach) {
  Request request{
      .generator = "multi-site", .hosts = 64, .nics = 2, .spines = 4, .wan_delay_us = 5000};
  const Fabric made = sized(request).fabric;
  EXPECT_EQ(parts_of(made).pods, 2);
  EXPECT_EQ(pod_of(made, 31), 0);
  EXPECT_EQ(pod_of(made, 32), 1);
  EXPECT_EQ(made.core_delay_us, 5000);
  EXPECT_EQ(parts_of(made).core_links, made.spines);
  request.wan = {made.spines * 3 + 1, 100};
  const Sizing more = sized(request);
  EXPECT_EQ(more.fabric.core_bundle, 3);
  EXPECT_DOUBLE_EQ(bisection_gbps(more.fabric), real(made.spines) * 300);
  ASSERT_FALSE(more.remarks.empty());
  request.wan = {1'000'000, 100};
  EXPECT_TRUE(has(refusal(request), "to the other site")) << refusal(request);
  request.generator = "clos-2";
  EXPECT_TRUE(has(refusal(request), "a WAN needs the generator multi-site"));
}

TEST(Sizing, OfPlanesHasAFabricForEachPort) {
  const Fabric made = sized({.generator = "multi-plane", .hosts = 64, .planes = 2}).fabric;
  EXPECT_DOUBLE_EQ(made.port_gbps, 200);
  EXPECT_DOUBLE_EQ(nic_gbps(made), 400);
  EXPECT_EQ(parts_of(made).leaves, 16);
  EXPECT_EQ(parts_of(made).host_links, 64 * 8 * 2);
}

/// Every ratio that can be asked for is the one that the links have, or a remark says so.
TEST(Sizing, NeverExceedsThePortsOfASwitch) {
  for (Count hosts = 2; hosts < 700; hosts += 31) {
    for (const double ratio : {0.9, 1.0, 1.5, 2.0, 4.0}) {
      const Request request{.hosts = hosts, .oversubscription = ratio};
      try {
        const Fabric made = sized(request).fabric;
        const Parts parts = parts_of(made);
        EXPECT_LE(parts.leaf_down_ports + parts.leaf_up_ports, 128) << hosts << " " << ratio;
        EXPECT_LE(parts.spine_down_ports, 128) << hosts << " " << ratio;
        EXPECT_LE(oversubscription(made), ratio + 1e-9);
      } catch (const std::invalid_argument& error) {
        EXPECT_TRUE(has(error.what(), "there is no such fabric: ")) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace railgauge::fabric
