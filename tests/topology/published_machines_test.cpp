#include <gtest/gtest.h>

#include <iostream>

#include "topology/bundle.hpp"
#include "topology/report.hpp"

namespace railgauge::topology {
namespace {

using Names = std::vector<std::string>;
using Nodes = std::vector<int>;

/// A machine of bundles/published.py, and what is to be read out of it.
struct Published {
  const char* name;
  int places;          // NUMA nodes with cpus
  Names rails;         // devices, in the order of rails
  Nodes rail_nodes;    // where their NICs are
  Nodes ranks;         // where each of eight ranks is, --placement rail
  Nodes spread;        // and of eight, --placement spread
  Names fabrics = {};  // beside the rails
};

Names p5_rails() {
  Names rails;
  for (const int first : {79, 96, 113, 130, 147, 164, 181, 198}) {
    for (int i = 0; i < 4; ++i) rails.push_back("rdmap" + std::to_string(first + i) + "s0");
  }
  return rails;
}

const Nodes kHalves{0, 0, 0, 0, 1, 1, 1, 1};
const Nodes kAll0(8, 0);

const Nodes kQuarters{0, 0, 1, 1, 2, 2, 3, 3};

std::vector<Published> of_clouds() {
  return {
      {"azure_nd_a100_v4",
       4,
       {"mlx5_ib0", "mlx5_ib1", "mlx5_ib2", "mlx5_ib3", "mlx5_ib4", "mlx5_ib5", "mlx5_ib6",
        "mlx5_ib7"},
       {1, 1, 0, 0, 3, 3, 2, 2},
       {1, 1, 0, 0, 3, 3, 2, 2},
       kQuarters},
      {"azure_nd_h100_v5",
       2,
       {"mlx5_ib0", "mlx5_ib1", "mlx5_ib2", "mlx5_ib3", "mlx5_ib4", "mlx5_ib5", "mlx5_ib6",
        "mlx5_ib7"},
       kHalves,
       kHalves,
       kHalves},
      {"azure_nd_mi300x_v5",
       2,
       {"mlx5_2", "mlx5_0", "mlx5_1", "mlx5_3", "mlx5_5", "mlx5_6", "mlx5_7", "mlx5_4"},
       kHalves,
       kHalves,
       kHalves},
      {"aws_p4d",
       2,
       {"rdmap16s27", "rdmap32s27", "rdmap144s27", "rdmap160s27"},
       {0, 0, 1, 1},
       kHalves,
       kHalves},
      {"aws_p5", 1, p5_rails(), Nodes(32, 0), kAll0, kAll0},
  };
}

std::vector<Published> boards() {
  return {
      {"dgx_a100",
       8,
       {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_6", "mlx5_7", "mlx5_8", "mlx5_9"},
       {3, 3, 1, 1, 7, 7, 5, 5},
       {3, 3, 1, 1, 7, 7, 5, 5},
       {0, 1, 2, 3, 4, 5, 6, 7},
       {"storage"}},
      {"dgx_h100",
       2,
       {"mlx5_0", "mlx5_3", "mlx5_4", "mlx5_5", "mlx5_6", "mlx5_9", "mlx5_10", "mlx5_11"},
       kHalves,
       kHalves,
       kHalves,
       {"storage"}},
      {"amd_mi350x",
       2,
       {"bnxt_re0", "bnxt_re1", "bnxt_re2", "bnxt_re3", "bnxt_re4", "bnxt_re5", "bnxt_re6",
        "bnxt_re7"},
       kHalves,
       kHalves,
       kHalves},
      {"dgx_spark",
       1,
       {"rocep1s0f0", "rocep1s0f1", "roceP2p1s0f0", "roceP2p1s0f1"},
       {0, 0, 0, 0},
       kAll0,
       kAll0},
  };
}

std::vector<Published> with_many_nodes() {
  return {
      {"gh200", 1, {}, {}, kAll0, kAll0},
      {"gh200_four", 4, {}, {}, kQuarters, kQuarters},
      {"gb200",
       2,
       {"mlx5_0", "mlx5_1", "mlx5_4", "mlx5_5"},
       {0, 0, 1, 1},
       kHalves,
       kHalves,
       {"storage"}},
      {"xeon_max_flat", 8, {"mlx5_0"}, {4}, Nodes(8, 4), {0, 1, 2, 3, 4, 5, 6, 7}},
      {"knl_snc4_flat", 4, {}, {}, kQuarters, kQuarters},
      {"power9_with_gpu_nodes", 2, {}, {}, {0, 0, 0, 0, 8, 8, 8, 8}, {0, 0, 0, 0, 8, 8, 8, 8}},
      {"westmere", 2, {"mlx4_0"}, {0}, kAll0, kHalves},
      {"twenty_four_nodes", 24, {"mlx4_0"}, {6}, Nodes(8, 6), {0, 3, 6, 9, 12, 15, 18, 21}},
  };
}

std::vector<Published> published() {
  std::vector<Published> all = of_clouds();
  for (const auto& more : {boards(), with_many_nodes()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

Nodes nodes_of_ranks(const HostReport& host, PlacementMode mode) {
  Nodes nodes;
  CpuSet taken;
  for (const Placement& one : place(host.map, host.rails, 8, mode)) {
    nodes.push_back(one.numa_node);
    EXPECT_EQ(common(taken, one.cpus), CpuSet{}) << host.map.host;
    EXPECT_EQ(one.memory_node, one.numa_node) << host.map.host;
    taken.insert(one.cpus.begin(), one.cpus.end());
  }
  return nodes;
}

TEST(PublishedMachines, AreReadAsExpected) {
  for (const Published& one : published()) {
    const Report report = report_on({bundle(one.name)});
    const HostReport& host = report.hosts.at(0);
    int places = 0;
    for (const NumaNode& node : host.map.nodes) places += node.cpus.empty() ? 0 : 1;
    EXPECT_EQ(places, one.places) << one.name;
    Names rails;
    Nodes nodes;
    for (const Nic& nic : host.rails) {
      rails.push_back(nic.device);
      nodes.push_back(nic.numa_node);
    }
    Names fabrics;
    for (const OtherFabric& other : report.fabrics) fabrics.push_back(other.name);
    EXPECT_EQ(rails, one.rails) << one.name;
    EXPECT_EQ(nodes, one.rail_nodes) << one.name;
    EXPECT_EQ(nodes_of_ranks(host, PlacementMode::rail), one.ranks) << one.name;
    EXPECT_EQ(nodes_of_ranks(host, PlacementMode::spread), one.spread) << one.name;
    EXPECT_EQ(fabrics, one.fabrics) << one.name;
    std::cout << one.name << ": " << places << " NUMA nodes with cpus, " << rails.size()
              << " rails\n";
  }
}

/// What hwloc alone tells is the same, as far as it tells.
TEST(PublishedMachines, AreTheSameByHwlocsXmlAlone) {
  for (const Published& one : published()) {
    Recording alone;
    alone.hwloc_xml = bundle_recording(one.name).hwloc_xml;
    const HostMap map = read_host(alone);
    const HostMap whole = bundle(one.name);
    EXPECT_TRUE(map.xml_alone);
    ASSERT_EQ(map.devices.size(), whole.devices.size()) << one.name;
    for (const RdmaDevice& device : map.devices) {
      const RdmaDevice& other = *find_device(whole, device.name);
      EXPECT_EQ(device.pci.address, other.pci.address) << one.name;
      EXPECT_EQ(device.pci.bridges, other.pci.bridges) << one.name;
      EXPECT_EQ(device.locality.numa_node, other.locality.numa_node) << one.name;
      EXPECT_EQ(device.locality.remark, "") << one.name;
    }
  }
}

}  // namespace
}  // namespace railgauge::topology
