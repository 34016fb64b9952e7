// Fabrics whose rails have planes. A plane that is down is no fault that ends a run, but is said.

#include "topology/fabric_cases.hpp"

namespace railgauge::topology::table {
namespace {

FabricCase of_planes(const char* name, Boards boards, int planes, int rails = 8) {
  return {.name = name, .boards = std::move(boards), .rails = rails, .planes = planes};
}

FabricCase warned(const char* name, Boards boards, int planes, std::vector<Parts> warnings) {
  FabricCase one = of_planes(name, std::move(boards), planes);
  one.warnings = std::move(warnings);
  return one;
}

FabricCase said_by(FabricCase one, const char* map) {
  one.wishes.rail_map = parse_rail_map(map);
  return one;
}

FabricCase included(FabricCase one, const char* words) {
  one.wishes.include = PortPattern(words);
  return one;
}

/// Two of the four, far from each other in their addresses.
Boards two_planes(int hosts) {
  return changed(four_planes(hosts), [](Boards& all) {
    for (std::size_t host = 0; host < all.size(); ++host) {
      for (std::size_t rail = 0; rail < 8; ++rail) {
        for (const int number : {9, 12})
          port(all, host, rail, number) = {.number = number, .state = "1: DOWN"};
      }
    }
  });
}

}  // namespace

std::vector<FabricCase> planted_planes() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, const Change& change, int planes,
                       std::vector<Parts> faults) {
    all.push_back(of_planes(name, changed(std::move(boards), change), planes, 0));
    all.back().faults = std::move(faults);
  };
  const auto cross = [](std::size_t host) {
    return
        [=](Boards& b) { std::swap(port(b, host, 3, 3).addresses, port(b, host, 3, 6).addresses); };
  };
  add("two planes of a rail crossed", four_planes(4), cross(2), 4,
      {{"node2: rail 3 planes 0 and 1 are crossed", "roce_r3:3 10.41.3.3/24",
        "swap their two cables"}});
  add("two planes of a rail crossed, of two hosts", four_planes(2), cross(1), 4,
      {{"node1: rail 3 planes 0 and 1 are crossed", "roce_r3:6", "swap their two cables"}});
  add("two planes crossed, subnets by rail", four_planes(3, by_rail), cross(0), 4,
      {{"node0: rail 3 planes 0 and 1 are crossed", "roce_r3:3 10.43.1.1/24"}});
  add("one plane of two rails crossed", four_planes(4),
      [](Boards& b) { std::swap(port(b, 1, 2, 9).addresses, port(b, 1, 5, 9).addresses); }, 4,
      {{"node1: plane 2 of rails 2 and 5 are crossed", "roce_r2:9", "roce_r5:9"}});
  add("two planes crossed, planes by card", two_planes_by_card(4),
      [](Boards& b) { swap_addresses(b[2], 6, 7); }, 2,
      {{"node2: rail 3 planes 0 and 1 are crossed", "mlx5_6", "mlx5_7"}});
  add("a plane in a foreign subnet", four_planes(4),
      [](Boards& b) { port(b, 2, 3, 9).addresses = {"10.99.0.3/24"}; }, 4,
      {{"node2 roce_r3:9 (rail 3 plane 2)", "10.99.0.3/24", "not in 10.42.3.0/24",
        "fix its address or its cable"}});
  add("a plane with another prefix length", four_planes(4),
      [](Boards& b) { port(b, 2, 3, 9).addresses = {"10.42.3.3/16"}; }, 4,
      {{"node2 roce_r3:9 (rail 3 plane 2)", "prefix length 16, expected 24"}});
  add("an address twice, on planes", four_planes(4),
      [](Boards& b) { port(b, 3, 3, 9).addresses = port(b, 1, 3, 9).addresses; }, 4,
      {{"10.42.3.2", "node1 roce_r3:9 (rail 3 plane 2)", "node3 roce_r3:9 (rail 3 plane 2)"}});
  add("all planes of a rail are down", four_planes(4),
      [](Boards& b) {
        for (const int number : {3, 6, 9, 12}) take_down(port(b, 2, 3, number));
      },
      4,
      {{"node2 roce_r3:3, roce_r3:6, roce_r3:9 and roce_r3:12 (rail 3 planes 0 to 3)", "DOWN",
        "cable"}});
  add("all planes of a rail are down, routed", four_planes(4, routed_plane),
      [](Boards& b) {
        for (const int number : {3, 6, 9, 12}) take_down(port(b, 2, 3, number));
      },
      4,
      {{"node2 roce_r3:3, roce_r3:6, roce_r3:9 and roce_r3:12 (rail 3 planes 0 to 3)", "DOWN",
        "cable"}});
  add("a card of four planes is missing", four_planes(4),
      [](Boards& b) { b[2].nics.erase(b[2].nics.begin() + 3); }, 4,
      {{"node2 (rail 3)", "no NIC, the other hosts have roce_r3 at 0000:48:00.0", "lspci"}});
  add("no plane of a rail is up on both hosts", four_planes(2),
      [](Boards& b) {
        take_down(port(b, 0, 3, 3)), take_down(port(b, 0, 3, 6));
        take_down(port(b, 1, 3, 9)), take_down(port(b, 1, 3, 12));
      },
      4, {{"rail 3: missing plane: none of its planes is up on all hosts"}});
  add("a slot of half the lanes under four planes", four_planes(4),
      [](Boards& b) { nic(b, 2, 3).lanes = nic(b, 2, 3).slot_lanes = 8; }, 4,
      {{"node2 roce_r3 (rail 3)", "slot", "x8", "512", "800"}});
  add("four planes on the other socket", four_planes(4), [](Boards& b) { nic(b, 2, 3).node = 1; },
      4, {{"node2 roce_r3 (rail 3)", "NUMA node 1, expected 0", "slot"}});
  return all;
}

std::vector<FabricCase> healthy_planes() {
  const auto down = [](std::size_t host, std::size_t rail, int number) {
    return [=](Boards& b) { take_down(port(b, host, rail, number)); };
  };
  const std::vector<Parts> one_down{
      {"node2 roce_r3:6 (rail 3 plane 1)", "its port is DOWN", "costs 1/4 of its rail", "cable"}};
  std::vector<FabricCase> all{
      of_planes("four planes by ports", four_planes(4), 4),
      of_planes("four planes by ports, one host", four_planes(1), 4),
      of_planes("four planes by ports, two hosts", four_planes(2), 4),
      of_planes("four planes by ports, subnets by rail", four_planes(4, by_rail), 4),
      of_planes("four planes by ports, a subnet for each rail", four_planes(4, of_one_subnet), 4),
      of_planes("four planes by ports, routed", four_planes(4, routed_plane), 4),
      of_planes("four planes by ports, 254 hosts",
                four_planes(254,
                            [](int host, int rail, int plane) {
                              return "10." + text(plane + 40) + "." + text(rail) + "." +
                                     text(host + 1) + "/24";
                            }),
                4),
      of_planes("two planes by ports", two_planes(4), 2),
      of_planes("two planes by ports, one host", two_planes(1), 2),
      warned("a plane of two is down on a single host", changed(two_planes(1), down(0, 5, 6)), 2,
             {{"node0 roce_r5:6 (rail 5 plane 1)", "its port is DOWN", "costs 1/2"}}),
      warned("a plane of two is down, of two hosts", changed(two_planes(2), down(1, 5, 3)), 2,
             {{"node1 roce_r5:3 (rail 5 plane 0)", "its port is DOWN", "costs 1/2"}}),
      of_planes("two planes by card", two_planes_by_card(4), 2),
      of_planes("two planes by card, subnets by rail", two_planes_by_card(4, by_rail), 2),
      of_planes("two planes by card, a subnet for each rail", two_planes_by_card(4, of_one_subnet),
                2),
      of_planes("two planes by card and name, routed", two_planes_by_card(4, routed_plane, true),
                2),
      of_planes("two planes by name", two_planes_by_name(4), 2),
      of_planes("two planes by name, routed, two hosts", two_planes_by_name(2, routed_plane), 2),
      of_planes("OCI's cards of two rails", fabric(4, oci), 1, 16),
      warned("a plane is down", changed(four_planes(4), down(2, 3, 6)), 4, one_down),
      warned("a plane is down, subnets by rail", changed(four_planes(4, by_rail), down(2, 3, 6)), 4,
             one_down),
      warned("a plane is down, routed", changed(four_planes(4, routed_plane), down(2, 3, 6)), 4,
             one_down),
      warned("a plane is down, a subnet for each rail",
             changed(four_planes(4, of_one_subnet), down(2, 3, 6)), 4, one_down),
      warned("a plane is down, of two hosts", changed(four_planes(2), down(0, 0, 3)), 4,
             {{"node0 roce_r0:3 (rail 0 plane 0)", "its port is DOWN", "costs 1/4"}}),
      warned("a plane is down on a single host", changed(four_planes(1), down(0, 5, 9)), 4,
             {{"node0 roce_r5:9 (rail 5 plane 2)", "its port is DOWN", "costs 1/4"}}),
      warned("a plane is down and keeps its address",
             changed(four_planes(4), [](Boards& b) { port(b, 2, 3, 6).state = "1: DOWN"; }), 4,
             one_down),
      warned("planes are down on all of four hosts, each its own",
             changed(four_planes(4),
                     [](Boards& b) {
                       for (std::size_t h = 0; h < 4; ++h) take_down(port(b, h, h, 6));
                     }),
             4,
             {{"node0 roce_r0:6 (rail 0 plane 1)"},
              {"node1 roce_r1:6 (rail 1 plane 1)"},
              {"node2 roce_r2:6 (rail 2 plane 1)"},
              {"node3 roce_r3:6 (rail 3 plane 1)"}}),
      warned("one plane of two rails is down",
             changed(four_planes(4),
                     [](Boards& b) { take_down(port(b, 2, 3, 6)), take_down(port(b, 2, 4, 6)); }),
             4, {{"node2 roce_r3:6 and roce_r4:6 (plane 1 of rails 3 and 4)", "costs 1/4"}}),
      warned("a plane is down, planes by card",
             changed(two_planes_by_card(4), [](Boards& b) { take_down(nic(b, 2, 7)); }), 2,
             {{"node2 mlx5_7 (rail 3 plane 1)", "its port is DOWN", "costs 1/2 of its rail"}}),
      warned("a plane is down, planes by name",
             changed(two_planes_by_name(4), [](Boards& b) { take_down(nic(b, 2, 7)); }), 2,
             {{"node2 mlx5_7 (rail 3 plane 1)", "its port is DOWN", "costs 1/2 of its rail"}}),
      warned(
          "the card of a plane is missing, planes by name",
          changed(two_planes_by_name(4), [](Boards& b) { b[2].nics.erase(b[2].nics.begin() + 7); }),
          2, {{"node2 mlx5_7 (rail 3 plane 1)", "no NIC", "costs 1/2", "lspci"}}),
      said_by(of_planes("planes by map", two_planes_by_card(3, routed_plane), 2, 2),
              "mlx5_0=0:0,mlx5_1=0:1,mlx5_2=1:0,mlx5_3=1:1"),
      said_by(of_planes("planes by a map of devices", four_planes(3), 4, 2), "roce_r4=0,roce_r1=1"),
      said_by(of_planes("planes by a map in NCCL's words", four_planes(3), 2, 2),
              "=roce_r0:3:0:0,roce_r0:9:0:1,roce_r1:3:1:0,roce_r1:9:1:1"),
      included(
          of_planes("planes by NCCL_IB_HCA's words", two_planes_by_card(3, routed_plane), 2, 2),
          "=mlx5_0::0:0,mlx5_1::0:1,mlx5_2::1:0,mlx5_3::1:1"),
      said_by(warned("a plane is down, by a map of devices", changed(four_planes(3), down(2, 0, 6)),
                     4, {{"node2 roce_r0:6 (rail 0 plane 1)", "its port is DOWN", "costs 1/4"}}),
              "roce_r0=0,roce_r1=1"),
  };
  all.back().rails = 2;
  FabricCase everywhere = of_planes("a plane is up on no host",
                                    changed(four_planes(3),
                                            [](Boards& b) {
                                              for (std::size_t h = 0; h < 3; ++h) {
                                                take_down(port(b, h, 3, 6));
                                              }
                                            }),
                                    4);
  everywhere.said = {"rail 3 plane 1: missing plane: up on no host"};
  all.push_back(everywhere);
  return all;
}

}  // namespace railgauge::topology::table
