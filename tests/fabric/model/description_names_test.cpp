#include <gtest/gtest.h>

#include "fabric/description.hpp"
#include "fabric/presets.hpp"

namespace railgauge::fabric::described {
namespace {

const Fabric& rails() {
  static const Fabric fabric = preset("rail-optimised", {.hosts = 4, .rails = 2, .spines = 2});
  return fabric;
}

TEST(LinkNames, OneLinkBetweenTwoNodesNeedsNoPorts) {
  const auto link = find_link(rails(), "leaf1-0:spine1");
  ASSERT_TRUE(link.has_value());
  EXPECT_EQ(rails().links[*link].a.node, "leaf1-0");
  EXPECT_EQ(rails().links[*link].b.node, "spine1");
  EXPECT_EQ(link_name(rails(), *link), "leaf1-0:spine1");
  EXPECT_EQ(find_link(rails(), "spine1:leaf1-0"), link);
  EXPECT_EQ(find_link(rails(), "leaf1-0.spine1"), link);
  EXPECT_EQ(find_link(rails(), "spine1.leaf1-0"), link);
}

TEST(LinkNames, EveryLinkIsFoundByItsName) {
  const Fabric clos = preset("clos", {.hosts = 3, .rails = 2, .spines = 2});
  for (const Fabric& fabric : {rails(), clos}) {
    for (std::size_t at = 0; at < fabric.links.size(); ++at) {
      EXPECT_EQ(find_link(fabric, link_name(fabric, at)), at) << link_name(fabric, at);
    }
  }
}

TEST(LinkNames, TwoLinksBetweenTwoNodesNeedPorts) {
  const Fabric clos = preset("clos", {.hosts = 2, .rails = 2, .spines = 1});
  EXPECT_FALSE(find_link(clos, "host0:leaf0").has_value());
  const auto link = find_link(clos, "host0.rail1");
  ASSERT_TRUE(link.has_value());
  EXPECT_EQ(link_name(clos, *link), "host0.rail1:leaf0.host0-1");
}

TEST(LinkNames, WhatIsNotThereIsNotFound) {
  for (const char* const name :
       {"", ":", ".", "host0", "host0:", "host0.rail9", "host0:spine0", "leaf0-0:spine1:spine0"}) {
    EXPECT_FALSE(find_link(rails(), name).has_value()) << name;
  }
}

TEST(LinkNames, HostsMayDifferBehindTheDot) {
  Fabric fabric = preset("rail-optimised", {.hosts = 2, .rails = 1, .spines = 1});
  for (Link& link : fabric.links) {
    if (link.a.node == "host0") link.a.node = "gpu-1.rack-a";
    if (link.a.node == "host1") link.a.node = "gpu-1.rack-b";
  }
  for (const std::string& name : {std::string{"gpu-1.rack-a"}, std::string{"gpu-1.rack-b"}}) {
    const auto link = find_link(fabric, name + ".rail0");
    ASSERT_TRUE(link.has_value()) << name;
    EXPECT_EQ(fabric.links[*link].a.node, name);
    EXPECT_EQ(find_link(fabric, link_name(fabric, *link)), link);
  }
  EXPECT_FALSE(find_link(fabric, "gpu-1.rack-a").has_value());
  EXPECT_FALSE(find_link(fabric, "gpu-1.rail0").has_value());
}

TEST(Hosts, AreToldFromSwitches) {
  EXPECT_TRUE(is_host(rails(), "host3"));
  EXPECT_FALSE(is_host(rails(), "host4"));
  EXPECT_FALSE(is_host(rails(), "spine0"));
}

}  // namespace
}  // namespace railgauge::fabric::described
