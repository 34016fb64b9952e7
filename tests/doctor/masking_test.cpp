#include "doctor/masking.hpp"

#include <gtest/gtest.h>

#include <set>

#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

std::vector<topology::Recording> masked(std::vector<topology::Recording> hosts,
                                        const std::string& word = "a word") {
  for (auto& host : hosts) mask_addresses(host, word);
  return hosts;
}

TEST(Masking, LeavesNoAddressAndNoFinding) {
  const auto plain = fleet(machine("mlx5"), 4);
  const auto hosts = masked(plain);
  EXPECT_EQ(troubles(examined(hosts)), "");
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const std::string text = to_text(hosts[i]);
    for (const auto& one : plain[i].addresses)
      EXPECT_EQ(text.find(to_string(one.address)), std::string::npos) << to_string(one.address);
    EXPECT_EQ(text.find(plain[i].line("class/net/eth0/address")), std::string::npos);
    EXPECT_EQ(text.find(plain[i].line("class/infiniband/mlx5_1/node_guid")), std::string::npos);
    EXPECT_EQ(hosts[i].line("class/net/eth0/address").substr(0, 9), "0c:42:a1:");
  }
}

TEST(Masking, KeepsWhatChecksCompare) {
  auto hosts = fleet(machine("mlx5"), 4);
  hosts[1].addresses[0].address = hosts[2].addresses[0].address;
  hosts[1].files["class/infiniband/mlx5_0/ports/1/gids/0"] =
      hosts[2].files["class/infiniband/mlx5_0/ports/1/gids/0"];
  hosts[3].files["neighbours/eth1"] = "10.11.0.2=" + hosts[0].line("class/net/eth0/address");
  const Document plain = examined(hosts);
  const Document found = examined(masked(hosts));
  EXPECT_EQ(summary_of(found, "unique-address").verdict, Verdict::fail);
  EXPECT_EQ(summary_of(found, "arp-flux").verdict, Verdict::fail);
  for (std::size_t i = 0; i < plain.checks.size(); ++i)
    EXPECT_EQ(found.checks[i].verdict, plain.checks[i].verdict) << plain.checks[i].name;
}

TEST(Masking, DependsOnTheWordAndIsOneToOne) {
  const auto hosts = fleet(machine("mlx5"), 200, 2);
  std::set<std::string> seen;
  for (const auto& host : masked(hosts))
    for (const char* const netdev : {"eth0", "eth1"})
      seen.insert(host.line("class/net/" + std::string(netdev) + "/address"));
  EXPECT_EQ(seen.size(), 400U);
  EXPECT_NE(masked(hosts, "another")[0].addresses[0].address,
            masked(hosts)[0].addresses[0].address);
}

TEST(Masking, LeavesWhatIsNobodys) {
  topology::Recording host;
  host.files = {{"class/infiniband/efa_0/node_guid", "0000:0000:0000:0000"},
                {"class/infiniband/x/ports/1/gids/0", "::ffff:169.254.1.2"},
                {"class/infiniband/x/ports/1/gids/1", "nothing"},
                {"class/net/eth0/address", ""},
                {"neighbours/eth0", "none"}};
  const auto plain = host.files;
  mask_addresses(host, "a word");
  EXPECT_EQ(host.files.at("class/infiniband/x/ports/1/gids/0"), "169.254.1.2");
  for (const auto& [path, value] : plain) {
    if (path.find("gids/0") != std::string::npos) continue;
    EXPECT_EQ(host.files.at(path), value) << path;
  }
}

}  // namespace
}  // namespace railgauge::doctor
