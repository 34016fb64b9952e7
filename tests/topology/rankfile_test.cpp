#include "topology/rankfile.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "topology/bundle.hpp"
#include "topology/nic_choice.hpp"

namespace railgauge::topology {
namespace {

std::string file(const std::string& name, int ranks, PlacementMode mode = PlacementMode::rail) {
  const HostMap map = bundle(name);
  const auto placed = place(map, choose_nics(map).nics, ranks, mode);
  return rankfile({{"node0", map, placed}, {"node1", map, placed}});
}

TEST(Rankfile, HasCoresForEveryRankOfEveryHost) {
  EXPECT_EQ(file("two_sockets_eight_nics", 2),
            "rank 0=node0 slot=0-7\nrank 1=node0 slot=8-15\n"
            "rank 2=node1 slot=0-7\nrank 3=node1 slot=8-15\n");
}

TEST(Rankfile, CountsAllowedCoresOnly) {
  HostMap map = bundle("two_sockets_eight_nics");
  map.allowed = {4, 5, 20, 21, 8, 24};
  const auto placed = place(map, choose_nics(map).nics, 2, PlacementMode::rail);
  EXPECT_EQ(rankfile({{"node0", map, placed}}), "rank 0=node0 slot=0-1\nrank 1=node0 slot=2\n");
}

TEST(Rankfile, CannotLeaveARankUnbound) {
  EXPECT_THROW(file("dual_port", 2, PlacementMode::none), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::topology
