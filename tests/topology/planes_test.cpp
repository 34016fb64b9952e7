#include "topology/planes.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "topology/cpu_set.hpp"
#include "topology/fabric_cases.hpp"
#include "topology/placement.hpp"
#include "topology/report.hpp"

namespace railgauge::topology {
namespace {

TEST(PlaceInName, IsRailAndPlane) {
  for (const char* name :
       {"eth_r3_p1", "rail3plane1", "rdma-r3-p1", "r3p1", "p1_r3", "eth0.r3.p1"}) {
    EXPECT_EQ(place_in_name(name), (RailPlane{3, 1})) << name;
  }
}

TEST(PlaceInName, IsNotWhatTheKernelAndOthersWrite) {
  for (const char* name : {"", "eth0", "enp1s0f0np0", "roceP2p1s0f0", "rocep24s0f1", "mlx5_3",
                           "roce_r3", "rdma3", "p1p1", "gpu0rdma0", "rdma_0_1_3", "r3_p1_p2"}) {
    EXPECT_EQ(place_in_name(name), std::nullopt) << name;
  }
}

std::vector<Host> hosts_of(const Boards& boards) {
  std::vector<Host> hosts;
  for (const Board& board : boards) hosts.push_back(choose_nics(read_host(recorded(board))));
  return hosts;
}

PlaneRule rule_of(const Boards& boards) {
  return find_planes(hosts_of(boards)).rule;
}

TEST(Planes, ArePortsOfOneDevice) {
  const PlanesFound found = find_planes(hosts_of(table::four_planes(2)));
  EXPECT_EQ(found.rule, PlaneRule::ports);
  EXPECT_EQ(found.members, (std::vector<int>{3, 6, 9, 12}));
}

TEST(Planes, AreByNamesWhereAllSayIt) {
  Boards boards = table::two_planes_by_name(2);
  EXPECT_EQ(rule_of(boards), PlaneRule::names);
  for (Board& board : boards) board.nics[5].netdev = "eth7";
  EXPECT_EQ(rule_of(boards), PlaneRule::none);
}

/// Two functions of a card are two rails unless addresses say otherwise.
TEST(Planes, AreFunctionsOfCardsWhoseSubnetsRunInTwoDirections) {
  const auto by_card = [](const table::PlaneAddress& address) {
    return rule_of(table::two_planes_by_card(2, address));
  };
  EXPECT_EQ(by_card(table::by_plane), PlaneRule::cards);
  EXPECT_EQ(by_card(table::by_rail), PlaneRule::cards);
  EXPECT_EQ(by_card(table::of_one_subnet), PlaneRule::cards);
  EXPECT_EQ(by_card(table::routed_plane), PlaneRule::none);
  EXPECT_EQ(by_card([](int host, int rail, int plane) {
              return "10.40." + table::text(rail * 2 + plane) + "." + table::text(host + 1) + "/24";
            }),
            PlaneRule::none);
}

/// The (rail, plane) of each NIC of a host.
std::vector<RailPlane> places_of(const Host& host) {
  std::vector<RailPlane> places;
  for (const Nic& nic : host.rails) places.push_back(rail_plane_of(nic));
  return places;
}

TEST(Planes, KeepTheirNumbersWhereOneIsDown) {
  Boards boards = table::four_planes(3);
  for (Board& board : boards) board.nics.resize(1);
  table::take_down(table::port(boards, 1, 0, 6));
  const FoundRails found = find_rails(hosts_of(boards));
  EXPECT_EQ(found.rails, 1U);
  EXPECT_EQ(found.slots.size(), 4U);
  EXPECT_EQ(places_of(found.hosts[1]), (std::vector<RailPlane>{{0, 0, 4}, {0, 2, 4}, {0, 3, 4}}));
  EXPECT_EQ(common_slots(found), (std::vector<RailPlane>{{0, 0, 4}, {0, 2, 4}, {0, 3, 4}}));
}

TEST(Planes, MayDifferFromRailToRail) {
  Boards boards = table::four_planes(2);
  for (Board& board : boards) {
    board.nics.resize(2);
    for (BoardPort& port : board.nics[1].ports) {
      if (port.number == 9 || port.number == 12) table::take_down(port);
    }
    board.nics[1].ports.resize(6);
  }
  const FoundRails found = find_rails(hosts_of(boards));
  EXPECT_EQ(found.rails, 2U);
  EXPECT_EQ(
      places_of(found.hosts[0]),
      (std::vector<RailPlane>{{0, 0, 4}, {0, 1, 4}, {0, 2, 4}, {0, 3, 4}, {1, 0, 2}, {1, 1, 2}}));
}

TEST(Planes, AreRefusedWhereTwoAreSaidToBeOne) {
  std::vector<Host> hosts = hosts_of(table::four_planes(1));
  try {
    find_rails(hosts, parse_rail_map("=roce_r0::0:0"));
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "node0: roce_r0 port 3 and roce_r0 port 6 are both said to be rail 0 plane 0; name "
              "ports, and whole names of devices (=)");
  }
}

Report report_of(const Boards& boards) {
  std::vector<HostMap> maps;
  for (const Board& board : boards) maps.push_back(read_host(recorded(board)));
  return report_on(std::move(maps));
}

TEST(Planes, AreInTableJsonAndTree) {
  Boards boards = table::four_planes(2);
  for (Board& board : boards) board.nics.resize(2);
  const Report report = report_of(boards);
  const std::string table = as_table(report);
  EXPECT_NE(table.find("rail:plane  port"), std::string::npos) << table;
  EXPECT_NE(table.find("1:2         roce_r1:9 "), std::string::npos) << table;
  EXPECT_NE(table.find("roce_r1:1,2,4,5,7,8,10,11: its port is DOWN"), std::string::npos) << table;
  const auto json = as_json(report);
  EXPECT_EQ(json["hosts"][1]["rails"][6]["rail"], 1);
  EXPECT_EQ(json["hosts"][1]["rails"][6]["plane"], 2);
}

TEST(Planes, OfARailAreOneRailToRanks) {
  HostMap map{.host = "node0", .cores = {{0}, {1}}, .allowed = {0, 1}};
  map.nodes = {{.number = 0, .cpus = {0, 1}, .cores = {{0}, {1}}}};
  const Report report = report_of(table::four_planes(1));
  const auto placed = place(map, report.hosts[0].rails, 2, PlacementMode::rail);
  EXPECT_EQ(placed[0].rails, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(placed[1].rails, (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(cpu_list(rails_of(report.hosts[0], placed[0])), "0-3");
  EXPECT_EQ(cpu_list(rails_of(report.hosts[0], placed[1])), "4-7");
}

}  // namespace
}  // namespace railgauge::topology
