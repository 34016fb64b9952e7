#include "topology/rail_subnets.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

/// Host `number` of four rails, 10.10 to 10.13.
Host host(int number) {
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
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[0].rails.erase(hosts[0].rails.begin());  // moves all that come after it
  const auto usual = usual_subnets(hosts);
  ASSERT_EQ(usual.size(), 4U);
  EXPECT_EQ(to_string(*usual[0]), "10.10.0.0/24");
  EXPECT_EQ(to_string(*usual[3]), "10.13.0.0/24");
  EXPECT_TRUE(usual_subnets({}).empty());
}

TEST(RailSubnets, AreNotThoseOfHostsThatLackARail) {
  std::vector<Host> hosts{host(0), host(1), host(2), host(3)};
  hosts[0].rails.erase(hosts[0].rails.begin());
  hosts[1].rails.erase(hosts[1].rails.begin());
  hosts[1].rails.pop_back();
  EXPECT_EQ(to_string(*usual_subnets(hosts).at(0)), "10.10.0.0/24");
}

TEST(RailSubnets, TellAHostsRails) {
  const auto usual = usual_subnets({host(0), host(1)});
  Host one = host(2);
  EXPECT_EQ(rails_by_subnet(one, usual), (std::vector<int>{0, 1, 2, 3}));
  one.rails.erase(one.rails.begin() + 1);
  EXPECT_EQ(rails_by_subnet(one, usual), (std::vector<int>{0, 2, 3}));
  one.rails[0].address = "10.12.0.99";  // two on rail 2
  EXPECT_TRUE(rails_by_subnet(one, usual).empty());
  one.rails[0].address = "10.99.0.1";
  EXPECT_TRUE(rails_by_subnet(one, usual).empty());
}

TEST(RailSubnets, TellThreeCrossedCables) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  std::swap(hosts[1].rails[0].address, hosts[1].rails[1].address);
  std::swap(hosts[1].rails[1].address, hosts[1].rails[3].address);
  EXPECT_EQ(check_subnets(hosts),
            (std::vector<std::string>{
                "host1: rails 0, 1 and 3 are crossed: mlx5_0 10.11.0.2/24 is in rail 1's subnet, "
                "mlx5_1 10.13.0.2/24 is in rail 3's subnet, mlx5_3 10.10.0.2/24 is in rail 0's "
                "subnet; put their cables in order, or their addresses if the cables are right"}));
}

TEST(RailSubnets, OfAHostWithAMissingRailAreNotWrong) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[1].rails.erase(hosts[1].rails.begin() + 1);
  EXPECT_TRUE(check_subnets(hosts).empty());
}

}  // namespace
}  // namespace railgauge::topology
