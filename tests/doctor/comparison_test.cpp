#include "doctor/comparison.hpp"

#include <gtest/gtest.h>

#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

TEST(Comparison, AccusesNobodyWithoutAMajority) {
  auto hosts = fleet(machine("mlx5"), 4);
  for (std::size_t i = 0; i < 2; ++i) hosts[i].files["proc/sys/kernel/osrelease"] = "6.5.0";
  const Document found = examined(std::move(hosts));
  const CheckSummary& kernel = summary_of(found, "kernel");
  EXPECT_EQ(kernel.verdict, Verdict::warn);
  EXPECT_EQ(
      kernel.remarks.at(0).text,
      "kernel is 6.5.0 on node1 and node2 and 6.8.0-45-generic on node3 and node4, expected one "
      "value (none of them on most)");
  ASSERT_EQ(found.report.findings.size(), 1U);
  EXPECT_EQ(found.report.findings[0].where.scope, finding::Scope::fabric);
}

TEST(Comparison, IsWithinAModel) {
  auto hosts = fleet(machine("mlx5"), 4);
  for (auto& host : hosts) {  // an older card in every host, with firmware of its own
    host.files["class/infiniband/mlx5_1/hca_type"] = "MT4123";
    host.files["class/infiniband/mlx5_1/fw_ver"] = "20.40.1000";
  }
  EXPECT_EQ(summary_of(examined(std::move(hosts)), "firmware").verdict, Verdict::pass);
}

TEST(Comparison, OfHostsFindsDuplicatesAndCrossedSubnets) {
  auto hosts = fleet(machine("mlx5"), 4);
  hosts[1].files["class/infiniband/mlx5_0/node_guid"] =
      hosts[0].files["class/infiniband/mlx5_0/node_guid"];
  std::swap(hosts[2].addresses[0].netdev, hosts[2].addresses[1].netdev);
  std::swap(hosts[2].files["class/infiniband/mlx5_0/ports/1/gids/0"],
            hosts[2].files["class/infiniband/mlx5_1/ports/1/gids/0"]);
  const Document found = examined(std::move(hosts));
  EXPECT_EQ(summary_of(found, "unique-guid").verdict, Verdict::fail);
  EXPECT_EQ(summary_of(found, "subnets").verdict, Verdict::fail) << troubles(found);
  EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::fail);
}

TEST(Comparison, FindsADuplicateAddressAndASlowLinkAndAMissingRail) {
  auto hosts = fleet(machine("mlx5"), 4);
  hosts[1].addresses[0].address = hosts[0].addresses[0].address;
  hosts[1].files["class/infiniband/mlx5_0/ports/1/gids/0"] =
      hosts[0].files["class/infiniband/mlx5_0/ports/1/gids/0"];
  hosts[2].files["class/infiniband/mlx5_0/ports/1/rate"] = "200 Gb/sec (4X HDR)";
  hosts[2].files["class/net/eth0/speed"] = "200000";
  hosts[3].files["class/infiniband/mlx5_1/ports/1/state"] = "1: DOWN";
  const Document found = examined(std::move(hosts));
  for (const char* const name : {"unique-address", "link-speed", "rails", "port-state"})
    EXPECT_EQ(word(summary_of(found, name).verdict), "FAIL") << name;
}

/// A port that is DOWN on most hosts is not wired, and no fault; one with an address may be a rail.
TEST(Comparison, LeavesPortsThatNobodyUses) {
  auto hosts = fleet(machine("mlx5"), 4, 3);
  for (auto& host : hosts) host.files["class/infiniband/mlx5_2/ports/1/state"] = "1: DOWN";
  const std::string of_rails = troubles(examined(hosts));
  EXPECT_EQ(of_rails.find("rails WARN: missing rail: mlx5_2"), 0U) << of_rails;
  for (auto& host : hosts)
    std::erase_if(host.addresses, [](const auto& one) { return one.netdev == "eth2"; });
  EXPECT_EQ(troubles(examined(std::move(hosts))), "");
}

}  // namespace
}  // namespace railgauge::doctor
