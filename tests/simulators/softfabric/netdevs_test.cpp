#include "softfabric/netdevs.hpp"

#include <gtest/gtest.h>

namespace railgauge::softfabric {
namespace {

TEST(Netdevs, FollowFromTheLink) {
  EXPECT_EQ(switch_netdev(12, End::a), "sw12a");
  EXPECT_EQ(switch_netdev(65535, End::b), "sw65535b");
  EXPECT_EQ(mac_address(12, End::a), "02:72:67:00:0c:0a");
  EXPECT_EQ(mac_address(0x1234, End::b), "02:72:67:12:34:0b");
}

}  // namespace
}  // namespace railgauge::softfabric
