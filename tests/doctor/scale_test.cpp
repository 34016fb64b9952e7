#include <gtest/gtest.h>

#include <algorithm>

#include "doctor/hosts.hpp"
#include "doctor/text.hpp"

namespace railgauge::doctor {
namespace {

/// Many hosts of 8 NICs are one screen: what is alike is told once.
TEST(Scale, ManyHostsAreOneScreen) {
  auto hosts = fleet(machine("mlx5"), 256, 8);
  hosts[200].files["bus/pci/devices/0000:14:00.0/current_link_width"] = "8";
  hosts[201].files["proc/sys/kernel/osrelease"] = "6.5.0";
  for (std::size_t i = 0; i < 90; ++i) hosts[i].files["class/net/eth5/mtu"] = "4500";
  const Document found = examined(std::move(hosts));
  const std::string text = as_text(found);
  EXPECT_LE(std::ranges::count(text, '\n'), 60) << text;
  EXPECT_NE(text.find("node201 mlx5_3"), std::string::npos) << text;
  EXPECT_NE(text.find("node202: kernel is 6.5.0"), std::string::npos) << text;
  EXPECT_EQ(found.ports, 2048U);
}

/// Paths are as many as the square of hosts: each is looked at once.
TEST(Scale, ManyPathsAreOneScreen) {
  constexpr int kHosts = 128;
  constexpr int kNics = 8;
  std::vector<HostFacts> facts;
  for (auto& one : fleet(machine("mlx5"), kHosts, kNics)) facts.push_back(facts_of(std::move(one)));
  Hosts hosts = understood(std::move(facts), {});
  PairProbes pairs;
  for (int nic = 0; nic < kNics; ++nic) {
    const std::string device = "mlx5_" + std::to_string(nic);
    for (int from = 1; from <= kHosts; ++from) {
      for (int to = 1; to <= kHosts; ++to) {
        if (from == to) continue;
        const bool slow = from % 16 == 0;
        pairs.probes.push_back({.from = {"node" + std::to_string(from), device},
                                .to = {"node" + std::to_string(to), device},
                                .did = slow ? Did::slowly : Did::well,
                                .lost = 0});
      }
    }
  }
  add_pairs(hosts, std::move(pairs));
  const Document found = examine(hosts, named("pairs"), {});
  EXPECT_EQ(summary_of(found, "pair-speed").remarks.at(0).count, 64U);
  EXPECT_EQ(summary_of(found, "pair-speed").remarks.at(0).text,
            "number of slow paths is 127 of 127 paths TX, expected 0");
  EXPECT_EQ(summary_of(found, "pair-paths").verdict, Verdict::pass);
  EXPECT_LE(std::ranges::count(as_text(found), '\n'), 60);
}

}  // namespace
}  // namespace railgauge::doctor
