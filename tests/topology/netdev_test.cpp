#include "topology/netdev.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace railgauge::topology {
namespace {

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
