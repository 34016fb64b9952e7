#include "doctor/examination.hpp"

#include <gtest/gtest.h>

#include "doctor/hosts.hpp"
#include "doctor/text.hpp"

namespace railgauge::doctor {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Examination, AWaiverAcceptsFindingsAndGaps) {
  auto host = healthy(machine("mlx5"));
  host.files["process/memlock"] = "65536";
  host.files.erase("pci/0000:11:00.0/max-payload");
  host.unread["pci/0000:11:00.0/max-payload"] = "EACCES";
  Expectations wanted{.waivers = {{"memlock", "a test host"}, {"max-payload", "no root here"}}};
  const Document waived = examined({host}, wanted);
  EXPECT_EQ(outcome(waived.report, waived.policy), finding::Outcome::pass);
  EXPECT_EQ(summary_of(waived, "memlock").verdict, Verdict::fail);
  EXPECT_EQ(summary_of(waived, "memlock").waived, "a test host");
  EXPECT_TRUE(has(as_text(waived), "(waived: a test host)")) << as_text(waived);
  wanted.waivers.pop_back();
  const Document open = examined({host}, wanted);
  EXPECT_EQ(outcome(open.report, open.policy), finding::Outcome::inconclusive);
  EXPECT_TRUE(has(as_text(open), "record the host as root")) << as_text(open);
}

TEST(Examination, FoldsWhatManyHostsHave) {
  auto hosts = fleet(machine("mlx5"), 20);
  for (auto& host : hosts) host.files["class/net/eth1/mtu"] = "1500";
  const Document found = examined(std::move(hosts));
  ASSERT_EQ(found.report.findings.size(), 1U);
  const std::string text = sentence(found.report.findings[0]);
  EXPECT_TRUE(has(text, "fabric: MTU is 1500, expected at least 4200")) << text;
  EXPECT_TRUE(
      has(text, "in 20 of 40 ports, on node1 mlx5_1 (rail 1), node2 mlx5_1 (rail 1) and 18 more"))
      << text;
}

/// Each is a finding of its own, and their sentence is one.
TEST(Examination, SaysOnceWhatAFewHostsHave) {
  auto hosts = fleet(machine("mlx5"), 6);
  for (int host = 0; host < 3; ++host) hosts[host].files["class/net/eth1/mtu"] = "1500";
  const Document found = examined(std::move(hosts));
  const std::string text = as_text(found);
  EXPECT_EQ(found.report.findings.size(), 4U);
  EXPECT_TRUE(has(
      text, "  mtu: node1 mlx5_1 (rail 1), node2 mlx5_1 (rail 1) and node3 mlx5_1 (rail 1): MTU"))
      << text;
}

/// What all ports of one host have is not the fabric's.
TEST(Examination, DoesNotFoldWhatOneHostHas) {
  auto hosts = fleet(machine("mlx5"), 4, 8);
  for (int nic = 0; nic < 8; ++nic) {
    const std::string number = std::to_string(nic);
    hosts[2].files["class/infiniband/mlx5_" + number + "/ports/1/rate"] = "200 Gb/sec (4X HDR)";
    hosts[2].files["class/net/eth" + number + "/speed"] = "200000";
  }
  const Document found = examined(std::move(hosts), {}, {find_check("link-speed")});
  ASSERT_EQ(found.report.findings.size(), 8U);
  for (const finding::Finding& one : found.report.findings)
    EXPECT_EQ(one.where.at.host, "node3") << sentence(one);
}

TEST(Examination, HasOneLineForAScheduler) {
  auto hosts = fleet(machine("mlx5"), 4);
  hosts[3].files["bus/pci/devices/0000:12:00.0/current_link_width"] = "8";
  const Document found = examined(std::move(hosts));
  const std::string line = drain_reason(found.report, found.policy);
  EXPECT_EQ(line, "railgauge: slow PCIe link on node4 mlx5_1 (rail 1)");
  EXPECT_LE(line.size(), 80U);
}

TEST(Examination, IsADocumentAndATestReport) {
  auto host = healthy(machine("mlx5"));
  host.files["process/memlock"] = "65536";
  const Document found = examined({host});
  EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::fail);
  EXPECT_EQ(found.hosts, std::vector<std::string>{"node1"});
  EXPECT_EQ(found.checks.size(), all_checks().size());
  const std::string report = as_junit(found);
  EXPECT_TRUE(has(report, "failures=\"1\" errors=\"0\"")) << report;
  EXPECT_TRUE(has(report, "name=\"memlock\"><failure message=\"node1: limit of locked memory"))
      << report;
}

TEST(Examination, ThatAppliesNowhereIsNoSuccess) {
  const Document found = examined({healthy(machine("rxe"))}, {}, {find_check("pcie-speed")});
  EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::inconclusive);
  EXPECT_TRUE(has(as_text(found), "INCONCLUSIVE: no check that was asked for applies here"))
      << as_text(found);
}

TEST(Examination, ChecksAreFoundByNameAndGroup) {
  EXPECT_EQ(named("memlock").size(), 1U);
  EXPECT_GT(named("pcie").size(), 10U);
  EXPECT_TRUE(named("nonsense").empty());
  EXPECT_TRUE(has(explanation(*find_check("pcie-width")), "remedy   lspci"));
  EXPECT_TRUE(has(listing(), "pcie-width"));
}

}  // namespace
}  // namespace railgauge::doctor
