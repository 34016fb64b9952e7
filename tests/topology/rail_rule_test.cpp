#include "topology/rail_rule.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

/// Host `number` of four rails, 10.10 to 10.13.
Host four_rails(int number) {
  Host made{"host" + std::to_string(number), {}, {}};
  for (int rail = 0; rail < 4; ++rail) {
    made.rails.push_back(
        {.device = "mlx5_" + std::to_string(rail),
         .address = "10.1" + std::to_string(rail) + ".0." + std::to_string(number + 1),
         .prefix_length = 24});
  }
  return made;
}

/// The rail of each NIC of a host, in the order of rails.
std::vector<int> numbers(const Host& host) {
  std::vector<int> rails;
  for (const Nic& nic : host.rails) rails.push_back(nic.rail);
  return rails;
}

TEST(RailRule, KnowsTheRailsOfAHostThatLacksOne) {
  std::vector<Host> hosts{four_rails(0), four_rails(1), four_rails(2)};
  hosts[0].rails.erase(hosts[0].rails.begin() + 1);
  const FoundRails found = find_rails(hosts);
  EXPECT_EQ(numbers(found.hosts[0]), (std::vector<int>{0, 2, 3}));
  EXPECT_EQ(found.rails, 4U);
  EXPECT_EQ(to_string(*found.groups.at(0).slots[1].subnet), "10.11.0.0/24");
  EXPECT_EQ(found.groups[0].slots[1].device, "mlx5_1");
}

TEST(RailRule, PutsTheNicBeyondLast) {
  std::vector<Host> hosts{four_rails(0), four_rails(1), four_rails(2)};
  hosts[1].rails.insert(hosts[1].rails.begin(),
                        {.device = "mlx4_0", .address = "10.9.0.2", .prefix_length = 24});
  EXPECT_EQ(numbers(find_rails(hosts).hosts[1]), (std::vector<int>{0, 1, 2, 3, -1}));
}

TEST(RailRule, FormsGroupsOfHostsThatShareSubnets) {
  std::vector<Host> hosts{four_rails(0), four_rails(1), four_rails(2), four_rails(3)};
  for (const std::size_t host : {1U, 3U}) {
    for (Nic& nic : hosts[host].rails) nic.address[6] = '1';  // 10.10.1.2
  }
  const FoundRails found = find_rails(hosts);
  ASSERT_EQ(found.groups.size(), 2U);
  EXPECT_EQ(found.groups[1].hosts, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(to_string(*found.groups[1].slots[3].subnet), "10.13.1.0/24");
}

TEST(RailRule, FillsAnOpenRailByTheSeries) {
  std::vector<Host> hosts{four_rails(0), four_rails(1), four_rails(2)};
  hosts[0].rails[2].address = "10.99.0.1";
  hosts[1].rails[2].address = "10.98.0.2";
  EXPECT_EQ(to_string(*find_rails(hosts).groups.at(0).slots[2].subnet), "10.12.0.0/24");
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
          {nic("mlx5_0", "10.11.0.", "0000:97:00.0"), nic("mlx5_1", "10.10.0.", "0000:17:00.0")},
          {}};
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
}

TEST(RailRule, GoesByAddressesWhereCablesAreCrossed) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  std::swap(hosts[2].rails[0].address, hosts[2].rails[1].address);
  const FoundRails found = find_rails(hosts);
  EXPECT_EQ(found.rule, RailRule::shared_subnets);
  EXPECT_EQ(rails_of(found.hosts[2]), (Names{"mlx5_0", "mlx5_1"}));
}

TEST(RailRule, IsNotChangedByAHostWithoutRails) {
  EXPECT_EQ(find_rails({host(0), {"bare", {}, {}}, host(1)}).rule, RailRule::shared_subnets);
}

TEST(RailRule, IsPciOrderWhereSubnetsDoNotTell) {
  FoundRails found = find_rails({host(0)});
  EXPECT_EQ(words(found.rule), "PCI order");
  EXPECT_EQ(found.reason, "a single host shares no subnets");
  EXPECT_EQ(rails_of(found.hosts[0]), (Names{"mlx5_1", "mlx5_0"}));
  found = find_rails({host(0, 31), host(2, 31)});
  EXPECT_EQ(found.rule, RailRule::pci_order);
  EXPECT_EQ(found.reason, "point-to-point subnets: the fabric routes to the hosts");
}

TEST(RailRule, IsSharedSubnetsThoughOneHostDiffers) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[1].rails[0].address = "10.99.0.1";
  const FoundRails found = find_rails(hosts);
  EXPECT_EQ(found.rule, RailRule::shared_subnets);
  EXPECT_EQ(rails_of(found.hosts[1]), (Names{"mlx5_1", "mlx5_0"}));
}

TEST(RailRule, IsPciOrderInOneFlatSubnet) {
  const FoundRails found = find_rails({host(0, 8), host(1, 8)});
  EXPECT_EQ(found.rule, RailRule::pci_order);
  EXPECT_EQ(found.reason, "hosts have several NICs in one subnet");
}

TEST(RailRule, IsDeviceNamesWhereNothingElseIsKnown) {
  Host bare = host(0);
  for (Nic& nic : bare.rails) nic.pci = "";
  const FoundRails found = find_rails({bare});
  EXPECT_EQ(words(found.rule), "device names");
  EXPECT_EQ(rails_of(found.hosts[0]), (Names{"mlx5_0", "mlx5_1"}));
}

TEST(RailRule, IsTheUsersMapBeforeAll) {
  const FoundRails found = find_rails({host(0), host(1)}, {{"mlx5_0", {}, 0}, {"mlx5_1", {}, 1}});
  EXPECT_EQ(words(found.rule), "user map");
  EXPECT_EQ(rails_of(found.hosts[1]), (Names{"mlx5_0", "mlx5_1"}));
  EXPECT_EQ(rails_of(find_rails({host(0)}, {{"mlx5_1", {}, 0}}).hosts[0]), (Names{"mlx5_1"}));
}

}  // namespace

}  // namespace railgauge::topology
