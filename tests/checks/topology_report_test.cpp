#include "checks/rail_check.hpp"

#include <gtest/gtest.h>

#include "finding/ranking.hpp"
#include "topology/bundle.hpp"

namespace railgauge::checks {
namespace {

using namespace topology;
using finding::Outcome;
using finding::Severity;
using Sentences = std::vector<std::string>;

Sentences said(Severity severity, const Report& report) {
  Sentences all;
  for (const auto& group : grouped(finding::ranked(check_hosts(report).findings))) {
    if (group.first.severity == severity) all.push_back(sentence(group));
  }
  return all;
}

Sentences wrong(const Report& report) {
  return said(Severity::error, report);
}

Sentences warnings(const Report& report) {
  return said(Severity::warning, report);
}

Report report_of(const std::string& name) {
  return report_on({bundle(name)});
}

TEST(TopologyReport, NamesLinksThatAreTooSlow) {
  EXPECT_EQ(wrong(report_of("four_nics")),
            (Sentences{"four_nics mlx5_3 (rail 1): slow PCIe link: PCIe bandwidth 252 Gb/s, "
                       "expected 400 Gb/s (link speed of its ports), its PCI link from "
                       "0000:40:01.1 to 0000:41:00.0 is x8 32 GT/s, and both ends support x16 32 "
                       "GT/s; reseat the card, or check the slot's firmware settings"}));
  EXPECT_EQ(warnings(report_of("two_ports")).size(), 1U);
  EXPECT_EQ(wrong(report_of("two_sockets_eight_nics")), Sentences{});
  EXPECT_EQ(warnings(report_of("two_sockets_eight_nics")), Sentences{});
}

TEST(TopologyReport, NamesASlowRail) {
  EXPECT_EQ(
      wrong(report_of("dead_port")),
      (Sentences{"dead_port mlx5_3 (rail 2): slow link: link speed 200 Gb/s, expected 400 Gb/s "
                 "(most NICs of this model); check cable, transceiver and switch port"}));
}

TEST(TopologyReport, ChecksHostsAsOneFabric) {
  const HostMap map = bundle("two_sockets_eight_nics");
  Report report = report_on({another(map, 1), another(map, 2), another(map, 3)});
  EXPECT_EQ(report.found.rule, RailRule::shared_subnets);
  EXPECT_EQ(wrong(report), Sentences{});
  report = report_on({another(map, 1), another(map, 2), another(map, 2)});
  EXPECT_EQ(wrong(report).size(), 1U);  // one recording, twice
}

TEST(TopologyReport, AccusesNoFabricOfPublishedMachines) {
  for (const char* name :
       {"azure_nd_a100_v4", "azure_nd_h100_v5", "azure_nd_mi300x_v5", "aws_p4d", "aws_p5",
        "dgx_a100", "dgx_h100", "amd_mi350x", "dgx_spark", "gb200", "xeon_max_flat"}) {
    const HostMap map = bundle(name);
    const Report report = report_on({another(map, 1), another(map, 2), another(map, 3)});
    EXPECT_EQ(wrong(report), Sentences{}) << name;
    EXPECT_EQ(warnings(report), Sentences{}) << name;
    EXPECT_EQ(report.hosts[2].rails.size(), report_on({map}).hosts[0].rails.size()) << name;
  }
}

TEST(TopologyReport, NamesWhatADeadPortMissesOnAFabric) {
  const HostMap map = bundle("four_nics");
  HostMap dead = another(map, 3);
  dead.devices[3].ports[0].state = "DOWN";
  const Report report = report_on({another(map, 1), another(map, 2), dead});
  EXPECT_EQ(wrong(report), (Sentences{"node3 mlx5_3 (rail 1): missing rail: its port is DOWN; "
                                      "check its cable, transceiver and switch port"}));
  EXPECT_EQ(report.hosts[2].left_out.at(0).reason, "its port is DOWN");
}

TEST(TopologyReport, EndsWithTheOutcome) {
  const finding::Report good = check_hosts(report_of("two_sockets_eight_nics"));
  EXPECT_EQ(as_text(good), "\noutcome\n  PASS\n");
  const finding::Report slow = check_hosts(report_of("dead_port"));
  EXPECT_EQ(outcome(slow), Outcome::fail);
  EXPECT_NE(as_text(slow).find("\nerrors\n  dead_port mlx5_3 (rail 2): slow link"),
            std::string::npos)
      << as_text(slow);
}

TEST(TopologyReport, OfAHostWithoutRailsIsInconclusive) {
  const finding::Report report = check_hosts(report_of("no_device"));
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
  EXPECT_EQ(as_text(report),
            "\noutcome\n  INCONCLUSIVE: hosts: tested 0 of 1: no usable rail on no_device\n");
}

}  // namespace
}  // namespace railgauge::checks
