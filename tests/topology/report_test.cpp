#include "topology/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "topology/bundle.hpp"

namespace railgauge::topology {
namespace {

using Sentences = std::vector<std::string>;

Report report_of(const std::string& name, int ranks = 0) {
  Report report = report_on({bundle(name)});
  if (ranks > 0) {
    HostReport& host = report.hosts[0];
    host.ranks = place(host.map, host.rails, ranks, PlacementMode::rail);
  }
  return report;
}

/// A host like another one, with 10.x.0.NUMBER for addresses.
HostMap another(HostMap map, int number) {
  map.host = "node" + std::to_string(number);
  const auto renumber = [&](IpAddress& address) {
    if (is_ipv4(address)) address.bytes[15] = static_cast<std::uint8_t>(number);
  };
  for (Netdev& netdev : map.netdevs) {
    for (NetAddress& one : netdev.addresses) renumber(one.address);
  }
  for (RdmaDevice& device : map.devices) {
    device.node_guid += std::to_string(number);
    for (RdmaPort& port : device.ports) {
      for (RdmaGid& gid : port.gids) renumber(gid.gid);
    }
  }
  return map;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int times(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Report, NamesLinksThatAreTooSlow) {
  EXPECT_EQ(report_of("four_nics").wrong,
            (Sentences{"four_nics mlx5_3 (rail 1): its PCI link from 0000:40:01.1 to 0000:41:00.0 "
                       "is x8 32 GT/s, and both ends support x16 32 GT/s: it carries 252 of the "
                       "400 Gb/s that its port needs; reseat the card, or check the slot's "
                       "firmware settings"}));
  EXPECT_EQ(report_of("two_ports").warnings.size(), 1U);
  EXPECT_EQ(report_of("two_sockets_eight_nics").wrong, Sentences{});
  EXPECT_EQ(report_of("two_sockets_eight_nics").warnings, Sentences{});
}

TEST(Report, RemarksOnLinksOfDevicesThatAreNoRails) {
  const Report report = report_on({bundle("four_nics")}, {.exclude = PortPattern("mlx5_3")});
  EXPECT_EQ(report.wrong, Sentences{});
  EXPECT_EQ(report.hosts[0].remarks,
            (Sentences{"mlx5_3: its PCI link from 0000:40:01.1 to 0000:41:00.0 is x8 32 GT/s, and "
                       "both ends support x16 32 GT/s"}));
}

TEST(Report, ListsOtherFabrics) {
  const Report report = report_of("two_sockets_eight_nics");
  ASSERT_EQ(report.fabrics.size(), 2U);
  EXPECT_TRUE(has(as_table(report),
                  "\nother fabrics\n  management: bnxt_re0 on 1 host (25 Gb/s, the rails 400); "
                  "--fabric management\n    chooses it\n"))
      << as_table(report);
  const Report storage = report_on({bundle("two_sockets_eight_nics")}, {.fabric = "storage"});
  EXPECT_EQ(storage.hosts[0].rails.at(0).device, "mlx5_8");
  EXPECT_THROW(report_on({bundle("dual_port")}, {.fabric = "storage"}), std::invalid_argument);
}

TEST(Report, NamesASlowRail) {
  EXPECT_EQ(report_of("dead_port").wrong,
            (Sentences{"dead_port mlx5_3 (rail 2) is slow: its link runs at 200 Gb/s, others at "
                       "400; check its cable, transceiver and switch port"}));
}

TEST(Report, ChecksHostsAsOneFabric) {
  const HostMap map = bundle("two_sockets_eight_nics");
  Report report = report_on({another(map, 1), another(map, 2), another(map, 3)});
  EXPECT_EQ(report.rule, RailRule::shared_subnets);
  EXPECT_EQ(report.wrong, Sentences{});
  report = report_on({another(map, 1), another(map, 2), another(map, 2)});
  EXPECT_EQ(report.wrong.size(), 1U);  // one recording, twice
}

TEST(Report, AccusesNoFabricOfPublishedMachines) {
  for (const char* name :
       {"azure_nd_a100_v4", "azure_nd_h100_v5", "azure_nd_mi300x_v5", "aws_p4d", "aws_p5",
        "dgx_a100", "dgx_h100", "amd_mi350x", "dgx_spark", "gb200", "xeon_max_flat"}) {
    const HostMap map = bundle(name);
    const Report report = report_on({another(map, 1), another(map, 2), another(map, 3)});
    EXPECT_EQ(report.wrong, Sentences{}) << name;
    EXPECT_EQ(report.warnings, Sentences{}) << name;
    EXPECT_EQ(report.hosts[2].rails.size(), report_on({map}).hosts[0].rails.size()) << name;
  }
}

TEST(Report, NamesWhatADeadPortMissesOnAFabric) {
  const HostMap map = bundle("four_nics");
  HostMap dead = another(map, 3);
  dead.devices[3].ports[0].state = "DOWN";
  const Report report = report_on({another(map, 1), another(map, 2), dead});
  EXPECT_EQ(report.wrong, (Sentences{"node3 mlx5_3 (rail 1): its port is DOWN; check its cable, "
                                     "transceiver and switch port"}));
  EXPECT_EQ(report.hosts[2].left_out.at(0).reason, "its port is DOWN");
}

TEST(Report, IsATable) {
  const std::string table = as_table(report_of("four_nics", 2));
  EXPECT_TRUE(has(table, "rails are numbered by PCI order: a single host shares no subnets"))
      << table;
  EXPECT_TRUE(has(table, "  1     mlx5_3:1  eth_mlx5_3  10.11.0.7/24  3    400\n")) << table;
  EXPECT_TRUE(has(table, "  1     mlx5_3:1  0     0000:41:00.0  x8 32 GT/s of x16 32 GT/s\n"))
      << table;
  EXPECT_TRUE(has(table, "  1             2-3    1          1          8-15,24-31\n")) << table;
  EXPECT_TRUE(has(as_table(report_of("sriov")), "left out\n  mlx5_2:1: it has no IP address"));
  EXPECT_TRUE(has(as_table(report_of("vm_without_numa")), "  0000:00:06.0  -\n"));
  EXPECT_TRUE(has(as_table(report_of("cgroup")), "cpus        allowed\n"));
  EXPECT_FALSE(has(as_table(report_of("sriov")), "allowed\n"));
  EXPECT_TRUE(has(as_table(report_of("xeon_max_flat")),
                  "  12         16 GiB   0      HBM beside 40-49,120-129\n"));
}

TEST(Report, FitsATerminal) {
  for (const char* name : {"two_sockets_eight_nics", "four_nics", "cgroup", "sriov", "aws_p5",
                           "dgx_h100", "gb200", "azure_nd_mi300x_v5"}) {
    std::istringstream lines(as_table(report_of(name, 12)));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(Report, SaysOnceWhatSeveralRanksFallShortOf) {
  EXPECT_TRUE(has(as_table(report_of("cgroup", 12)),
                  "\nremarks on ranks\n  ranks 0-5: core shared: 12 ranks on 6 cores\n"))
      << as_table(report_of("cgroup", 12));
}

TEST(Report, OfHwlocsXmlAloneSaysWhatThatHas) {
  Recording alone;
  alone.hwloc_xml = bundle_recording("two_sockets_eight_nics").hwloc_xml;
  const Report report = report_on({read_host(alone)});
  const std::string table = as_table(report);
  EXPECT_TRUE(has(table,
                  "  device    netdev      node  PCI           PCI link  bridges above it\n"
                  "  bnxt_re0  eth0        0     0000:03:00.0  504 Gb/s  0000:02:01.0\n"
                  "  mlx5_0    eth_mlx5_0  0     0000:18:00.0  504 Gb/s  0000:15:01.0,\n"
                  "                                                      0000:16:00.0,\n"))
      << table;
  EXPECT_EQ(report.hosts[0].remarks.size(), 1U);
  EXPECT_FALSE(has(table, "left out"));
  EXPECT_TRUE(has(as_tree(report), "`- mlx5_0 at 0000:18:00.0, 504 Gb/s\n"));
}

TEST(Report, OfNoDeviceSaysSo) {
  const std::string table = as_table(report_of("no_device", 1));
  EXPECT_TRUE(has(table, "This host has no RDMA device")) << table;
  EXPECT_FALSE(has(table, "rails are numbered")) << table;
  EXPECT_TRUE(has(as_svg(report_of("no_device", 1).hosts[0]), "</svg>"));
}

TEST(Report, IsATree) {
  EXPECT_EQ(as_tree(report_of("dead_port")),
            "dead_port\n"
            "|- NUMA node 0: cpus 0-7,16-23\n"
            "|  |- 0000:16:00.0\n"
            "|  |  `- mlx5_0 at 0000:17:00.0, x16 32 GT/s\n"
            "|  |     `- port 1, 400 Gb/sec (4X NDR): rail 0, eth_mlx5_0 10.10.0.7/24\n"
            "|  `- 0000:26:00.0\n"
            "|     `- mlx5_1 at 0000:27:00.0, x16 32 GT/s\n"
            "|        `- port 1, 400 Gb/sec (4X NDR): its port is DOWN\n"
            "`- NUMA node 1: cpus 8-15,24-31\n"
            "   |- 0000:96:00.0\n"
            "   |  `- mlx5_2 at 0000:97:00.0, x16 32 GT/s\n"
            "   |     `- port 1, 400 Gb/sec (4X NDR): rail 1, eth_mlx5_2 10.12.0.7/24\n"
            "   `- 0000:a6:00.0\n"
            "      `- mlx5_3 at 0000:a7:00.0, x16 32 GT/s\n"
            "         `- port 1, 200 Gb/sec (4X HDR): rail 2, eth_mlx5_3 10.13.0.7/24\n");
  EXPECT_TRUE(has(as_tree(report_of("sriov")), "a virtual function of 0000:97:00.0\n"));
  EXPECT_TRUE(has(as_tree(report_of("software")), "rxe0 over 0000:00:03.0\n"));
}

TEST(Report, IsADocument) {
  const auto json = nlohmann::json::parse(as_json(report_of("cgroup", 2)));
  EXPECT_EQ(json["schema"], "railgauge/topology/1");
  const auto& host = json["hosts"][0];
  EXPECT_EQ(host["allowed_cpus"], "0-5,16-21");
  EXPECT_EQ(host["devices"][0]["pci"]["link"]["lanes"], 16);
  EXPECT_EQ(host["devices"][0]["ports"][0]["gids"][3]["gid"], "10.10.0.7");
  EXPECT_EQ(host["rails"][1]["device"], "mlx5_1");
  EXPECT_EQ(host["ranks"][1]["cpus"], "3-5,19-21");
}

TEST(Report, IsADocumentWhateverTheNames) {
  HostMap map = bundle("no_device");
  map.host = "\xff\"<&";
  EXPECT_TRUE(nlohmann::json::accept(as_json(report_on({map}))));
}

TEST(Report, IsAPictureWithEveryDeviceRailAndRank) {
  const std::string svg = as_svg(report_of("two_sockets_eight_nics", 16).hosts[0]);
  for (const char* part :
       {"NUMA node 1", ">mlx5_7:1<", ">bnxt_re0:1<", ">rail 7<", "rank 15: rail 7", "0000:85:01.0",
        "prefers-color-scheme:dark", "</svg>\n"}) {
    EXPECT_TRUE(has(svg, part)) << part;
  }
  EXPECT_TRUE(has(svg, "of the fabric storage: 100"));  // why it is no rail, which is no fault
  EXPECT_EQ(times(svg, "class='alarm'"), 0);
  HostMap map = bundle("no_device");
  map.host = "<a&b>";
  EXPECT_TRUE(has(as_svg(report_on({map}).hosts[0]), "&lt;a&amp;b&gt;"));
}

/// 32 NICs, of which four are below each bridge: four rows of eight.
TEST(Picture, WrapsAndDrawsABridgeOnce) {
  const std::string svg = as_svg(report_of("aws_p5").hosts[0]);
  EXPECT_EQ(times(svg, ">continued<"), 3);
  for (int bridge = 0; bridge < 8; ++bridge) {
    EXPECT_EQ(times(svg, ">0000:0" + std::to_string(bridge) + ":00.0<"), 1) << bridge;
  }
  EXPECT_TRUE(has(svg, "viewBox='0 0 1548 "));  // eight columns and two margins
}

/// Nine NICs, every third below the same bridge: six fit beside each other, and not eight.
TEST(Picture, KeepsTogetherWhatIsBelowOneBridge) {
  HostMap map = bundle("aws_p5");
  map.devices.resize(9);
  for (std::size_t i = 0; i < 9; ++i) {
    map.devices[i].pci.bridges = {"0000:0" + std::to_string(i % 3) + ":00.0"};
  }
  const std::string svg = as_svg(report_on({map}).hosts[0]);
  for (const char* bridge : {"0", "1", "2"}) {
    EXPECT_EQ(times(svg, ">0000:0" + std::string(bridge) + ":00.0<"), 1) << bridge;
  }
  EXPECT_TRUE(has(svg, "viewBox='0 0 1176 "));  // six columns and two margins
}

TEST(Picture, OfMemoryWithoutCpusNamesItWithItsNode) {
  const std::string svg = as_svg(report_of("xeon_max_flat").hosts[0]);
  EXPECT_TRUE(has(svg, "cpus 40-49,120-129, 256 GiB, HBM node 12: 16 GiB"));
  EXPECT_FALSE(has(svg, ">NUMA node 12<"));
}

TEST(Picture, SaysWhyANicIsSlow) {
  const std::string svg = as_svg(report_of("four_nics").hosts[0]);
  EXPECT_TRUE(has(svg, "class='alarm' font-size='10'>its PCI link from<")) << svg;
  EXPECT_EQ(times(as_svg(report_of("two_sockets_eight_nics").hosts[0]), "its PCI link"), 0);
}

TEST(Picture, SaysThatAPortIsDown) {
  EXPECT_TRUE(has(as_svg(report_of("dead_port").hosts[0]),
                  "class='alarm' font-size='10'>its port is DOWN<"));
}

TEST(Picture, SaysWhatIsMissing) {
  const HostMap map = bundle("four_nics");
  HostMap lacking = another(map, 3);
  lacking.devices.erase(lacking.devices.begin() + 3);
  const Report report = report_on({lacking, another(map, 1), another(map, 2)});
  const std::string svg = as_svg(report.hosts[0]);
  EXPECT_TRUE(has(svg, ">not there<")) << svg;
  EXPECT_TRUE(has(svg, ">no NIC<"));
  EXPECT_TRUE(has(svg, ">on rail 1, where the others<")) << svg;
  EXPECT_FALSE(has(as_svg(report.hosts[1]), ">not there<"));
  const HostReport& host = report.hosts[0];
  EXPECT_EQ(rails_of(host, {.rails = {0, 1, 2}}), (std::set<int>{0, 2, 3}));
}

}  // namespace
}  // namespace railgauge::topology
