#include "topology/fabric_cases.hpp"

namespace railgauge::topology::table {
namespace {

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<FabricCase> planted_addresses() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, const Change& change,
                       std::vector<Parts> faults) {
    all.push_back({name, changed(std::move(boards), change), std::move(faults)});
  };
  add("two cables crossed", fabric(4), [](Boards& b) { swap_addresses(b[2], 2, 3); },
      {{"node2", "rails 2 and 3", "crossed", "mlx5_2 10.13.0.3/24", "swap their two cables"}});
  add("three cables crossed", fabric(4),
      [](Boards& b) { swap_addresses(b[1], 0, 1), swap_addresses(b[1], 1, 5); },
      {{"node1", "rails 0, 1 and 5", "crossed", "put their cables in order"}});
  add("two cables crossed, of two hosts", fabric(2), [](Boards& b) { swap_addresses(b[0], 4, 6); },
      {{"node0", "rails 4 and 6", "crossed", "mlx5_4", "swap their two cables"}});
  add("two cables crossed in a group of hosts behind one leaf", in_leaf_groups(8, 4),
      [](Boards& b) { swap_addresses(b[6], 0, 7); },
      {{"node6", "rails 0 and 7", "crossed", "mlx5_7", "swap their two cables"}});
  add("two cables crossed on one of 1,024", thousand(),
      [](Boards& b) { swap_addresses(b[517], 2, 3); },
      {{"node517", "rails 2 and 3", "crossed", "mlx5_2", "swap their two cables"}});
  add("a NIC in a foreign subnet", fabric(3),
      [](Boards& b) { nic(b, 2, 1).addresses = {"10.99.0.3/24"}; },
      {{"node2 mlx5_1 (rail 1)", "10.99.0.3/24", "not in 10.11.0.0/24",
        "fix its address or its cable"}});
  add("the first host is the one", fabric(3),
      [](Boards& b) { nic(b, 0, 0).addresses = {"10.99.0.1/24"}; },
      {{"node0 mlx5_0 (rail 0)", "10.99.0.1/24", "not in 10.10.0.0/24", "fix its address"}});
  add("two faulty hosts of three", fabric(3),
      [](Boards& b) {
        nic(b, 0, 6).addresses = {"10.99.0.1/24"};
        nic(b, 1, 2).addresses = {"10.98.0.2/24"};
      },
      {{"node0 mlx5_6 (rail 6)", "10.99.0.1/24", "10.16.0.0/24", "fix its address"},
       {"node1 mlx5_2 (rail 2)", "10.98.0.2/24", "10.12.0.0/24", "fix its address"}});
  add("two faulty hosts of three, on one rail", fabric(3),
      [](Boards& b) {
        nic(b, 0, 2).addresses = {"10.99.0.1/24"};
        nic(b, 1, 2).addresses = {"10.98.0.2/24"};
      },
      {{"node0 mlx5_2 (rail 2)", "10.99.0.1/24", "10.12.0.0/24", "fix its address"},
       {"node1 mlx5_2 (rail 2)", "10.98.0.2/24", "10.12.0.0/24", "fix its address"}});
  add("foreign subnets on all hosts of a rail", fabric(3),
      [](Boards& b) {
        nic(b, 0, 2).addresses = {"10.97.0.1/24"};
        nic(b, 1, 2).addresses = {"10.98.0.2/24"};
        nic(b, 2, 2).addresses = {"10.99.0.3/24"};
      },
      {{"rail 2", "share no subnet", "fix the addresses"}});
  add("the same foreign subnet on two of four hosts", fabric(4),
      [](Boards& b) {
        nic(b, 0, 2).addresses = {"10.99.0.1/24"};
        nic(b, 1, 2).addresses = {"10.99.0.2/24"};
      },
      {{"node0 mlx5_2 (rail 2)", "10.99.0.1/24", "10.12.0.0/24", "fix its address"},
       {"node1 mlx5_2 (rail 2)", "10.99.0.2/24", "10.12.0.0/24", "fix its address"}});
  add("a foreign subnet, of two hosts", fabric(2),
      [](Boards& b) { nic(b, 1, 3).addresses = {"10.99.0.2/24"}; },
      {{"node1 mlx5_3 (rail 3)", "10.99.0.2/24", "10.13.0.0/24", "fix its address"}});
  add("a foreign subnet behind one leaf of two", in_leaf_groups(8, 4),
      [](Boards& b) { nic(b, 5, 4).addresses = {"10.14.9.6/24"}; },
      {{"node5 mlx5_4 (rail 4)", "10.14.9.6/24", "10.14.1.0/24", "fix its address"}});
  add("a foreign address in one flat subnet", flat(4),
      [](Boards& b) { nic(b, 3, 5).addresses = {"10.7.5.4/16"}; },
      {{"node3 mlx5_5 (rail 5)", "10.7.5.4/16", "10.0.0.0/16", "fix its address"}});
  add("an address of another rail's subnet", fabric(4),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.11.0.77/24"}; },
      {{"node1 mlx5_2 (rail 2)", "10.11.0.77/24", "10.12.0.0/24", "fix its address"}});
  add("a foreign subnet on a host of bonds", fabric(4, bonded),
      [](Boards& b) { nic(b, 1, 7).addresses = {"10.99.0.2/24"}; },
      {{"node1 mlx5_bond_7 (rail 7)", "10.99.0.2/24", "10.17.0.0/24", "fix its address"}});
  add("a foreign subnet on a VM of random PCI domains", virtual_machines(4),
      [](Boards& b) { nic(b, 1, 5).addresses = {"10.99.0.2/24"}; },
      {{"node1 mlx5_5 (rail 5)", "10.99.0.2/24", "10.15.0.0/24", "fix its address"}});
  add("a prefix of 16 bits", fabric(4),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.12.0.2/16"}; },
      {{"node1 mlx5_2 (rail 2)", "prefix length 16, expected 24"}});
  add("a prefix of 25 bits", fabric(4),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.12.0.2/25"}; },
      {{"node1 mlx5_2 (rail 2)", "prefix length 25, expected 24"}});
  add("a prefix of 32 bits", fabric(4),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.12.0.2/32"}; },
      {{"node1 mlx5_2 (rail 2)", "prefix length 32, expected 24"}});
  add("a prefix of 16 bits, of two hosts", fabric(2),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.12.0.2/16"}; },
      {{"node1 mlx5_2 (rail 2)", "prefix length 16, expected 24"}});
  add("a prefix of 8 bits on all NICs of a host", fabric(5),
      [](Boards& b) {
        for (int rail = 0; rail < 8; ++rail) {
          nic(b, 3, std::size_t(rail)).addresses = {rail_address(rail, 3, 0, 8)};
        }
      },
      {{"node3 mlx5_0, mlx5_1", "mlx5_7 (rails 0 to 7)", "prefix length 8, expected 24"}});
  add("an address twice", fabric(4), [](Boards& b) { nic(b, 3, 2).addresses = {"10.12.0.2/24"}; },
      {{"10.12.0.2", "node1 mlx5_2 (rail 2)", "node3 mlx5_2 (rail 2)", "address of its own"}});
  add("an address twice in a routed fabric", routed(4),
      [](Boards& b) { nic(b, 3, 2).addresses = nic(b, 1, 2).addresses; },
      {{"10.200.1.4", "node1 mlx5_2 (rail 2)", "node3 mlx5_2 (rail 2)", "address of its own"}});
  add("a secondary address is listed first", fabric(4),
      [](Boards& b) {
        nic(b, 1, 2).addresses = {"10.99.0.2/24", "10.12.0.2/24"};
      },
      {{"node1 mlx5_2 (rail 2)", "10.99.0.2/24", "10.12.0.2/24", "first"}});
  add("a whole host in IPv6", fabric(4),
      [](Boards& b) {
        for (int rail = 0; rail < 8; ++rail) {
          nic(b, 3, std::size_t(rail)).addresses = {"fd00:" + text(rail) + "::4/64"};
        }
      },
      {{"node3", "rails 0 to 7", "mlx5_0", "IPv6", "IPv4", "give"}});
  add("one NIC in IPv6", fabric(4), [](Boards& b) { nic(b, 3, 4).addresses = {"fd00:4::4/64"}; },
      {{"node3", "rail 4", "mlx5_4", "IPv6", "IPv4", "give"}});
  add("two hosts that differ on one of two rails",
      fabric(2,
             [](int host) {
               Board board = eight_rails(host);
               board.nics.resize(2);
               return board;
             }),
      [](Boards& b) { nic(b, 1, 1).addresses = {"10.99.0.2/24"}; },
      {{"rail 1", "node0 mlx5_1 10.11.0.1/24", "node1 mlx5_1 10.99.0.2/24", "fix"}});
  for (FabricCase& one : all) one.rails = 0;
  return all;
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<FabricCase> planted_ports() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, const Change& change,
                       std::vector<Parts> faults) {
    all.push_back({name, changed(std::move(boards), change), std::move(faults), 0});
  };
  const auto down = [](std::size_t host, std::size_t rail) {
    return [=](Boards& b) { take_down(nic(b, host, rail)); };
  };
  add("a port is down", fabric(4), down(2, 3), {{"node2 mlx5_3 (rail 3)", "DOWN", "cable"}});
  add("a port is down on the first host", fabric(4), down(0, 0),
      {{"node0 mlx5_0 (rail 0)", "DOWN", "cable"}});
  add("a port is down, of two hosts", fabric(2), down(1, 7),
      {{"node1 mlx5_7 (rail 7)", "DOWN", "cable"}});
  add("a port is down on one of 1,024", thousand(), down(1023, 5),
      {{"node1023 mlx5_5 (rail 5)", "DOWN", "cable"}});
  add("a port is down and keeps its address", fabric(4),
      [](Boards& b) { nic(b, 2, 3).state = "1: DOWN"; },
      {{"node2 mlx5_3 (rail 3)", "DOWN", "cable"}});
  add("a port is down in a routed fabric", routed(4), down(2, 3),
      {{"node2 mlx5_3 (rail 3)", "DOWN", "cable"}});
  add("a port is down in one flat subnet", flat(4), down(2, 3),
      {{"node2 mlx5_3 (rail 3)", "DOWN", "cable"}});
  add("a port is down where all have spare ones", spare_unplugged(4), down(2, 3),
      {{"node2 mlx5_3 (rail 3)", "DOWN", "cable"}});
  add("a port is down beside storage of the same model", with_storage(4, 400, "192.168."),
      down(2, 7), {{"node2 mlx5_7 (rail 7)", "DOWN", "cable"}});
  add("a port is down on a VM of random PCI domains", virtual_machines(4), down(2, 3),
      {{"node2 mlx5_3 (rail 3)", "DOWN", "cable"}});
  add("a port is down beside management of the same model", fabric(4, broadcom), down(1, 2),
      {{"node1 bnxt_re2 (rail 2)", "DOWN", "cable"}});
  add("a port is down at GCP", fabric(4, gcp), down(1, 2),
      {{"node1 mlx5_2 (rail 2)", "DOWN", "cable"}});
  add("two hosts with a port down each", fabric(5),
      [](Boards& b) { take_down(nic(b, 1, 2)), take_down(nic(b, 4, 6)); },
      {{"node1 mlx5_2 (rail 2)", "DOWN"}, {"node4 mlx5_6 (rail 6)", "DOWN"}});
  add("all ports of a host are down", fabric(4),
      [](Boards& b) {
        for (BoardNic& one : b[2].nics) take_down(one);
      },
      {{"node2", "mlx5_0", "mlx5_7", "rails 0 to 7", "DOWN", "cable"}});
  add("one down and one crossed, of 1,024", thousand(),
      [](Boards& b) {
        swap_addresses(b[3], 0, 1);
        take_down(nic(b, 517, 6));
      },
      {{"node3", "rails 0 and 1", "crossed"}, {"node517 mlx5_6 (rail 6)", "DOWN"}});
  add("a NIC is missing", fabric(4), [](Boards& b) { b[2].nics.erase(b[2].nics.begin() + 3); },
      {{"node2 (rail 3)", "no NIC", "mlx5_3 at 0000:48:00.0", "lspci"}});
  add("a NIC is missing, and names move up", fabric(4),
      [](Boards& b) {
        b[2].nics.erase(b[2].nics.begin() + 3);
        for (std::size_t i = 0; i < 7; ++i) nic(b, 2, i).device = "mlx5_" + text(int(i));
      },
      {{"node2 (rail 3)", "no NIC", "0000:48:00.0", "lspci"}});
  add("a NIC is missing in a routed fabric", routed(4),
      [](Boards& b) { b[2].nics.erase(b[2].nics.begin() + 3); },
      {{"node2 (rail 3)", "no NIC", "mlx5_3 at 0000:48:00.0", "lspci"}});
  add("a NIC more", fabric(4),
      [](Boards& b) { b[2].nics.push_back(storage_nic(0, "10.18.0.3/24")); },
      {{"node2 mlx5_8", "10.18.0.3/24", "the other hosts have 8 NICs", "--exclude"}});
  add("a NIC more, in a routed fabric", routed(4),
      [](Boards& b) { b[2].nics.push_back(storage_nic(0, "10.200.2.90/31")); },
      {{"node2 mlx5_8", "10.200.2.90/31", "the other hosts have 8 NICs", "--exclude"}});
  add("RoCE v1 alone", fabric(4), [](Boards& b) { nic(b, 2, 3).version1 = true; },
      {{"node2 mlx5_3 (rail 3)", "RoCE v1", "RoCE v2"}});
  add("no address", fabric(4), [](Boards& b) { nic(b, 2, 3).addresses.clear(); },
      {{"node2 mlx5_3 (rail 3)", "no IP address", "enp_mlx5_3"}});
  add("the address of another network namespace", fabric(4),
      [](Boards& b) {
        nic(b, 2, 3).addresses.clear();
        nic(b, 2, 3).foreign = {"10.13.0.3"};
      },
      {{"node2 mlx5_3 (rail 3)", "10.13.0.3", "network namespace"}});
  add("a port in InfiniBand's mode", fabric(4),
      [](Boards& b) { nic(b, 2, 3).link_layer = "InfiniBand"; },
      {{"node2 mlx5_3 (rail 3)", "InfiniBand", "Ethernet"}});
  add("a bond on one host", fabric(4),
      [](Boards& b) {
        BoardNic& bond = nic(b, 2, 3);
        bond.device = "mlx5_bond_0";
        bond.netdev = "bond0";
        bond.members = {"enp_a", "enp_b"};
      },
      {{"node2 mlx5_bond_0 (rail 3)", "bond0", "enp_a and enp_b"}});
  add("a bond in place of two NICs", fabric(4),
      [](Boards& b) {
        b[2].nics.erase(b[2].nics.begin() + 3);
        BoardNic& bond = nic(b, 2, 2);
        bond.device = "mlx5_bond_0";
        bond.netdev = "bond0";
        bond.members = {"enp_mlx5_2", "enp_mlx5_3"};
      },
      {{"node2 mlx5_bond_0 (rail 2)", "bond0", "enp_mlx5_2 and enp_mlx5_3"}});
  return all;
}

std::vector<FabricCase> planted_hosts() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, const Change& change,
                       std::vector<Parts> faults) {
    all.push_back({name, changed(std::move(boards), change), std::move(faults), 0});
  };
  const auto slow = [](std::size_t host, std::size_t rail) {
    return [=](Boards& b) { nic(b, host, rail).gigabits = 200; };
  };
  add("a slow rail", fabric(4), slow(2, 3),
      {{"node2 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"}});
  add("a slow rail, of two hosts", fabric(2), slow(1, 0),
      {{"node1 mlx5_0 (rail 0): slow link", "200 Gb/s", "400", "cable"}});
  add("a slow rail of 1,024 hosts", thousand(), slow(777, 1),
      {{"node777 mlx5_1 (rail 1): slow link", "200 Gb/s", "400", "cable"}});
  add("a slow rail in a routed fabric", routed(4), slow(2, 3),
      {{"node2 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"}});
  add("a rail as slow as storage of the same model", with_storage(4, 200, "192.168."), slow(2, 3),
      {{"node2 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"}});
  const auto slow_on_two = [&](Boards& b) { slow(0, 3)(b), slow(1, 3)(b); };
  add("a rail that is slow on two of three hosts", fabric(3), slow_on_two,
      {{"node0 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"},
       {"node1 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"}});
  add("a rail that is slow on two of three hosts of a routed fabric", routed(3), slow_on_two,
      {{"node0 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"},
       {"node1 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"}});
  add("a rail that is slow on two of three hosts, as storage of the same model",
      with_storage(3, 200, "192.168."), slow_on_two,
      {{"node0 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"},
       {"node1 mlx5_3 (rail 3): slow link", "200 Gb/s", "400", "cable"}});
  add("a rail as slow as management of the same model", fabric(4, broadcom),
      [](Boards& b) { nic(b, 2, 3).gigabits = 25; },
      {{"node2 bnxt_re3 (rail 3): slow link", "25 Gb/s", "400", "cable"}});
  add("a slow host", fabric(4),
      [](Boards& b) {
        for (BoardNic& one : b[2].nics) one.gigabits = 200;
      },
      {{"node2", "mlx5_0", "mlx5_7", "rails 0 to 7", "slow", "200 Gb/s", "400"}});
  add("a slow rail at OCI", fabric(4, oci), [](Boards& b) { nic(b, 3, 9).gigabits = 100; },
      {{"gpu-3 mlx5_9 (rail 9): slow link", "100 Gb/s", "200"}});
  add("two hosts of one name", fabric(4), [](Boards& b) { b[3].name = "node1"; },
      {{"2 hosts", "node1", "name"}});
  add("the GUID of a device twice", fabric(4),
      [](Boards& b) { nic(b, 3, 2).guid = nic(b, 1, 2).guid = "0c42:a103:0066:1234"; },
      {{"0c42:a103:0066:1234", "node1 mlx5_2 (rail 2)", "node3 mlx5_2 (rail 2)"}});
  add("a NIC on the other socket", fabric(4), [](Boards& b) { nic(b, 2, 3).node = 1; },
      {{"node2 mlx5_3 (rail 3)", "NUMA node 1, expected 0", "slot"}});
  add("half the lanes", fabric(4), [](Boards& b) { nic(b, 2, 3).lanes = 8; },
      {{"node2 mlx5_3 (rail 3)", "x8", "x16", "252", "400", "reseat"}});
  add("half the lanes, on one host alone", fabric(1), [](Boards& b) { nic(b, 0, 3).lanes = 8; },
      {{"node0 mlx5_3 (rail 3)", "x8", "x16", "252", "400", "reseat"}});
  add("half the speed of a lane", fabric(4),
      [](Boards& b) { nic(b, 2, 3).speed = "16.0 GT/s PCIe"; },
      {{"node2 mlx5_3 (rail 3)", "16 GT/s", "32 GT/s", "252", "400", "reseat"}});
  add("a slot of half the lanes", fabric(4),
      [](Boards& b) { nic(b, 2, 3).lanes = nic(b, 2, 3).slot_lanes = 8; },
      {{"node2 mlx5_3 (rail 3)", "slot", "x8", "252", "400"}});
  add("a switch's uplink of a quarter of the lanes", fabric(4),
      [](Boards& b) { nic(b, 2, 3).uplink_lanes = 4; },
      {{"node2 mlx5_3 (rail 3)", "0000:46:00.0", "x4", "x16", "126", "400"}});
  return all;
}

/// What most hosts have lost is a rail as long as one host has it.
std::vector<FabricCase> planted_on_most() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, const std::vector<std::size_t>& hosts,
                       const std::function<void(BoardNic&)>& lose, const Parts& told,
                       std::size_t rail = 2) {
    std::vector<Parts> faults;
    for (const std::size_t host : hosts) {
      const std::string at = nic(boards, host, rail).device;
      lose(nic(boards, host, rail));
      faults.push_back({boards[host].name + " " + at + " (rail " + text(int(rail)) + ")"});
      faults.back().insert(faults.back().end(), told.begin(), told.end());
    }
    all.push_back({name, std::move(boards), std::move(faults), 0});
  };
  const auto down = [](BoardNic& one) { take_down(one); };
  const auto no_address = [](BoardNic& one) { one.addresses.clear(); };
  add("a port is down on three of four hosts", fabric(4), {0, 1, 3}, down, {"DOWN", "cable"});
  add("a port is down on two of three hosts", fabric(3), {1, 2}, down, {"DOWN"}, 0);
  add("a port is down on five of eight hosts", fabric(8), {0, 2, 3, 5, 7}, down, {"DOWN"}, 7);
  add("a port is down on three of four hosts, routed", routed(4), {1, 2, 3}, down, {"DOWN"});
  add("a port is down on three of four hosts, one flat subnet", flat(4), {0, 1, 2}, down, {"DOWN"});
  add("a port is down on three of four VMs", virtual_machines(4), {0, 1, 2}, down, {"DOWN"});
  add("a port is down on three of four hosts beside storage", with_storage(4, 400, "192.168."),
      {0, 1, 2}, down, {"DOWN"});
  add("no address on three of four hosts", fabric(4), {0, 1, 2}, no_address, {"no IP address"});
  add("an address without its GID on three of four hosts", fabric(4), {1, 2, 3},
      [](BoardNic& one) { one.addresses.swap(one.without_gid); }, {"no GID has the address"});
  Boards two = fabric(4);
  for (std::size_t host = 0; host < 3; ++host) take_down(nic(two, host, 5));
  add("two ports are down on three of four hosts", std::move(two), {0, 1, 2}, down, {"DOWN"});
  for (std::size_t host = 0; host < 3; ++host)
    all.back().faults[host] = {"node" + text(int(host)), "mlx5_2", "mlx5_5", "DOWN"};
  Boards hosts = fabric(3);
  std::vector<Parts> faults;
  for (std::size_t host = 1; host < 3; ++host) {
    for (BoardNic& one : hosts[host].nics) take_down(one);
    faults.push_back({"node" + text(int(host)), "mlx5_0", "mlx5_7", "rails 0 to 7", "DOWN"});
  }
  all.push_back(
      {"all ports of two of three hosts are down", std::move(hosts), std::move(faults), 0});
  Boards mixed = fabric(4);
  for (std::size_t host = 0; host < 4; ++host) take_down(nic(mixed, host, host));
  all.push_back({"every host has another port down",
                 std::move(mixed),
                 {{"node0 mlx5_0 (rail 0)", "DOWN"},
                  {"node1 mlx5_1 (rail 1)", "DOWN"},
                  {"node2 mlx5_2 (rail 2)", "DOWN"},
                  {"node3 mlx5_3 (rail 3)", "DOWN"}},
                 0});
  Boards typo = fabric(4);
  for (const std::size_t host : {0, 1, 3})
    nic(typo, host, 2).addresses = {"10.212.0." + text(int(host) + 1) + "/24"};
  all.push_back({"one typing error in a rail's addresses on three of four hosts",
                 std::move(typo),
                 {{"mlx5_2 (rail 2)", "10.12.0.3/24", "10.212.0.0/24"}},
                 0});
  return all;
}

/// Rails that are numbered by PCI order: an address of another kind.
std::vector<FabricCase> planted_forms() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, std::size_t host, const char* address,
                       Parts fault) {
    nic(boards, host, 2).addresses = {address};
    all.push_back({name, std::move(boards), {std::move(fault)}, 0});
  };
  add("a /24 among /31", routed(4), 1, "10.200.1.4/24",
      {"node1 mlx5_2 (rail 2)", "prefix length 24, expected 31"});
  add("a /30 among /31, of two hosts", routed(2), 1, "10.200.1.5/30",
      {"node1 mlx5_2 (rail 2)", "prefix length 30, expected 31"});
  add("a /24 among /32", fabric(4, gcp), 0, "10.128.2.2/24",
      {"node0 mlx5_2 (rail 2)", "prefix length 24, expected 32"});
  add("a routable address among link-local ones", link_local(4), 1, "10.9.9.1/24",
      {"node1 mlx5_2 (rail 2)", "10.9.9.1/24 is routable", "link-local"});
  add("a routable address among link-local ones, of two hosts", link_local(2), 0, "10.9.9.1/16",
      {"node0 mlx5_2 (rail 2)", "10.9.9.1/16 is routable", "link-local"});
  add("a link-local address in a routed fabric", routed(3), 2, "169.254.7.9/16",
      {"node2 mlx5_2 (rail 2)", "169.254.7.9/16 is link-local", "routable"});
  return all;
}

std::vector<FabricCase> planted_boards() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, std::size_t host, Parts fault) {
    swap_addresses(boards[host], 0, 1);
    all.push_back({name, std::move(boards), {std::move(fault)}, 0});
  };
  const Parts crossed{"rails 0 and 1", "crossed", "swap their two cables"};
  const auto of = [&](const char* host) {
    Parts parts = crossed;
    parts.emplace_back(host);
    return parts;
  };
  add("crossed on a minority board, 4 and 3", two_boards(7, 4), 5, of("node5"));
  add("crossed on a majority board, 4 and 3", two_boards(7, 4), 1, of("node1"));
  add("crossed on one board of two, 3 and 3", two_boards(6, 3), 5, of("node5"));
  add("crossed on a minority board, 20 and 3", two_boards(23, 20), 21, of("node21"));
  add("crossed on a minority board, its last host", two_boards(9, 5), 8, of("node8"));
  return all;
}

/// Addresses that two have, or nobody may have; bonds that lack a member; no rail anywhere.
std::vector<FabricCase> planted_properties() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, const Change& change,
                       std::vector<Parts> faults) {
    all.push_back({name, changed(std::move(boards), change), std::move(faults), 0});
  };
  const auto addresses = [](std::size_t host, std::vector<std::string> its) {
    return [=](Boards& b) { nic(b, host, 2).addresses = its; };
  };
  add("a second address is another host's first", fabric(4),
      addresses(1, {"10.12.0.2/24", "10.12.0.4/24"}),
      {{"node3 mlx5_2 (rail 2)", "node1 mlx5_2 (rail 2)", "10.12.0.4", "address of its own"}});
  add("a second address is another host's first, routed", routed(3),
      addresses(0, {"10.200.0.4/31", "10.200.2.4/31"}),
      {{"node2 mlx5_2 (rail 2)", "node0 mlx5_2 (rail 2)", "10.200.2.4", "address of its own"}});
  add("the network address", fabric(4), addresses(1, {"10.12.0.0/24"}),
      {{"node1 mlx5_2 (rail 2)", "10.12.0.0/24 is the network address"}});
  add("the broadcast address", fabric(4), addresses(1, {"10.12.0.255/24"}),
      {{"node1 mlx5_2 (rail 2)", "10.12.0.255/24 is the broadcast address"}});
  add("the broadcast address of a flat subnet", flat(4), addresses(3, {"10.0.255.255/16"}),
      {{"node3 mlx5_2 (rail 2)", "10.0.255.255/16 is the broadcast address"}});
  const auto lose_member = [](std::size_t host) {
    return [=](Boards& b) { nic(b, host, 3).members.pop_back(); };
  };
  for (const int hosts : {1, 2, 4}) {
    add("a bond with one of two members", fabric(hosts, bonded),
        lose_member(std::size_t(hosts) - 1),
        {{"node" + text(hosts - 1) + " mlx5_bond_3 (rail 3)", "a bond lacks a member",
          "bond3 of ens3f0 1, expected 2"}});
  }
  add("an address without its GID", fabric(3),
      [](Boards& b) { nic(b, 1, 3).addresses.swap(nic(b, 1, 3).without_gid); },
      {{"node1 mlx5_3 (rail 3)", "no GID has the address 10.13.0.2 of enp_mlx5_3"}});
  add("no address on any port", fabric(2),
      [](Boards& b) {
        for (Board& board : b) {
          board.nics.resize(1);
          board.nics[0].addresses.clear();
        }
      },
      {{"node0 mlx5_0", "no IP address"}, {"node1 mlx5_0", "no IP address"}});
  add("all ports of a single host are down", fabric(1),
      [](Boards& b) {
        for (BoardNic& one : b[0].nics) take_down(one);
      },
      {{"node0 mlx5_0", "mlx5_7", "DOWN"}});
  return all;
}

/// Faults in other surroundings, and two at once.
std::vector<FabricCase> planted_variations() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, const Change& change,
                       std::vector<Parts> faults) {
    all.push_back({name, changed(std::move(boards), change), std::move(faults), 0});
  };
  add("crossed, and a port down on the same host", fabric(4),
      [](Boards& b) { swap_addresses(b[2], 1, 2), take_down(nic(b, 2, 6)); },
      {{"node2", "rails 1 and 2", "crossed"}, {"node2 mlx5_6 (rail 6)", "DOWN"}});
  add("two of three hosts crossed, each in its own way", fabric(3),
      [](Boards& b) { swap_addresses(b[1], 0, 1), swap_addresses(b[2], 4, 5); },
      {{"node1", "rails 0 and 1", "crossed", "mlx5_0"},
       {"node2", "rails 4 and 5", "crossed", "mlx5_4"}});
  add("all addresses of a host moved by one", fabric(4),
      [](Boards& b) {
        for (std::size_t rail = 0; rail < 7; ++rail) swap_addresses(b[1], rail, rail + 1);
      },
      {{"node1", "crossed", "put their cables in order"}});
  add("a prefix of 16 bits behind one leaf of two", in_leaf_groups(8, 4),
      [](Boards& b) { nic(b, 6, 2).addresses = {"10.12.1.7/16"}; },
      {{"node6 mlx5_2 (rail 2)", "prefix length 16, expected 24"}});
  add("a NIC more on a VM", virtual_machines(4),
      [](Boards& b) {
        BoardNic extra = storage_nic(0, "10.18.0.3/24");
        extra.bridges.clear();
        b[2].nics.push_back(extra);
      },
      {{"node2 mlx5_8", "10.18.0.3/24", "the other hosts have 8 NICs", "--exclude"}});
  add("a NIC is missing on the first of 1,024", thousand(),
      [](Boards& b) { b[0].nics.erase(b[0].nics.begin()); },
      {{"node0 (rail 0)", "no NIC", "mlx5_0 at 0000:18:00.0"}});
  add("a port is down in a routed fabric of two hosts", routed(2),
      [](Boards& b) { take_down(nic(b, 1, 3)); }, {{"node1 mlx5_3 (rail 3)", "DOWN"}});
  add("one host in IPv4, the others in IPv6",
      addressed(
          fabric(4),
          [](int host, int rail) { return "fd00:" + text(rail) + "::" + text(host + 1) + "/64"; }),
      [](Boards& b) {
        for (int rail = 0; rail < 8; ++rail) {
          nic(b, 1, std::size_t(rail)).addresses = {rail_address(rail, 1)};
        }
      },
      {{"node1", "rails 0 to 7", "IPv4", "IPv6"}});
  add("two of five hosts with the same wrong subnet", fabric(5),
      [](Boards& b) {
        nic(b, 1, 3).addresses = {"10.99.0.2/24"};
        nic(b, 4, 3).addresses = {"10.99.0.5/24"};
      },
      {{"node1 mlx5_3 (rail 3)", "10.99.0.2/24", "10.13.0.0/24"},
       {"node4 mlx5_3 (rail 3)", "10.99.0.5/24", "10.13.0.0/24"}});
  add("the cables of a rail and of storage are swapped", with_storage(4, 400, "192.168."),
      [](Boards& b) { swap_addresses(b[2], 7, 8); },
      {{"node2", "mlx5_8 (rail 7)", "10.17.0.3/24", "mlx5_7"}});
  add("a NIC in another slot, on the other socket", fabric(4),
      [](Boards& b) {
        nic(b, 2, 3).pci = "0000:a8:00.0";
        nic(b, 2, 3).node = 1;
      },
      {{"node2 mlx5_3 (rail 3)", "NUMA node 1, expected 0", "slot"}});
  add("a port is down where storage is on some hosts", with_storage(4, 400, "192.168."),
      [](Boards& b) {
        b[0].nics.resize(8);
        b[1].nics.resize(8);
        take_down(nic(b, 1, 4));
      },
      {{"node1 mlx5_4 (rail 4)", "DOWN"}});
  return all;
}

}  // namespace

std::vector<FabricCase> planted_fabrics() {
  std::vector<FabricCase> all;
  for (auto& part : {planted_addresses(), planted_ports(), planted_hosts(), planted_variations(),
                     planted_planes(), planted_forms(), planted_boards(), planted_properties(),
                     planted_on_most()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace railgauge::topology::table
