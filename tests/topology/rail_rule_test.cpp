#include "topology/rail_rule.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

/// Host `number` of four rails, 10.10 to 10.13.
Host four_rails(int number) {
  Host made{"host" + std::to_string(number), {}};
  for (int rail = 0; rail < 4; ++rail) {
    made.rails.push_back(
        {.device = "mlx5_" + std::to_string(rail),
         .address = "10.1" + std::to_string(rail) + ".0." + std::to_string(number + 1),
         .prefix_length = 24});
  }
  return made;
}

TEST(RailSubnets, AreThoseOfMostHosts) {
  std::vector<Host> hosts{four_rails(0), four_rails(1), four_rails(2)};
  hosts[0].rails.erase(hosts[0].rails.begin());  // moves all that come after it
  const auto usual = usual_subnets(hosts);
  ASSERT_EQ(usual.size(), 4U);
  EXPECT_EQ(to_string(*usual[0]), "10.10.0.0/24");
  EXPECT_EQ(to_string(*usual[3]), "10.13.0.0/24");
  EXPECT_TRUE(usual_subnets({}).empty());
}

TEST(RailSubnets, AreNotThoseOfHostsThatLackARail) {
  std::vector<Host> hosts{four_rails(0), four_rails(1), four_rails(2), four_rails(3)};
  hosts[0].rails.erase(hosts[0].rails.begin());
  hosts[1].rails.erase(hosts[1].rails.begin());
  hosts[1].rails.pop_back();
  EXPECT_EQ(to_string(*usual_subnets(hosts).at(0)), "10.10.0.0/24");
}

TEST(RailSubnets, TellAHostsRails) {
  const auto usual = usual_subnets({four_rails(0), four_rails(1)});
  Host one = four_rails(2);
  EXPECT_EQ(rails_by_subnet(one, usual), (std::vector<int>{0, 1, 2, 3}));
  one.rails.erase(one.rails.begin() + 1);
  EXPECT_EQ(rails_by_subnet(one, usual), (std::vector<int>{0, 2, 3}));
  one.rails[0].address = "10.12.0.99";  // two on rail 2
  EXPECT_TRUE(rails_by_subnet(one, usual).empty());
  one.rails[0].address = "10.99.0.1";
  EXPECT_TRUE(rails_by_subnet(one, usual).empty());
}

TEST(RailSubnets, TellThreeCrossedCables) {
  std::vector<Host> hosts{four_rails(0), four_rails(1), four_rails(2)};
  std::swap(hosts[1].rails[0].address, hosts[1].rails[1].address);
  std::swap(hosts[1].rails[1].address, hosts[1].rails[3].address);
  EXPECT_EQ(check_subnets(hosts),
            (std::vector<std::string>{
                "host1: rails 0, 1 and 3 are crossed: mlx5_0 10.11.0.2/24 is in rail 1's subnet, "
                "mlx5_1 10.13.0.2/24 is in rail 3's subnet, mlx5_3 10.10.0.2/24 is in rail 0's "
                "subnet; put their cables in order, or their addresses if the cables are right"}));
}

TEST(RailSubnets, OfAHostWithAMissingRailAreNotWrong) {
  std::vector<Host> hosts{four_rails(0), four_rails(1), four_rails(2)};
  hosts[1].rails.erase(hosts[1].rails.begin() + 1);
  EXPECT_TRUE(check_subnets(hosts).empty());
}

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
  EXPECT_EQ(found.reason, "a single host shares no subnets");
  EXPECT_EQ(rails_of(found.hosts[0]), (Names{"mlx5_1", "mlx5_0"}));
  found = find_rails({host(0, 31), host(2, 31)});
  EXPECT_EQ(found.rule, RailRule::pci_order);
  EXPECT_EQ(found.reason, "point-to-point subnets: the fabric routes to the hosts");
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[1].rails[0].address = "10.99.0.1";
  found = find_rails(hosts);
  EXPECT_EQ(found.rule, RailRule::pci_order);
  EXPECT_EQ(found.reason, "the subnets of host1 are not those of the others");
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
