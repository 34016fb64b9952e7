#include "topology/hwloc_map.hpp"

#include <gtest/gtest.h>
#include <hwloc.h>

#include <algorithm>
#include <stdexcept>

#include "topology/bundle.hpp"
#include "topology/gpu.hpp"

namespace railgauge::topology {
namespace {

/// A machine of two hardware threads, in the form that version asks for; `more` stands in it.
std::string small_machine(const std::string& version, const std::string& more) {
  const std::string sets =
      R"( nodeset="0x1" complete_nodeset="0x1" cpuset="0x3" complete_cpuset="0x3")";
  const auto thread = [](const char* number, const char* set) {
    return std::string("<object type=\"PU\" gp_index=\"1") + number + "\" os_index=\"" + number +
           "\" cpuset=\"" + set + "\" complete_cpuset=\"" + set +
           "\" nodeset=\"0x1\" complete_nodeset=\"0x1\"/>";
  };
  return "<?xml version=\"1.0\"?><!DOCTYPE topology SYSTEM \"hwloc2.dtd\"><topology version=\"" +
         version + "\"><object type=\"Machine\" os_index=\"0\" gp_index=\"1\"" + sets +
         " allowed_cpuset=\"0x3\" allowed_nodeset=\"0x1\">" +
         "<object type=\"NUMANode\" os_index=\"0\" gp_index=\"2\" local_memory=\"1073741824\"" +
         sets + "/>" + thread("0", "0x1") + thread("1", "0x2") + more + "</object></topology>";
}

/// As hwloc 3 writes an RDMA device: another number for its type, one more for the PCI function.
constexpr const char* kNicOfVersion3 =
    R"(<object type="Bridge" gp_index="30" bridge_type="0-1" depth="0" bridge_pci="0000:[00-00]">)"
    R"(<object type="PCIDev" gp_index="31" pci_busid="0000:00:02.0")"
    R"( pci_type="0200 [15b3:1021] [15b3:0041] 00 00" pci_link_speed="63.015385">)"
    R"(<object type="OSDev" gp_index="32" name="mlx5_0" osdev_type="32"/></object></object>)";

TEST(HwlocMap, ReadsVersion3IfHwlocCanAndElseSaysWhyNot) {
  constexpr unsigned kVersion3 = 0x00030000;
  const std::string xml = small_machine("3.0", kNicOfVersion3);
  if (hwloc_get_api_version() >= kVersion3) {
    EXPECT_EQ(read_hwloc_xml(xml).rdma_devices.at("mlx5_0"), "0000:00:02.0");
    return;
  }
  try {
    read_hwloc_xml(xml);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "this is version 3 of hwloc's XML, and the hwloc that is installed here reads "
              "versions up to 2; write it for that, `lstopo --export-xml-flags v2 host.xml`");
  }
}

std::string display(const char* address, const char* type) {
  return std::string(R"(<object type="PCIDev" gp_index="4)") + address[6] + "\" pci_busid=\"" +
         address + "\" pci_type=\"" + type + "\" pci_link_speed=\"0\"/>";
}

/// A server has a display of its own, too.
TEST(HwlocMap, KnowsGpusByTheirMakers) {
  const std::string xml = small_machine(
      "2.0",
      R"(<object type="Bridge" gp_index="30" bridge_type="0-1" depth="0" bridge_pci="0000:[00-00]">)" +
          display("0000:01:00.0", "0302 [10de:2330] [10de:16c1] a1") +
          display("0000:02:00.0", "0380 [1002:74a1] [1002:74a1] 00") +
          display("0000:03:00.0", "0300 [1a03:2000] [1a03:2000] 41") +
          display("0000:04:00.0", "0200 [15b3:1021] [15b3:0041] 00") + "</object>");
  const auto gpus = gpus_of(read_hwloc_xml(xml));
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[0].address, "0000:01:00.0");
  EXPECT_EQ(gpus[1].address, "0000:02:00.0");
  EXPECT_EQ(gpus[0].locality.numa_node, 0);
}

TEST(HwlocMap, OfNoCoresTakesHardwareThreadsForCores) {
  const HwlocMap map = read_hwloc_xml(small_machine("2.0", ""));
  EXPECT_EQ(map.cores, (std::vector<CpuSet>{{0}, {1}}));
  EXPECT_EQ(map.nodes.at(0).cores, map.cores);
}

TEST(HwlocMap, KnowsBridgesSpeedAndNetdevsOfAPciFunction) {
  const HwlocMap map = read_hwloc_xml(bundle_recording("two_sockets_eight_nics").hwloc_xml);
  const HwlocPlace& place = map.pci.at("0000:58:00.0");
  EXPECT_EQ(place.bridges,
            (std::vector<std::string>{"0000:55:01.0", "0000:56:00.0", "0000:57:00.0"}));
  EXPECT_NEAR(place.gigabits_per_second, 504, 1);
  EXPECT_EQ(place.netdevs, std::vector<std::string>{"eth_mlx5_4"});
  EXPECT_EQ(place.nodes, std::set<int>{1});
}

TEST(HwlocMap, LeavesEveryCpuToOneNode) {
  for (const char* name : {"xeon_max_flat", "knl_snc4_flat", "power9_with_gpu_nodes", "gb200"}) {
    const HwlocMap map = read_hwloc_xml(bundle_recording(name).hwloc_xml);
    CpuSet all;
    std::size_t sum = 0;
    for (const NumaNode& node : map.nodes) {
      all.insert(node.cpus.begin(), node.cpus.end());
      sum += node.cpus.size();
      EXPECT_EQ(node.cpus.empty(), !node.kind.empty()) << name << " " << node.number;
      EXPECT_EQ(node.cpus.empty(), !node.near_cpus.empty()) << name << " " << node.number;
    }
    EXPECT_EQ(sum, all.size()) << name;
    EXPECT_EQ(all, map.allowed) << name;
  }
}

/// HBM beside DRAM leaves a NIC's node to the DRAM.
TEST(HwlocMap, PutsDevicesOnNodesWithCpus) {
  const HwlocMap map = read_hwloc_xml(bundle_recording("xeon_max_flat").hwloc_xml);
  EXPECT_EQ(map.pci.at("0000:9a:00.0").nodes, std::set<int>{4});
}

}  // namespace
}  // namespace railgauge::topology
