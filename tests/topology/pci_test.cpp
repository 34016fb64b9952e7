#include "topology/pci.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

using Addresses = std::vector<std::string>;

/// A NIC below a bridge, at full speed.
Recording recorded() {
  Recording recording;
  const std::string nic = "bus/pci/devices/0000:16:00.0/";
  recording.files = {{nic + "current_link_speed", "32.0 GT/s PCIe"},
                     {nic + "current_link_width", "16"},
                     {nic + "max_link_speed", "32.0 GT/s PCIe"},
                     {nic + "max_link_width", "16"},
                     {"bus/pci/devices/0000:15:01.0/max_link_speed", "64.0 GT/s PCIe"},
                     {"bus/pci/devices/0000:15:01.0/max_link_width", "16"}};
  recording.links = {{nic + "driver", "bus/pci/drivers/mlx5_core"}};
  return recording;
}

PciFunction nic(const Recording& recording) {
  return pci_function(recording, "devices/pci0000:15/0000:15:01.0/0000:16:00.0");
}

TEST(Pci, AddressesAreThoseOnThePath) {
  EXPECT_EQ(pci_addresses("devices/pci0000:15/0000:15:01.0/0000:16:00.0/virtio2"),
            (Addresses{"0000:15:01.0", "0000:16:00.0"}));
  EXPECT_EQ(pci_addresses("devices/pci10000:00/10000:00:1f.7"), (Addresses{"10000:00:1f.7"}));
  EXPECT_EQ(pci_addresses("devices/virtual/net/bond0"), Addresses{});
  EXPECT_EQ(pci_addresses(""), Addresses{});
}

TEST(Pci, FunctionHasItsLinkAndWhatItsSlotCanDo) {
  const PciFunction function = nic(recorded());
  EXPECT_EQ(function.address, "0000:16:00.0");
  EXPECT_EQ(function.bridges, (Addresses{"0000:15:01.0"}));
  EXPECT_EQ(function.driver, "mlx5_core");
  EXPECT_EQ(to_string(function.link), "x16 32 GT/s");
  EXPECT_EQ(to_string(function.slot_most), "x16 64 GT/s");
  EXPECT_EQ(to_string(function.most()), "x16 32 GT/s");
  EXPECT_FALSE(function.degraded());
}

TEST(Pci, LinkIsDegradedBelowWhatDeviceAndSlotCanDo) {
  Recording recording = recorded();
  recording.files["bus/pci/devices/0000:16:00.0/current_link_width"] = "8";
  EXPECT_TRUE(nic(recording).degraded());
  recording.files["bus/pci/devices/0000:15:01.0/max_link_width"] = "8";  // a narrow slot
  EXPECT_FALSE(nic(recording).degraded());
  recording.files["bus/pci/devices/0000:16:00.0/current_link_speed"] = "16.0 GT/s PCIe";
  EXPECT_TRUE(nic(recording).degraded());
}

TEST(Pci, LinkThatIsNotToldIsNotDegraded) {
  Recording recording = recorded();
  recording.files["bus/pci/devices/0000:16:00.0/current_link_speed"] = "Unknown";
  recording.files["bus/pci/devices/0000:16:00.0/current_link_width"] = "0";
  recording.files["bus/pci/devices/0000:16:00.0/max_link_width"] = "255";
  EXPECT_EQ(to_string(nic(recording).link), "");
  EXPECT_EQ(to_string(nic(recording).device_most), "");
  EXPECT_FALSE(nic(recording).degraded());
}

TEST(Pci, VirtualFunctionHasThePhysicalOnesLink) {
  Recording recording = recorded();
  recording.links["bus/pci/devices/0000:16:00.2/physfn"] = "devices/x/0000:16:00.0";
  const PciFunction function =
      pci_function(recording, "devices/pci0000:15/0000:15:01.0/0000:16:00.2");
  EXPECT_EQ(function.physical_function, "0000:16:00.0");
  EXPECT_EQ(to_string(function.link), "x16 32 GT/s");
}

}  // namespace
}  // namespace railgauge::topology
