#include "topology/ip_address.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace railgauge::topology {
namespace {

std::string network(const std::string& address, int prefix_length) {
  return to_string(network_of(parse_ip_address(address).value(), prefix_length));
}

TEST(IpAddress, IsTheSameHoweverItIsSpelled) {
  EXPECT_EQ(parse_ip_address("fd00:0:0::1"), parse_ip_address("FD00::1"));
  EXPECT_EQ(parse_ip_address("::ffff:10.10.0.1"), parse_ip_address("10.10.0.1"));
  EXPECT_NE(parse_ip_address("10.10.0.1"), parse_ip_address("10.10.0.2"));
}

TEST(IpAddress, IsWrittenInItsOwnFamily) {
  EXPECT_EQ(to_string(parse_ip_address("10.10.0.1").value()), "10.10.0.1");
  EXPECT_EQ(to_string(parse_ip_address("fd00:0::1").value()), "fd00::1");
  EXPECT_EQ(to_string(ipv4_address({192, 0, 2, 7})), "192.0.2.7");
}

TEST(IpAddress, IsNotMadeOfAnythingElse) {
  for (const std::string text :
       {"", "host0", "10.10.0", "10.10.0.256", "10.10.0.1/24", "fe80::1%eth0"}) {
    EXPECT_FALSE(parse_ip_address(text)) << text;
  }
}

TEST(IpAddress, IsOfTheLoopbackInterface) {
  for (const char* text : {"127.0.0.1", "127.64.0.2", "::ffff:127.1.2.3", "::1"}) {
    EXPECT_TRUE(is_loopback(parse_ip_address(text).value())) << text;
  }
  for (const char* text :
       {"128.0.0.1", "126.255.255.255", "10.127.0.1", "::2", "fd00::1", "7f00::"}) {
    EXPECT_FALSE(is_loopback(parse_ip_address(text).value())) << text;
  }
}

TEST(IpAddress, HasANetwork) {
  EXPECT_EQ(network("10.10.129.7", 24), "10.10.129.0");
  EXPECT_EQ(network("10.10.129.7", 17), "10.10.128.0");
  EXPECT_EQ(network("10.10.129.7", 32), "10.10.129.7");
  EXPECT_EQ(network("10.10.129.7", 0), "0.0.0.0");
  EXPECT_EQ(network("fd00:1:2:3::9", 64), "fd00:1:2:3::");
  EXPECT_EQ(network("fd00:1:2:3::9", 128), "fd00:1:2:3::9");
}

std::optional<int> prefix_length(const std::string& address) {
  return prefix_length_of(parse_ip_address(address).value());
}

TEST(Netdev, KnowsThePrefixOfTheLoopbackAddress) {
  EXPECT_EQ(prefix_length("127.0.0.1"), 8);
}

TEST(Netdev, KnowsThePrefixOfTheIpv6LoopbackAddress) {
  std::ifstream addresses("/proc/net/if_inet6");
  std::string first;
  if (!(addresses >> first)) GTEST_SKIP() << "this host has no IPv6 address";
  EXPECT_EQ(prefix_length("::1"), 128);
}

TEST(Netdev, KnowsNothingOfAnotherHostsAddress) {
  EXPECT_EQ(prefix_length("192.0.2.1"), std::nullopt);  // RFC 5737: for documentation only
}

}  // namespace

}  // namespace railgauge::topology
