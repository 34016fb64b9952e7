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

std::vector<NumaNode> two_nodes() {
  return {{.number = 0, .cpus = {0, 1}}, {.number = 1, .cpus = {2, 3}}};
}

TEST(Locality, OfOneMindNeedsNoRemark) {
  const Locality place = locate({1, {2, 3}, HwlocPlace{{1}, {2, 3}}}, two_nodes());
  EXPECT_EQ(place.numa_node, 1);
  EXPECT_EQ(place.cpus, (CpuSet{2, 3}));
  EXPECT_EQ(place.remark, "");
}

TEST(Locality, GoesBySysfsWhereHwlocNamesAnotherNode) {
  const Locality place = locate({1, {2, 3}, HwlocPlace{{0}, {0, 1}}}, two_nodes());
  EXPECT_EQ(place.numa_node, 1);
  EXPECT_EQ(place.remark,
            "hwloc puts it on NUMA node 0, sysfs on NUMA node 1: using sysfs, by which the driver "
            "allocates");
}

TEST(Locality, GoesByTheNodeAndNotByTheListOfCpus) {
  const Locality place = locate({1, {0, 1}, {}}, two_nodes());
  EXPECT_EQ(place.cpus, (CpuSet{2, 3}));
  EXPECT_EQ(place.remark, "local_cpulist is 0-1, not 2-3 of NUMA node 1: using the node");
}

TEST(Locality, OfANodeWithoutCpusIsByTheList) {
  auto nodes = two_nodes();
  nodes.push_back({.number = 2});
  const Locality place = locate({2, {2, 3}, {}}, nodes);
  EXPECT_EQ(place.numa_node, 2);
  EXPECT_EQ(place.cpus, (CpuSet{2, 3}));
  EXPECT_EQ(place.remark, "NUMA node 2 has no cpus: using those of local_cpulist");
}

TEST(Locality, IsHwlocsWhereSysfsDoesNotKnow) {
  const Locality place = locate({-1, {0, 1, 2, 3}, HwlocPlace{{1}, {2, 3}}}, two_nodes());
  EXPECT_EQ(place.numa_node, 1);
  EXPECT_EQ(place.remark, "sysfs says numa_node -1: using hwloc's answer, NUMA node 1");
}

TEST(Locality, IsByTheListWhereNobodyNamesANode) {
  const Locality place = locate({-1, {0, 1}, HwlocPlace{{0, 1}, {0, 1, 2, 3}}}, two_nodes());
  EXPECT_EQ(place.numa_node, 0);
  EXPECT_EQ(place.remark, "sysfs says numa_node -1: local_cpulist is that of NUMA node 0");
}

TEST(Locality, IsTheOnlyNode) {
  const Locality place = locate({-1, {}, {}}, {{.number = 0, .cpus = {0, 1}}});
  EXPECT_EQ(place.numa_node, 0);
  EXPECT_EQ(place.cpus, (CpuSet{0, 1}));
}

TEST(Locality, MayBeUnknown) {
  const Locality place = locate({-1, {0, 1, 2, 3}, HwlocPlace{{0, 1}, {}}}, two_nodes());
  EXPECT_EQ(place.numa_node, -1);
  EXPECT_EQ(place.cpus, (CpuSet{0, 1, 2, 3}));
  EXPECT_EQ(place.remark, "sysfs says numa_node -1: its location is unknown");
}

TEST(Locality, InANodeThatIsNotShownIsUnknown) {
  const Locality place = locate({5, {40, 41}, {}}, two_nodes());
  EXPECT_EQ(place.numa_node, -1);
  EXPECT_EQ(place.cpus, (CpuSet{0, 1, 2, 3}));
  EXPECT_NE(place.remark.find("NUMA node 5, which this host does not have"), std::string::npos);
}

}  // namespace

}  // namespace railgauge::topology
