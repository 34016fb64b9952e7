#include "topology/rail.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace railgauge::topology {
namespace {

std::vector<std::string> order_of(std::vector<Nic> nics) {
  std::vector<std::string> names;
  for (const Nic& nic : in_rail_order(std::move(nics))) {
    names.push_back(nic.device + ":" + std::to_string(nic.port));
  }
  return names;
}

TEST(Rail, IsTheNicsPositionInNaturalOrder) {
  const std::vector<Nic> nics{
      {.device = "mlx5_10"}, {.device = "mlx5_2"}, {.device = "mlx5_0"}, {.device = "bnxt_re0"}};
  EXPECT_EQ(order_of(nics),
            (std::vector<std::string>{"bnxt_re0:1", "mlx5_0:1", "mlx5_2:1", "mlx5_10:1"}));
}

TEST(Rail, OfADeviceWithTwoPortsIsByPort) {
  EXPECT_EQ(order_of({{.device = "rxe1"}, {.device = "rxe0", .port = 2}, {.device = "rxe0"}}),
            (std::vector<std::string>{"rxe0:1", "rxe0:2", "rxe1:1"}));
}

TEST(Rail, IsByPciAddressWhereAllAreKnown) {
  std::vector<Nic> nics{{.device = "mlx5_0", .pci = "0000:c1:00.0"},
                        {.device = "mlx5_1", .pci = "0000:9a:00.1"},
                        {.device = "mlx5_2", .pci = "0000:9a:00.0"}};
  EXPECT_EQ(order_of(nics), (std::vector<std::string>{"mlx5_2:1", "mlx5_1:1", "mlx5_0:1"}));
  nics[1].pci = "";
  EXPECT_EQ(order_of(nics), (std::vector<std::string>{"mlx5_0:1", "mlx5_1:1", "mlx5_2:1"}));
}

}  // namespace
}  // namespace railgauge::topology
