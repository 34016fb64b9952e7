#include "verbs/port.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "device_fixture.hpp"
#include "verbs/device.hpp"

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

using namespace std::chrono_literals;
using AsyncEventsDeviceTest = DeviceTest;

TEST_F(AsyncEventsDeviceTest, NothingWaitsOnAFreshContext) {
  EXPECT_TRUE(take_async_events(*context_).empty());
}

TEST_F(AsyncEventsDeviceTest, NewAddressIsTold) {
  if (geteuid() != 0) GTEST_SKIP() << "adding an IP address needs root";
  // RFC 5737 keeps this address for documentation: nobody has it.
  const std::string address = " 198.51.100.77/32 dev " + port_.netdev();
  ASSERT_EQ(std::system(("ip address add" + address).c_str()), 0);
  std::vector<AsyncEvent> events;
  for (int tries = 0; tries < 100 && events.empty(); ++tries) {
    std::this_thread::sleep_for(20ms);
    events = take_async_events(*context_);
  }
  ASSERT_EQ(std::system(("ip address delete" + address).c_str()), 0);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].type, IBV_EVENT_GID_CHANGE);
  EXPECT_EQ(events[0].words,
            port_.device + " port 1: GID table changed: an IP address came or went");
}

}  // namespace
}  // namespace railgauge::verbs
