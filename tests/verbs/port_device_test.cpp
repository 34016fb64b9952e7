#include "verbs/port.hpp"

#include "device_fixture.hpp"

namespace railgauge::verbs {
namespace {

using PortDeviceTest = DeviceTest;

TEST_F(PortDeviceTest, UsablePortIsDescribedInFull) {
  EXPECT_EQ(port_.state, "active");
  EXPECT_EQ(port_.link_layer, "Ethernet");
  EXPECT_GE(port_.mtu_bytes, 256);
  EXPECT_GT(port_.gbps, 0);
  EXPECT_FALSE(port_.firmware.empty());
  ASSERT_TRUE(port_.gid);
  EXPECT_EQ(port_.gid->type, GidType::roce_v2);
  EXPECT_FALSE(is_link_local(port_.gid->gid));
  EXPECT_FALSE(port_.netdev().empty());
  RecordProperty("port", port_.device + " " + port_.address() + " " + port_.netdev());
}

TEST_F(PortDeviceTest, OverrideMustBeInTheTable) {
  for (const Port& port : find_ports(250)) {
    EXPECT_NE(port.unusable.find("GID index 250 is empty"), std::string::npos) << port.unusable;
  }
  for (const Port& port : find_ports(port_.gid->index)) {
    if (port.device == port_.device) {
      EXPECT_TRUE(port.usable()) << port.unusable;
    }
  }
}

}  // namespace
}  // namespace railgauge::verbs
