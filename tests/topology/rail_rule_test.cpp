#include "topology/rail_rule.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

using Names = std::vector<std::string>;

/// Host `number` of a right fabric of two rails; PCI order and names disagree.
Host host(int number, int prefix_length = 24) {
  const std::string last = std::to_string(number + 1);
  const auto nic = [&](const char* device, const std::string& subnet, const char* pci) {
    return Nic{
        .device = device, .address = subnet + last, .prefix_length = prefix_length, .pci = pci};
  };
  return {"host" + std::to_string(number),
          {nic("mlx5_0", "10.11.0.", "0000:97:00.0"), nic("mlx5_1", "10.10.0.", "0000:17:00.0")}};
}

Names rails_of(const Host& host) {
  Names names;
  for (const Nic& nic : host.rails) names.push_back(nic.device);
  return names;
}

TEST(RailRule, IsSubnetsThatHostsShare) {
  const FoundRails found = find_rails({host(0), host(1)});
  EXPECT_EQ(words(found.rule), "shared subnets");
  EXPECT_EQ(rails_of(found.hosts[1]), (Names{"mlx5_1", "mlx5_0"}));
  EXPECT_TRUE(found.crossed.empty());
}

TEST(RailRule, NamesTheHostWhoseCablesAreCrossed) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  std::swap(hosts[2].rails[0].address, hosts[2].rails[1].address);
  const FoundRails found = find_rails(hosts);
  EXPECT_EQ(found.rule, RailRule::shared_subnets);
  EXPECT_EQ(rails_of(found.hosts[2]), (Names{"mlx5_0", "mlx5_1"}));  // rails by address
  EXPECT_EQ(found.crossed,
            (Names{"host2: rails 0 and 1 are crossed: mlx5_1 10.11.0.3/24 is in rail 1's subnet, "
                   "mlx5_0 10.10.0.3/24 is in rail 0's subnet; swap their two cables, or their "
                   "addresses if the cables are right"}));
}

TEST(RailRule, KeepsOrderWhereARailIsMissing) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[0].rails.erase(hosts[0].rails.begin() + 1);
  const FoundRails found = find_rails(hosts);
  EXPECT_EQ(found.rule, RailRule::shared_subnets);
  EXPECT_EQ(rails_of(found.hosts[0]), (Names{"mlx5_0"}));
  EXPECT_TRUE(found.crossed.empty());
}

TEST(RailRule, IsNotChangedByAHostWithoutRails) {
  EXPECT_EQ(find_rails({host(0), {"bare", {}}, host(1)}).rule, RailRule::shared_subnets);
}

TEST(RailRule, IsPciOrderWhereSubnetsDoNotTell) {
  FoundRails found = find_rails({host(0)});
  EXPECT_EQ(words(found.rule), "PCI order");
  EXPECT_EQ(found.reason, "one host shares no subnets");
  EXPECT_EQ(rails_of(found.hosts[0]), (Names{"mlx5_1", "mlx5_0"}));
  found = find_rails({host(0, 31), host(2, 31)});
  EXPECT_EQ(found.rule, RailRule::pci_order);
  EXPECT_EQ(found.reason, "the fabric routes to the hosts: point-to-point subnets");
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[1].rails[0].address = "10.99.0.1";
  found = find_rails(hosts);
  EXPECT_EQ(found.rule, RailRule::pci_order);
  EXPECT_EQ(found.reason, "the subnets of host1 are not those of others");
}

TEST(RailRule, IsPciOrderInOneFlatSubnet) {
  EXPECT_EQ(find_rails({host(0, 8), host(1, 8)}).rule, RailRule::pci_order);
}

TEST(RailRule, IsDeviceNamesWhereNothingElseIsKnown) {
  Host bare = host(0);
  for (Nic& nic : bare.rails) nic.pci = "";
  const FoundRails found = find_rails({bare});
  EXPECT_EQ(words(found.rule), "device names");
  EXPECT_EQ(rails_of(found.hosts[0]), (Names{"mlx5_0", "mlx5_1"}));
}

TEST(RailRule, IsTheUsersMapBeforeAll) {
  const FoundRails found = find_rails({host(0), host(1)}, {{"mlx5_0", 0}, {"mlx5_1", 1}});
  EXPECT_EQ(words(found.rule), "user map");
  EXPECT_EQ(rails_of(found.hosts[1]), (Names{"mlx5_0", "mlx5_1"}));
  EXPECT_EQ(rails_of(find_rails({host(0)}, {{"mlx5_1", 0}}).hosts[0]), (Names{"mlx5_1"}));
}

}  // namespace
}  // namespace railgauge::topology
