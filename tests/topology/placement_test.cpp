#include "topology/placement.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "topology/bundle.hpp"
#include "topology/nic_choice.hpp"
#include "topology/report.hpp"

namespace railgauge::topology {
namespace {

using Lines = std::vector<std::string>;

/// "rails 0,1 cpus 0-7 node 0 memory 0", and the remark.
std::string line_of(const Placement& placement) {
  const CpuSet rails(placement.rails.begin(), placement.rails.end());
  std::string text = "rails " + cpu_list(rails) + " cpus " + cpu_list(placement.cpus) + " node " +
                     std::to_string(placement.numa_node) + " memory " +
                     std::to_string(placement.memory_node);
  return placement.remark.empty() ? text : text + ": " + placement.remark;
}

Lines placed(const HostMap& map, int ranks, PlacementMode mode = PlacementMode::rail) {
  Lines lines;
  for (const Placement& one : place(map, report_on({map}).hosts[0].rails, ranks, mode)) {
    lines.push_back(line_of(one));
  }
  return lines;
}

TEST(Placement, OfARankForEachRailIsBesideIt) {
  EXPECT_EQ(
      placed(bundle("two_sockets_eight_nics"), 8),
      (Lines{"rails 0 cpus 0-1,16-17 node 0 memory 0", "rails 1 cpus 2-3,18-19 node 0 memory 0",
             "rails 2 cpus 4-5,20-21 node 0 memory 0", "rails 3 cpus 6-7,22-23 node 0 memory 0",
             "rails 4 cpus 8-9,24-25 node 1 memory 1", "rails 5 cpus 10-11,26-27 node 1 memory 1",
             "rails 6 cpus 12-13,28-29 node 1 memory 1",
             "rails 7 cpus 14-15,30-31 node 1 memory 1"}));
}

TEST(Placement, OfFewerRanksThanRailsIsBesideTheirs) {
  EXPECT_EQ(placed(bundle("two_sockets_eight_nics"), 2),
            (Lines{"rails 0-3 cpus 0-7,16-23 node 0 memory 0",
                   "rails 4-7 cpus 8-15,24-31 node 1 memory 1"}));
  EXPECT_EQ(
      placed(bundle("two_sockets_eight_nics"), 3),
      (Lines{"rails 0-1 cpus 0-3,16-19 node 0 memory 0",
             "rails 2-4 cpus 4-7,20-23 node 0 memory 0: some of its rails are on other NUMA nodes",
             "rails 5-7 cpus 8-15,24-31 node 1 memory 1"}));
}

TEST(Placement, GathersTheRailsOfANode) {
  HostMap map = bundle("two_sockets_eight_nics");
  for (std::size_t i = 1; i <= 8; ++i) {  // even rails on one socket, odd ones on the other
    map.devices[i].locality.numa_node = i % 2 == 1 ? 0 : 1;
  }
  EXPECT_EQ(placed(map, 2), (Lines{"rails 0,2,4,6 cpus 0-7,16-23 node 0 memory 0",
                                   "rails 1,3,5,7 cpus 8-15,24-31 node 1 memory 1"}));
}

TEST(Placement, OfMoreRanksThanRailsSharesThem) {
  EXPECT_EQ(placed(bundle("dual_port"), 4),
            (Lines{"rails 0 cpus 0 node 0 memory 0", "rails 0 cpus 1 node 0 memory 0",
                   "rails 1 cpus 2 node 0 memory 0", "rails 1 cpus 3 node 0 memory 0"}));
}

TEST(Placement, OfMoreRanksThanCoresSharesCores) {
  const Lines lines = placed(bundle("vm_without_numa"), 6);
  EXPECT_EQ(lines[0], "rails 0 cpus 0 node 0 memory 0: cpus shared: 6 ranks on 4 cpus");
  EXPECT_EQ(lines[2], "rails 0 cpus 1 node 0 memory 0");
  EXPECT_EQ(lines[5], "rails 0 cpus 3 node 0 memory 0");
}

TEST(Placement, KeepsToTheAllowedCpus) {
  const std::string far = ": no cpu of NUMA node 1, where its NIC is, may be used";
  EXPECT_EQ(placed(bundle("cgroup"), 2), (Lines{"rails 0 cpus 0-2,16-18 node 0 memory 0",
                                                "rails 1 cpus 3-5,19-21 node 0 memory 0" + far}));
  HostMap map = bundle("cgroup");
  map.allowed = {0, 1, 8};  // one thread of each core
  EXPECT_EQ(placed(map, 2),
            (Lines{"rails 0 cpus 0-1 node 0 memory 0", "rails 1 cpus 8 node 1 memory 1"}));
  map.allowed = {};
  EXPECT_THROW(placed(map, 2), std::invalid_argument);
}

TEST(Placement, OfANicThatIsNowhereIsAnywhere) {
  HostMap map = bundle("bonded");
  map.devices[0].locality = {-1, map.allowed, ""};
  const std::string nowhere = ": no NUMA node is nearest to its NIC";
  EXPECT_EQ(placed(map, 1), (Lines{"rails 0 cpus 0-31 node -1 memory -1" + nowhere}));
  EXPECT_EQ(placed(map, 2), (Lines{"rails 0 cpus 0-7,16-23 node 0 memory 0" + nowhere,
                                   "rails 0 cpus 8-15,24-31 node 1 memory 1" + nowhere}));
}

TEST(Placement, OfANicNearSeveralNodesIsOnOneWithRoom) {
  HostMap map = bundle("two_sockets_eight_nics");
  map.devices[1].locality = {-1, map.allowed, ""};  // rail 0; the others belong to their nodes
  const Lines lines = placed(map, 8);
  EXPECT_EQ(lines[0], "rails 0 cpus 0-1,16-17 node 0 memory 0: no NUMA node is nearest to its NIC");
  EXPECT_EQ(lines[7], "rails 7 cpus 14-15,30-31 node 1 memory 1");
}

TEST(Placement, SpreadsOverNodesWhereverNicsAre) {
  EXPECT_EQ(placed(bundle("sriov"), 2), (Lines{"rails 0 cpus 8-11,24-27 node 1 memory 1",
                                               "rails 0 cpus 12-15,28-31 node 1 memory 1"}));
  EXPECT_EQ(
      placed(bundle("sriov"), 2, PlacementMode::spread),
      (Lines{"rails 0 cpus 0-7,16-23 node 0 memory 0", "rails 0 cpus 8-15,24-31 node 1 memory 1"}));
  EXPECT_EQ(
      placed(bundle("cgroup"), 2, PlacementMode::spread),
      (Lines{"rails 0 cpus 0-2,16-18 node 0 memory 0", "rails 1 cpus 3-5,19-21 node 0 memory 0"}));
}

/// Node 0 has few allowed cpus, node 1 many: all have some of their own for as long as there are.
TEST(Placement, SpreadsWhereCpusAreFree) {
  HostMap map = bundle("two_sockets_eight_nics");
  map.allowed = *parse_cpu_list("0,8-13,24-29");
  EXPECT_EQ(placed(map, 7, PlacementMode::spread),
            (Lines{"rails 0 cpus 0 node 0 memory 0", "rails 1 cpus 8,24 node 1 memory 1",
                   "rails 2 cpus 9,25 node 1 memory 1", "rails 3 cpus 10,26 node 1 memory 1",
                   "rails 4 cpus 11,27 node 1 memory 1", "rails 5 cpus 12,28 node 1 memory 1",
                   "rails 6-7 cpus 13,29 node 1 memory 1"}));
}

TEST(Placement, SharesNoCpuWhileAnotherIsFree) {
  HostMap map = bundle("two_sockets_eight_nics");
  const auto nics = report_on({map}).hosts[0].rails;
  for (const char* allowed : {"0-31", "0,8-13,24-29", "0-5,16-21", "0,16,8-15", "3", "0-1,16"}) {
    map.allowed = *parse_cpu_list(allowed);
    for (int ranks = 1; ranks <= 34; ++ranks) {
      for (const PlacementMode mode : {PlacementMode::rail, PlacementMode::spread}) {
        CpuSet taken;
        std::size_t given = 0;
        bool said = true;
        for (const Placement& one : place(map, nics, ranks, mode)) {
          EXPECT_FALSE(one.cpus.empty());
          const bool shares = !common(taken, one.cpus).empty();
          said = said && (!shares || one.remark.find("cpus shared") != std::string::npos);
          taken.insert(one.cpus.begin(), one.cpus.end());
          given += one.cpus.size();
        }
        const bool enough = static_cast<std::size_t>(ranks) <= map.allowed.size();
        EXPECT_TRUE(!enough || given == taken.size()) << allowed << " " << ranks;
        EXPECT_TRUE(said) << allowed << " " << ranks;
      }
    }
  }
}

TEST(Placement, MovesARankThatFindsNoCpu) {
  HostMap map = bundle("two_sockets_eight_nics");
  map.allowed = *parse_cpu_list("0,1,8-15");  // for ranks 0 to 3 there are two cpus
  const Lines lines = placed(map, 8);
  EXPECT_EQ(lines[1], "rails 1 cpus 1 node 0 memory 0");
  EXPECT_EQ(lines[2], "rails 2 cpus 8 node 1 memory 1: every cpu near its NIC is another rank's");
}

TEST(Placement, SaysThatACoreIsShared) {
  EXPECT_EQ(placed(bundle("cgroup"), 12, PlacementMode::spread)[11],
            "rails 1 cpus 21 node 0 memory 0: core shared: 12 ranks on 6 cores");
}

/// HBM, a GPU's and CXL memory are no places.
TEST(Placement, IsNeverOnMemoryWithoutCpus) {
  const HostMap map = bundle("xeon_max_flat");
  EXPECT_EQ(placed(map, 1), (Lines{"rails 0 cpus 40-49,120-129 node 4 memory 4"}));
  EXPECT_EQ(placed(map, 2, PlacementMode::spread),
            (Lines{"rails 0 cpus 0-9,80-89 node 0 memory 0",
                   "rails 0 cpus 40-49,120-129 node 4 memory 4"}));
  HostMap odd = map;
  odd.devices[0].locality = {12, find_node(map, 12)->near_cpus, ""};
  EXPECT_EQ(placed(odd, 1), (Lines{"rails 0 cpus 40-49,120-129 node 4 memory 4"}));
}

TEST(Placement, OfNoneSharesRailsAndBindsNothing) {
  EXPECT_EQ(placed(bundle("dual_port"), 2, PlacementMode::none),
            (Lines{"rails 0 cpus  node -1 memory -1", "rails 1 cpus  node -1 memory -1"}));
}

TEST(Placement, WithoutRailsStillHasCpus) {
  EXPECT_EQ(placed(bundle("no_device"), 2, PlacementMode::spread),
            (Lines{"rails  cpus 0 node 0 memory 0", "rails  cpus 1 node 0 memory 0"}));
}

TEST(Placement, GivesEveryCoreAndRailToSomebody) {
  const HostMap map = bundle("two_sockets_eight_nics");
  const auto nics = report_on({map}).hosts[0].rails;
  for (int ranks = 1; ranks <= 40; ++ranks) {
    CpuSet cpus;
    std::map<int, int> drivers;
    for (const Placement& one : place(map, nics, ranks, PlacementMode::rail)) {
      EXPECT_FALSE(one.rails.empty());
      cpus.insert(one.cpus.begin(), one.cpus.end());
      for (const int rail : one.rails) ++drivers[rail];
    }
    EXPECT_EQ(drivers.size(), 8U) << ranks;
    const auto [least, most] = std::minmax_element(
        drivers.begin(), drivers.end(),
        [](const auto& left, const auto& right) { return left.second < right.second; });
    EXPECT_LE(most->second - least->second, 1) << ranks;
    EXPECT_TRUE(ranks == 1 || cpus == map.allowed) << ranks;
  }
}

TEST(Placement, HasAWordForEachMode) {
  EXPECT_EQ(placement_mode("rail"), PlacementMode::rail);
  EXPECT_EQ(placement_mode("spread"), PlacementMode::spread);
  EXPECT_EQ(placement_mode("none"), PlacementMode::none);
  EXPECT_EQ(placement_mode("rails"), std::nullopt);
}

TEST(Placement, NeedsRanks) {
  EXPECT_THROW(placed(bundle("dual_port"), 0), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::topology
