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

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Report, RemarksOnLinksOfDevicesThatAreNoRails) {
  const Report report = report_on({bundle("four_nics")}, {.exclude = PortPattern("mlx5_3")});
  EXPECT_EQ(report.hosts[0].remarks,
            (Sentences{"mlx5_3: its PCI link from 0000:40:01.1 to 0000:41:00.0 is x8 32 GT/s, and "
                       "both ends support x16 32 GT/s"}));
}

TEST(Report, ListsOtherFabrics) {
  const Report report = report_of("two_sockets_eight_nics");
  ASSERT_EQ(report.fabrics.size(), 2U);
  EXPECT_TRUE(has(as_table(report),
                  "\nother fabrics\n  management: bnxt_re0 on 1 host (25 Gb/s, the rails 400); "
                  "--fabric management "
                  "chooses it\n"))
      << as_table(report);
  const Report storage = report_on({bundle("two_sockets_eight_nics")}, {.fabric = "storage"});
  EXPECT_EQ(storage.hosts[0].rails.at(0).device, "mlx5_8");
  EXPECT_THROW(report_on({bundle("dual_port")}, {.fabric = "storage"}), std::invalid_argument);
}

TEST(Report, IsATable) {
  const std::string table = as_table(report_of("four_nics", 2));
  EXPECT_TRUE(has(table, "rails are numbered by PCI order: a single host shares no subnets"))
      << table;
  EXPECT_TRUE(
      has(table,
          "  1     mlx5_3:1  eth_mlx5_3  10.11.0.7/24  3    400   0     0000:41:00.0  x8 32 "
          "GT/s of x16 32 GT/s\n"))
      << table;
  EXPECT_TRUE(has(table, "  1             2-3    1          1          8-15,24-31\n")) << table;
  EXPECT_TRUE(has(as_table(report_of("sriov")), "left out\n  mlx5_2:1: it has no IP address"));
  EXPECT_TRUE(has(as_table(report_of("vm_without_numa")), "  0000:00:06.0  -\n"));
  EXPECT_TRUE(has(as_table(report_of("cgroup")), "cpus        allowed\n"));
  EXPECT_FALSE(has(as_table(report_of("sriov")), "allowed\n"));
  EXPECT_TRUE(has(as_table(report_of("xeon_max_flat")),
                  "  12         16 GiB   0      HBM next to 40-49,120-129\n"));
}

TEST(Report, IsAsWideAsHelp) {
  for (const char* name : {"two_sockets_eight_nics", "four_nics", "cgroup", "sriov", "aws_p5",
                           "dgx_h100", "gb200", "azure_nd_mi300x_v5"}) {
    std::istringstream lines(as_table(report_of(name, 12)));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
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
  EXPECT_TRUE(
      has(table,
          "  device    netdev      node  PCI           PCI link  bridges above it\n"
          "  bnxt_re0  eth0        0     0000:03:00.0  504 Gb/s  0000:02:01.0\n"
          "  mlx5_0    eth_mlx5_0  0     0000:18:00.0  504 Gb/s  0000:15:01.0,0000:16:00.0,"))
      << table;
  EXPECT_EQ(report.hosts[0].remarks.size(), 1U);
  EXPECT_FALSE(has(table, "left out"));
}

TEST(Report, OfNoDeviceSaysSo) {
  const std::string table = as_table(report_of("no_device", 1));
  EXPECT_TRUE(has(table, "This host has no RDMA device")) << table;
  EXPECT_FALSE(has(table, "rails are numbered")) << table;
}

TEST(Report, IsADocument) {
  const auto json = as_json(report_of("cgroup", 2));
  EXPECT_EQ(json["schema"], "railgauge/topology/2");
  const auto& host = json["hosts"][0];
  EXPECT_EQ(host["allowed_cpus"], "0-5,16-21");
  EXPECT_EQ(host["devices"][0]["pci"]["link"]["lanes"], 16);
  EXPECT_EQ(host["devices"][0]["ports"][0]["gids"][3]["gid"], "10.10.0.7");
  EXPECT_EQ(host["rails"][1]["device"], "mlx5_1");
  EXPECT_EQ(host["ranks"][1]["cpus"], "3-5,19-21");
}

TEST(Report, NumbersRailsOfAHostThatLacksOne) {
  const HostMap map = bundle("four_nics");
  HostMap lacking = another(map, 3);
  lacking.devices.erase(lacking.devices.begin() + 3);
  const Report report = report_on({lacking, another(map, 1), another(map, 2)});
  EXPECT_EQ(rails_of(report.hosts[0], {.rails = {0, 1, 2}}), (std::set<int>{0, 2, 3}));
}

}  // namespace
}  // namespace railgauge::topology
