#include "fabric/addresses.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "fabric/presets.hpp"

namespace railgauge::fabric::described {
namespace {

const LinkEnd& port(const Fabric& fabric, const std::string& name) {
  return fabric.links.at(find_link(fabric, name).value()).a;
}

Fabric readdressed(Fabric fabric, const std::string& addressing) {
  for (Link& link : fabric.links) link.a.address.clear();
  fabric.addressing = addressing;
  fill_in(fabric);
  return fabric;
}

TEST(Addresses, OfASubnetForEachRail) {
  const Fabric fabric = preset("rail-optimised", {.hosts = 4, .rails = 2, .spines = 2});
  EXPECT_EQ(port(fabric, "host0.rail0").address, "10.10.0.1/24");
  EXPECT_EQ(port(fabric, "host3.rail1").address, "10.11.0.4/24");
  EXPECT_EQ(fabric.switches[0].address, "10.255.1.1");
  EXPECT_EQ(fabric.switches.back().name, "spine1");
  EXPECT_EQ(fabric.switches.back().address, "10.255.2.2");
}

TEST(Addresses, OfASubnetForEachLink) {
  const Fabric fabric =
      readdressed(preset("rail-optimised", {.hosts = 200, .rails = 2, .spines = 1}), "routed");
  EXPECT_EQ(port(fabric, "host0.rail0").address, "10.10.0.0/31");
  EXPECT_EQ(port(fabric, "host3.rail1").address, "10.11.0.6/31");
  EXPECT_EQ(port(fabric, "host128.rail0").address, "10.10.1.0/31");
}

TEST(Addresses, OfStorageAreOfASubnetOfItsOwn) {
  const Fabric fabric = preset("storage", {.hosts = 4, .rails = 2, .spines = 1});
  EXPECT_EQ(port(fabric, "host3.storage0").address, "10.12.0.4/24");
  EXPECT_EQ(port(fabric, "store0.storage0").address, "10.12.0.5/24");
}

TEST(Addresses, ThatAreGivenStay) {
  Fabric fabric = preset("rail-optimised", {.hosts = 2, .rails = 1, .spines = 1});
  fabric.links[0].a.address = "192.168.7.1/24";
  fill_in(fabric);
  EXPECT_EQ(fabric.links[0].a.address, "192.168.7.1/24");
}

TEST(Addresses, TwiceOrNoneAreRefused) {
  const auto complaint = [](const std::string& address) -> std::string {
    Fabric fabric = preset("rail-optimised", {.hosts = 2, .rails = 1, .spines = 1});
    fabric.links[0].a.address = address;
    try {
      fill_in(fabric);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("10.10.0.2/24"), "links[1].a_address: 10.10.0.2/24 is there twice");
  EXPECT_EQ(complaint("10.10.0.256/24"), "links[0].a_address: '10.10.0.256/24' is no IPv4 address");
  EXPECT_NE(complaint("10.10.0.1/33"), "");
  EXPECT_NE(complaint("10.10.0.1/"), "");
  EXPECT_NE(complaint("fe80::1/64"), "");
}

TEST(Addresses, AsNumbers) {
  EXPECT_EQ(ipv4_of("10.11.0.3/24"), 0x0a0b0003U);
  EXPECT_EQ(ipv4_of("10.255.2.1"), 0x0aff0201U);
  EXPECT_FALSE(ipv4_of("10.11.0").has_value());
  EXPECT_FALSE(ipv4_of("").has_value());
}

}  // namespace
}  // namespace railgauge::fabric::described
