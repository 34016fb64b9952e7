#include "topology/placement.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "topology/bundle.hpp"
#include "topology/nic_choice.hpp"
#include "topology/report.hpp"

namespace railgauge::topology {
namespace {

std::vector<Placement> read(const std::string& text, int ranks = 2) {
  return read_placement(text, bundle("cgroup"), 2, ranks);
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(PlacementFile, PutsRanksWhereItSays) {
  const auto placed =
      read("# by hand\n1 rails=0-1 cpus=0,16 memory=1\n\n0 cpus=4-5 rails=1  # far\n");
  EXPECT_EQ(placed[0].rails, (std::vector<int>{1}));
  EXPECT_EQ(placed[0].cpus, (CpuSet{4, 5}));
  EXPECT_EQ(placed[0].numa_node, 0);
  EXPECT_EQ(placed[0].memory_node, -1);
  EXPECT_EQ(placed[1].rails, (std::vector<int>{0, 1}));
  EXPECT_EQ(placed[1].memory_node, 1);
}

TEST(PlacementFile, SaysWhatIsWrong) {
  const std::string right = "0 rails=0 cpus=0\n";
  EXPECT_EQ(complaint(right), "the placement has no rank 1 of 2");
  EXPECT_EQ(complaint(right + right),
            "placement, line 2, '0 rails=0 cpus=0': the rank is listed twice");
  EXPECT_EQ(complaint("2 rails=0 cpus=0"),
            "placement, line 1, '2 rails=0 cpus=0': there is no such rank");
  EXPECT_EQ(complaint("0 rails=2 cpus=0"),
            "placement, line 1, '0 rails=2 cpus=0': rails are 0 to 1");
  EXPECT_EQ(complaint("0 rails=0 cpus=8"),
            "placement, line 1, '0 rails=0 cpus=8': the allowed cpus are 0-5,16-21");
  for (const char* text :
       {"x", "0 rails=0", "0 cpus=0", "0 rails=0 cpus=0 memory=7", "0 rails=0 cpus=0 memory=0,1",
        "0 rails=0 cpus=0 colour=1", "0 rails= cpus=0", "0 rails=0 cpus"}) {
    EXPECT_NE(complaint(text).find("placement, line 1"), std::string::npos) << text;
  }
}

std::string file(const std::string& name, int ranks, PlacementMode mode = PlacementMode::rail) {
  const HostMap map = bundle(name);
  const auto placed = place(map, report_on({map}).hosts[0].rails, ranks, mode);
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
  const auto placed = place(map, report_on({map}).hosts[0].rails, 2, PlacementMode::rail);
  EXPECT_EQ(rankfile({{"node0", map, placed}}), "rank 0=node0 slot=0-1\nrank 1=node0 slot=2\n");
}

TEST(Rankfile, CannotLeaveARankUnbound) {
  EXPECT_THROW(file("dual_port", 2, PlacementMode::none), std::invalid_argument);
}

}  // namespace

}  // namespace railgauge::topology
