#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <set>

#include "topology/bundle.hpp"
#include "topology/recorded_board.hpp"
#include "topology/report.hpp"

// Fabrics, faulty and healthy, with the answer that an engineer who knows the fault would give. The
// answers were written before the code was run. Of a planted fault: the sentences, by their parts,
// that `railgauge topo` and the start of a run must say, and no other. Of a healthy fabric: nothing
// is wrong, so many rails on every host, and what has to be said of it without accusing anyone.

namespace railgauge::topology {
namespace {

using Parts = std::vector<std::string>;  // of one sentence

struct FabricCase {
  std::string name;
  Boards boards;
  std::vector<Parts> faults{};  // none: a healthy fabric
  int rails = 8;                // of every host; of a faulty fabric: of the first host
  Parts said{};                 // somewhere in the table
  NicWishes wishes{};
};

// The boards.

std::string text(int number) {
  return std::to_string(number);
}

std::string hexadecimal(int number) {
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned>(number));
  return digits.data();
}

/// 10.RAIL+10.LEAF.HOST+1/LENGTH
std::string rail_address(int rail, int host, int leaf = 0, int length = 24) {
  return "10." + text(rail + 10) + "." + text(leaf) + "." + text(host + 1) + "/" + text(length);
}

/// Alone behind a switch of its own: root port, the switch's two ports, NIC.
BoardNic behind_a_switch(const std::string& device, int bus) {
  BoardNic nic{.device = device, .pci = "0000:" + hexadecimal(bus + 3) + ":00.0"};
  nic.bridges = {"0000:" + hexadecimal(bus) + ":01.0", "0000:" + hexadecimal(bus + 1) + ":00.0",
                 "0000:" + hexadecimal(bus + 2) + ":00.0"};
  return nic;
}

/// Eight NICs of 400 Gb/s on two sockets, a subnet for each rail.
Board eight_rails(int host) {
  Board board{"node" + text(host), {}, "eth0"};
  for (int rail = 0; rail < 8; ++rail) {
    BoardNic nic = behind_a_switch("mlx5_" + text(rail), 0x15 + 0x10 * rail);
    // Hosts beyond the first 250 share the rails' subnets, which are then /16.
    nic.addresses = {host < 250 ? rail_address(rail, host)
                                : rail_address(rail, host % 250, host / 250)};
    nic.node = rail / 4;
    board.nics.push_back(nic);
  }
  return board;
}

Boards fabric(int hosts, const std::function<Board(int)>& board = eight_rails) {
  Boards boards;
  for (int host = 0; host < hosts; ++host) boards.push_back(board(host));
  return boards;
}

using Change = std::function<void(Boards&)>;

Boards changed(Boards boards, const Change& change) {
  change(boards);
  return boards;
}

/// The same change for every NIC: of host, rail, NIC.
Boards each(Boards boards, const std::function<void(int, int, BoardNic&)>& change) {
  for (std::size_t host = 0; host < boards.size(); ++host) {
    for (std::size_t rail = 0; rail < boards[host].nics.size(); ++rail) {
      change(static_cast<int>(host), static_cast<int>(rail), boards[host].nics[rail]);
    }
  }
  return boards;
}

/// The address of every NIC, by host and rail.
Boards addressed(Boards boards, const std::function<std::string(int, int)>& address) {
  return each(std::move(boards),
              [&](int host, int rail, BoardNic& nic) { nic.addresses = {address(host, rail)}; });
}

/// 1,024 hosts with subnets of 16 bits.
Boards thousand() {
  return addressed(fabric(1024), [](int host, int rail) {
    return rail_address(rail, host % 250, host / 250, 16);
  });
}

std::string point_to_point(int host, int rail) {
  return "10.200." + text(host) + "." + text(rail * 2) + "/31";
}

Boards routed(int hosts) {
  return addressed(fabric(hosts), point_to_point);
}

Boards in_leaf_groups(int hosts, int of_a_group) {
  return addressed(fabric(hosts),
                   [=](int host, int rail) { return rail_address(rail, host, host / of_a_group); });
}

Boards flat(int hosts) {
  return addressed(fabric(hosts), [](int host, int rail) {
    return "10.0." + text(rail) + "." + text(host + 1) + "/16";
  });
}

/// Random PCI domains, as Hyper-V gives them; names and subnets are right.
Boards virtual_machines(int hosts) {
  return each(fabric(hosts), [](int host, int rail, BoardNic& nic) {
    nic.pci = hexadecimal((host * 37 + rail * 91 + rail * host * 13) % 251) +
              hexadecimal(rail * 16 + host) + ":00:02.0";
    nic.bridges.clear();
    nic.node = -1;
  });
}

BoardNic storage_nic(int number, const std::string& address) {
  BoardNic nic = behind_a_switch("mlx5_" + text(8 + number), 0xa5 + 0x10 * number);
  nic.node = number % 2;
  nic.addresses = {address};
  return nic;
}

/// Two more of the same model on every host.
Boards with_storage(int hosts, double gigabits, const std::string& network,
                    const std::string& netdev = "") {
  return changed(fabric(hosts), [&](Boards& all) {
    for (std::size_t host = 0; host < all.size(); ++host) {
      for (int i = 0; i < 2; ++i) {
        BoardNic nic = storage_nic(i, network + text(i + 1) + "." + text(int(host) + 1) + "/24");
        nic.gigabits = gigabits;
        if (!netdev.empty()) nic.netdev = netdev + text(i);
        all[host].nics.push_back(nic);
      }
    }
  });
}

Boards spare_unplugged(int hosts) {
  return changed(fabric(hosts), [](Boards& all) {
    for (Board& board : all) {
      BoardNic spare = storage_nic(0, "");
      spare.addresses.clear();
      spare.state = "1: DOWN";
      board.nics.push_back(spare);
    }
  });
}

/// ConnectX-7 of two functions, without a netdev worth its name: DGX Spark.
Board spark(int host) {
  Board board{"spark" + text(host), {}, "enP7s7"};
  for (int rail = 0; rail < 2; ++rail) {
    BoardNic nic{.device = rail == 0 ? "rocep1s0f0" : "roceP2p1s0f0",
                 .pci = rail == 0 ? "0000:01:00.0" : "0002:01:00.0"};
    nic.netdev = rail == 0 ? "enp1s0f0np0" : "enP2p1s0f0np0";
    nic.gigabits = 200;
    nic.lanes = nic.slot_lanes = 4;
    nic.gigabits = 100;
    nic.addresses = {"169.254." + text(17 + 50 * host + rail) + "." + text(9 + host * 3 + rail) +
                     "/16"};
    board.nics.push_back(nic);
  }
  return board;
}

/// OCI's board of 16 ports of 200 Gb/s on 8 cards, and one of 100 for the rest.
Board oci(int host) {
  Board board{"gpu-" + text(host), {}, "eth0"};
  for (int rail = 0; rail < 16; ++rail) {
    BoardNic nic = behind_a_switch("mlx5_" + text(rail), 0x0c + 0x0c * (rail / 2));
    nic.pci.back() = rail % 2 == 0 ? '0' : '1';
    nic.gigabits = 200;
    nic.netdev = "rdma" + text(rail);
    nic.node = rail / 8;
    nic.addresses = {"192.168." + text(rail) + "." + text(host + 1) + "/24"};
    board.nics.push_back(nic);
  }
  BoardNic front{.device = "mlx5_16",
                 .pci = "0000:e1:00.0",
                 .addresses = {"172.16.5." + text(host + 1) + "/24"}};
  front.netdev = "eth0";
  front.gigabits = 100;
  front.model = "MT4125";
  board.nics.push_back(front);
  return board;
}

/// GCP's: eight RDMA NICs with names of their own, VMs without NUMA for NICs.
Board gcp(int host) {
  Board board = eight_rails(host);
  for (std::size_t rail = 0; rail < 8; ++rail) {
    BoardNic& nic = board.nics[rail];
    nic.netdev = "gpu" + text(int(rail)) + "rdma0";
    nic.device = "mlx5_" + text(int(rail));
    nic.bridges.clear();
    nic.addresses = {"10.128." + text(int(rail)) + "." + text(host + 2) + "/32"};
  }
  return board;
}

/// AMD's: bnxt_re says one model of all; 8 of 400, one of 25 for management.
Board broadcom(int host) {
  Board board = eight_rails(host);
  for (std::size_t rail = 0; rail < 8; ++rail) {
    board.nics[rail].device = "bnxt_re" + text(int(rail));
    board.nics[rail].model = "BCM57608";
  }
  BoardNic management{.device = "bnxt_re8",
                      .pci = "0000:c5:00.0",
                      .addresses = {"192.168.4." + text(host + 1) + "/24"}};
  management.model = "BCM57608";
  management.gigabits = 25;
  management.netdev = "eno1np0";
  board.nics.push_back(management);
  return board;
}

/// Each rail a bond of both ports of a card.
Board bonded(int host) {
  Board board = eight_rails(host);
  for (std::size_t rail = 0; rail < 8; ++rail) {
    BoardNic& nic = board.nics[rail];
    nic.device = "mlx5_bond_" + text(int(rail));
    nic.netdev = "bond" + text(int(rail));
    nic.members = {"ens" + text(int(rail)) + "f0", "ens" + text(int(rail)) + "f1"};
  }
  return board;
}

/// ConnectX-6 in place of 7.
void make_older(Board& board) {
  for (BoardNic& nic : board.nics) {
    nic.gigabits = 200;
    nic.model = "MT4123";
    nic.firmware = "20.39.1002";
  }
}

void swap_addresses(Board& board, std::size_t one, std::size_t other) {
  std::swap(board.nics.at(one).addresses, board.nics.at(other).addresses);
}

BoardNic& nic(Boards& all, std::size_t host, std::size_t rail) {
  return all.at(host).nics.at(rail);
}

void take_down(BoardNic& nic) {
  nic.state = "1: DOWN";
  nic.addresses.clear();
}

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
      {{"rail 1: node2 mlx5_1 10.99.0.3/24", "not in 10.11.0.0/24",
        "fix its address or its cable"}});
  add("the first host is the one", fabric(3),
      [](Boards& b) { nic(b, 0, 0).addresses = {"10.99.0.1/24"}; },
      {{"rail 0: node0 mlx5_0 10.99.0.1/24", "not in 10.10.0.0/24", "fix its address"}});
  add("two faulty hosts of three", fabric(3),
      [](Boards& b) {
        nic(b, 0, 6).addresses = {"10.99.0.1/24"};
        nic(b, 1, 2).addresses = {"10.98.0.2/24"};
      },
      {{"rail 6: node0 mlx5_6 10.99.0.1/24", "10.16.0.0/24", "fix its address"},
       {"rail 2: node1 mlx5_2 10.98.0.2/24", "10.12.0.0/24", "fix its address"}});
  add("two faulty hosts of three, on one rail", fabric(3),
      [](Boards& b) {
        nic(b, 0, 2).addresses = {"10.99.0.1/24"};
        nic(b, 1, 2).addresses = {"10.98.0.2/24"};
      },
      {{"rail 2: node0 mlx5_2 10.99.0.1/24", "10.12.0.0/24", "fix its address"},
       {"rail 2: node1 mlx5_2 10.98.0.2/24", "10.12.0.0/24", "fix its address"}});
  add("a foreign subnet, of two hosts", fabric(2),
      [](Boards& b) { nic(b, 1, 3).addresses = {"10.99.0.2/24"}; },
      {{"rail 3: node1 mlx5_3 10.99.0.2/24", "10.13.0.0/24", "fix its address"}});
  add("a foreign subnet behind one leaf of two", in_leaf_groups(8, 4),
      [](Boards& b) { nic(b, 5, 4).addresses = {"10.14.9.6/24"}; },
      {{"rail 4: node5 mlx5_4 10.14.9.6/24", "10.14.1.0/24", "fix its address"}});
  add("a foreign address in one flat subnet", flat(4),
      [](Boards& b) { nic(b, 3, 5).addresses = {"10.7.5.4/16"}; },
      {{"rail 5: node3 mlx5_5 10.7.5.4/16", "10.0.0.0/16", "fix its address"}});
  add("an address of another rail's subnet", fabric(4),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.11.0.77/24"}; },
      {{"rail 2: node1 mlx5_2 10.11.0.77/24", "10.12.0.0/24", "fix its address"}});
  add("a foreign subnet on a host of bonds", fabric(4, bonded),
      [](Boards& b) { nic(b, 1, 7).addresses = {"10.99.0.2/24"}; },
      {{"rail 7: node1 mlx5_bond_7 10.99.0.2/24", "10.17.0.0/24", "fix its address"}});
  add("a foreign subnet on a VM of random PCI domains", virtual_machines(4),
      [](Boards& b) { nic(b, 1, 5).addresses = {"10.99.0.2/24"}; },
      {{"rail 5: node1 mlx5_5 10.99.0.2/24", "10.15.0.0/24", "fix its address"}});
  add("a prefix of 16 bits", fabric(4),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.12.0.2/16"}; },
      {{"rail 2: node1 mlx5_2 10.12.0.2/16 where the others have /24", "prefix length"}});
  add("a prefix of 25 bits", fabric(4),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.12.0.2/25"}; },
      {{"rail 2: node1 mlx5_2 10.12.0.2/25 where the others have /24", "prefix length"}});
  add("a prefix of 32 bits", fabric(4),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.12.0.2/32"}; },
      {{"rail 2: node1 mlx5_2 10.12.0.2/32 where the others have /24", "prefix length"}});
  add("a prefix of 16 bits, of two hosts", fabric(2),
      [](Boards& b) { nic(b, 1, 2).addresses = {"10.12.0.2/16"}; },
      {{"rail 2: node1 mlx5_2 10.12.0.2/16 where", "/24", "prefix length"}});
  add("a prefix of 8 bits on all NICs of a host", fabric(5),
      [](Boards& b) {
        for (int rail = 0; rail < 8; ++rail) {
          nic(b, 3, std::size_t(rail)).addresses = {rail_address(rail, 3, 0, 8)};
        }
      },
      {{"node3", "mlx5_0 10.10.0.4/8", "mlx5_7 10.17.0.4/8", "where the others have /24",
        "prefix length"}});
  add("an address twice", fabric(4), [](Boards& b) { nic(b, 3, 2).addresses = {"10.12.0.2/24"}; },
      {{"10.12.0.2", "node1 mlx5_2 (rail 2)", "node3 mlx5_2 (rail 2)", "each needs its own"}});
  add("an address twice in a routed fabric", routed(4),
      [](Boards& b) { nic(b, 3, 2).addresses = nic(b, 1, 2).addresses; },
      {{"10.200.1.4", "node1 mlx5_2 (rail 2)", "node3 mlx5_2 (rail 2)", "each needs its own"}});
  add("a secondary address is listed first", fabric(4),
      [](Boards& b) {
        nic(b, 1, 2).addresses = {"10.99.0.2/24", "10.12.0.2/24"};
      },
      {{"rail 2: node1 mlx5_2", "10.99.0.2/24", "10.12.0.2/24", "first"}});
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
      {{"node2", "no NIC on rail 3", "mlx5_3 at 0000:48:00.0", "lspci"}});
  add("a NIC is missing, and names move up", fabric(4),
      [](Boards& b) {
        b[2].nics.erase(b[2].nics.begin() + 3);
        for (std::size_t i = 0; i < 7; ++i) nic(b, 2, i).device = "mlx5_" + text(int(i));
      },
      {{"node2", "no NIC on rail 3", "0000:48:00.0", "lspci"}});
  add("a NIC is missing in a routed fabric", routed(4),
      [](Boards& b) { b[2].nics.erase(b[2].nics.begin() + 3); },
      {{"node2", "no NIC on rail 3", "mlx5_3 at 0000:48:00.0", "lspci"}});
  add("a NIC more", fabric(4),
      [](Boards& b) { b[2].nics.push_back(storage_nic(0, "10.18.0.3/24")); },
      {{"node2 mlx5_8", "10.18.0.3/24", "more than the 8", "--exclude"}});
  add("a NIC more, in a routed fabric", routed(4),
      [](Boards& b) { b[2].nics.push_back(storage_nic(0, "10.200.2.90/31")); },
      {{"node2 mlx5_8", "10.200.2.90/31", "more than the 8", "--exclude"}});
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
      {{"node2 mlx5_3 (rail 3) is slow", "200 Gb/s", "400", "cable"}});
  add("a slow rail, of two hosts", fabric(2), slow(1, 0),
      {{"node1 mlx5_0 (rail 0) is slow", "200 Gb/s", "400", "cable"}});
  add("a slow rail of 1,024 hosts", thousand(), slow(777, 1),
      {{"node777 mlx5_1 (rail 1) is slow", "200 Gb/s", "400", "cable"}});
  add("a slow rail in a routed fabric", routed(4), slow(2, 3),
      {{"node2 mlx5_3 (rail 3) is slow", "200 Gb/s", "400", "cable"}});
  add("a rail as slow as storage of the same model", with_storage(4, 200, "192.168."), slow(2, 3),
      {{"node2 mlx5_3 (rail 3) is slow", "200 Gb/s", "400", "cable"}});
  add("a rail as slow as management of the same model", fabric(4, broadcom),
      [](Boards& b) { nic(b, 2, 3).gigabits = 25; },
      {{"node2 bnxt_re3 (rail 3) is slow", "25 Gb/s", "400", "cable"}});
  add("a slow host", fabric(4),
      [](Boards& b) {
        for (BoardNic& one : b[2].nics) one.gigabits = 200;
      },
      {{"node2", "mlx5_0", "mlx5_7", "rails 0 to 7", "slow", "200 Gb/s", "400"}});
  add("a slow rail at OCI", fabric(4, oci), [](Boards& b) { nic(b, 3, 9).gigabits = 100; },
      {{"gpu-3 mlx5_9 (rail 9) is slow", "100 Gb/s", "200"}});
  add("two hosts of one name", fabric(4), [](Boards& b) { b[3].name = "node1"; },
      {{"two hosts", "node1", "name"}});
  add("the GUID of a device twice", fabric(4),
      [](Boards& b) { nic(b, 3, 2).guid = nic(b, 1, 2).guid = "0c42:a103:0066:1234"; },
      {{"0c42:a103:0066:1234", "node1 mlx5_2 (rail 2)", "node3 mlx5_2 (rail 2)"}});
  add("a NIC on the other socket", fabric(4), [](Boards& b) { nic(b, 2, 3).node = 1; },
      {{"node2 mlx5_3 (rail 3)", "NUMA node 1", "node 0", "slot"}});
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
      {{"rail 2: node6 mlx5_2 10.12.1.7/16 where the others have /24", "prefix length"}});
  add("a NIC more on a VM", virtual_machines(4),
      [](Boards& b) {
        BoardNic extra = storage_nic(0, "10.18.0.3/24");
        extra.bridges.clear();
        b[2].nics.push_back(extra);
      },
      {{"node2 mlx5_8", "10.18.0.3/24", "more than the 8", "--exclude"}});
  add("a NIC is missing on the first of 1,024", thousand(),
      [](Boards& b) { b[0].nics.erase(b[0].nics.begin()); },
      {{"node0", "no NIC on rail 0", "mlx5_0 at 0000:18:00.0"}});
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
      {{"rail 3: node1 mlx5_3 10.99.0.2/24", "10.13.0.0/24"},
       {"rail 3: node4 mlx5_3 10.99.0.5/24", "10.13.0.0/24"}});
  add("the cables of a rail and of storage are swapped", with_storage(4, 400, "192.168."),
      [](Boards& b) { swap_addresses(b[2], 7, 8); },
      {{"node2", "mlx5_8 10.17.0.3/24", "rail 7", "mlx5_7"}});
  add("a NIC in another slot, on the other socket", fabric(4),
      [](Boards& b) {
        nic(b, 2, 3).pci = "0000:a8:00.0";
        nic(b, 2, 3).node = 1;
      },
      {{"node2 mlx5_3 (rail 3)", "NUMA node 1", "node 0", "slot"}});
  add("a port is down where storage is on some hosts", with_storage(4, 400, "192.168."),
      [](Boards& b) {
        b[0].nics.resize(8);
        b[1].nics.resize(8);
        take_down(nic(b, 1, 4));
      },
      {{"node1 mlx5_4 (rail 4)", "DOWN"}});
  return all;
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<FabricCase> healthy_addresses() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, Parts said = {}, int rails = 8) {
    all.push_back({name, std::move(boards), {}, rails, std::move(said)});
  };
  add("one host", fabric(1));
  add("two hosts", fabric(2), {"by shared subnets"});
  add("1,024 hosts", thousand(), {"by shared subnets"});
  add("routed, /31", routed(4), {"by PCI order"});
  add("routed, /31, two hosts", routed(2), {"by PCI order"});
  add("routed, /30",
      addressed(fabric(4),
                [](int host, int rail) {
                  return "10.200." + text(host) + "." + text(rail * 4 + 2) + "/30";
                }),
      {"by PCI order"});
  add("routed, /30, two hosts",
      addressed(fabric(2),
                [](int host, int rail) {
                  return "10.200." + text(host) + "." + text(rail * 4 + 2) + "/30";
                }),
      {"by PCI order"});
  add("routed, /32 of a loopback of each rail", fabric(4, gcp), {"by PCI order"});
  add("routed, /127",
      addressed(
          fabric(4),
          [](int host, int rail) { return "fd00:" + text(host) + ":" + text(rail) + "::1/127"; }),
      {"by PCI order"});
  add("routed, /64 by SLAAC",
      addressed(fabric(4),
                [](int host, int rail) {
                  return "2001:db8:" + text(host) + text(rail) + "::a" + text(host) + "/64";
                }),
      {"by PCI order"});
  add("a /64 for each rail",
      addressed(
          fabric(4),
          [](int host, int rail) { return "fd00:" + text(rail) + "::" + text(host + 1) + "/64"; }),
      {"by shared subnets"});
  add("a subnet for each rail and leaf", in_leaf_groups(8, 4));
  add("a subnet for each rail and leaf, four leaves", in_leaf_groups(16, 4));
  add("one host alone behind its leaf", in_leaf_groups(5, 4), {"reachability_perf"});
  add("a host behind each leaf", in_leaf_groups(4, 1), {"by PCI order"});
  add("a subnet for each rack",
      addressed(fabric(6),
                [](int host, int rail) {
                  return "10.5." + text(host / 2) + "." + text(host * 8 + rail + 1) + "/24";
                }),
      {"by PCI order"});
  add("/31 on four rails, /24 on four", addressed(fabric(4), [](int host, int rail) {
        return rail < 4 ? rail_address(rail, host) : point_to_point(host, rail);
      }));
  add("two stripes of four rails",
      addressed(fabric(4),
                [](int host, int rail) {
                  return "10.6." + text(rail / 4) + "." + text(host * 4 + rail % 4 + 1) + "/24";
                }),
      {"by PCI order"});
  add("one flat subnet", flat(4), {"by PCI order"});
  add("one flat subnet, two hosts", flat(2), {"by PCI order"});
  add("IPv4 link-local",
      addressed(fabric(4),
                [](int host, int rail) {
                  return "169.254." + text(host * 9 + 3) + "." + text(rail * 7 + 5) + "/16";
                }),
      {"by PCI order"});
  add("DGX Spark, link-local", fabric(2, spark), {"169.254."}, 2);
  add("two hosts, one rail, routed",
      addressed(fabric(2,
                       [](int host) {
                         Board board = eight_rails(host);
                         board.nics.resize(1);
                         return board;
                       }),
                [](int host, int) { return "10.7." + text(host) + ".2/24"; }),
      {"reachability_perf"}, 1);
  add("rails with a gap in their numbers",
      addressed(fabric(4),
                [](int host, int rail) { return rail_address(rail < 4 ? rail : rail + 6, host); }),
      {"by shared subnets"});
  add("a second address on every NIC",
      each(fabric(4),
           [](int host, int rail, BoardNic& nic) {
             nic.addresses.push_back("172.20." + text(rail) + "." + text(host + 1) + "/24");
           }),
      {"by shared subnets"});
  add("pods that see the host's GIDs, too",
      each(fabric(4),
           [](int host, int rail, BoardNic& nic) {
             nic.foreign = {"10.44." + text(rail) + "." + text(host + 1)};
           }),
      {"10.13.0.2/24"});
  add("half the hosts with /16",
      changed(fabric(4),
              [](Boards& b) {
                for (int host = 2; host < 4; ++host) {
                  for (int rail = 0; rail < 8; ++rail) {
                    nic(b, std::size_t(host), std::size_t(rail)).addresses = {
                        rail_address(rail, host, 0, 16)};
                  }
                }
              }),
      {"/16", "/24"});
  return all;
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<FabricCase> healthy_boards() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, Parts said = {}, int rails = 8) {
    all.push_back({name, std::move(boards), {}, rails, std::move(said)});
  };
  add("VMs with random PCI domains", virtual_machines(4), {"by shared subnets"});
  add("two VMs with random PCI domains", virtual_machines(2), {"by shared subnets"});
  add("another board revision",
      changed(fabric(4),
              [](Boards& b) {
                for (std::size_t rail = 0; rail < 8; ++rail) {
                  BoardNic& one = nic(b, 2, rail);
                  one.pci = "0000:" + hexadecimal(0xf0 - 0x10 * int(rail)) + ":00.0";
                  one.bridges.clear();
                }
              }),
      {"another board order"});
  add("another board revision in a routed fabric",
      changed(routed(4),
              [](Boards& b) {
                for (std::size_t rail = 0; rail < 8; ++rail) {
                  BoardNic& one = nic(b, 2, rail);
                  one.pci = "0000:" + hexadecimal(0xf0 - 0x10 * int(rail)) + ":00.0";
                  one.bridges.clear();
                }
              }),
      {"--rail-map", "reachability_perf"});
  add("one host with other names",
      changed(fabric(4),
              [](Boards& b) {
                for (BoardNic& one : b[1].nics) one.device = "rocep" + one.device.substr(5) + "s0";
              }),
      {"by shared subnets"});
  add("one host with names in another order",
      changed(fabric(4),
              [](Boards& b) {
                for (std::size_t rail = 0; rail < 8; ++rail) {
                  nic(b, 1, rail).device = "mlx5_" + text(7 - int(rail));
                  nic(b, 1, rail).netdev = "enp_mlx5_" + text(7 - int(rail));
                }
              }),
      {"by shared subnets"});
  add("half the hosts in another order", changed(fabric(4), [](Boards& b) {
        for (std::size_t host = 2; host < 4; ++host)
          swap_addresses(b[host], 0, 1), swap_addresses(b[host], 4, 5);
      }));
  add("storage of the same model at 200", with_storage(4, 200, "192.168."), {"storage"});
  add("storage of the same model at 400", with_storage(4, 400, "192.168."), {"storage"});
  add("storage of the same model at 400, two hosts", with_storage(2, 400, "192.168."), {"storage"});
  add("storage at 400 by its name", with_storage(4, 400, "10.9.", "stor"), {"stor"});
  add("storage at 200 in the next subnets", with_storage(4, 200, "10.20."), {"storage"});
  add("storage at 200, on one host", with_storage(1, 200, "192.168."), {"storage"});
  add("storage at 400 in a routed fabric",
      changed(with_storage(4, 400, "192.168."),
              [](Boards& b) {
                for (int host = 0; host < 4; ++host) {
                  for (int rail = 0; rail < 8; ++rail) {
                    nic(b, std::size_t(host), std::size_t(rail)).addresses = {
                        point_to_point(host, rail)};
                  }
                }
              }),
      {"storage"});
  all.push_back({"the storage fabric itself", with_storage(4, 400, "192.168."), {}, 2, {"mlx5_8"}});
  all.back().wishes.include = PortPattern("=mlx5_8,mlx5_9");
  add("management of the same model at 25", fabric(4, broadcom), {"25 Gb/s"});
  add("a slow NIC of another model on one host",
      changed(fabric(4),
              [](Boards& b) {
                BoardNic extra = storage_nic(0, "192.168.9.3/24");
                extra.model = "MT4119";
                extra.gigabits = 100;
                b[2].nics.push_back(extra);
              }),
      {"mlx5_8:1: "});
  add("a spare port, unplugged", spare_unplugged(4), {"mlx5_8:1: its port is DOWN"});
  add("a spare port, unplugged, two hosts", spare_unplugged(2));
  add("a spare port, on one host plugged in",
      changed(spare_unplugged(4), [](Boards& b) { nic(b, 2, 8).state = "4: ACTIVE"; }));
  add("bonds everywhere", fabric(4, bonded), {"by shared subnets"});
  add("hosts of two generations, half and half",
      changed(fabric(4), [](Boards& b) { make_older(b[2]), make_older(b[3]); }), {"MT4123"});
  add("one host of an older generation", changed(fabric(4), [](Boards& b) { make_older(b[2]); }),
      {"MT4123"});
  add("two hosts, one at half the speed",
      changed(fabric(2),
              [](Boards& b) {
                for (BoardNic& one : b[1].nics) one.gigabits = 200;
              }),
      {"200"});
  add("OCI: 16 rails and a front end", fabric(4, oci), {"by shared subnets"}, 16);
  add("GCP: /32, names of their own", fabric(4, gcp), {"by PCI order"});
  add("PCIe 4.0 under 400 Gb/s, on all hosts",
      each(fabric(4),
           [](int, int, BoardNic& nic) {
             nic.speed = "16.0 GT/s PCIe";
             nic.slot_lanes = 16;
           }),
      {"252"});
  add("one host with four NUMA nodes a socket", changed(fabric(4), [](Boards& b) {
        for (std::size_t rail = 0; rail < 8; ++rail) nic(b, 2, rail).node = int(rail);
      }));
  add("the default route leaves by the first rail", each(fabric(4), [](int, int, BoardNic&) {}));
  for (Board& board : all.back().boards) board.default_route = "enp_mlx5_0";
  all.push_back({"crossed as the map says",
                 changed(fabric(4), [](Boards& b) { swap_addresses(b[2], 2, 3); }),
                 {},
                 8,
                 {"by user map"}});
  all.back().wishes.rail_map =
      parse_rail_map("mlx5_0=0,mlx5_1=1,mlx5_2=2,mlx5_3=3,mlx5_4=4,mlx5_5=5,mlx5_6=6,mlx5_7=7");
  add("another firmware on one NIC",
      changed(fabric(4), [](Boards& b) { nic(b, 2, 3).firmware = "28.37.1014"; }),
      {"node2 mlx5_3 (rail 3)", "28.37.1014", "28.39.1002"});
  add("another firmware on half the hosts",
      changed(fabric(4),
              [](Boards& b) {
                for (std::size_t host = 2; host < 4; ++host) {
                  for (BoardNic& one : b[host].nics) one.firmware = "28.37.1014";
                }
              }),
      {"28.37.1014"});
  add("another MTU on one NIC", changed(fabric(4), [](Boards& b) { nic(b, 2, 3).mtu = 1500; }),
      {"node2 mlx5_3 (rail 3)", "1500", "9000"});
  add("PCIe narrower, and still enough for most",
      changed(fabric(4),
              [](Boards& b) {
                nic(b, 2, 3).gigabits = nic(b, 0, 3).gigabits = 400;
                for (Board& board : b) {
                  for (BoardNic& one : board.nics) one.gigabits = 200;
                }
                nic(b, 2, 3).lanes = 8;
              }),
      {"node2 mlx5_3 (rail 3)", "x8"});
  return all;
}

/// Azure's: InfiniBand, which is no rail here, and a virtual function for the rest.
Board azure(int host) {
  Board board = eight_rails(host);
  board.default_route = "eth0";
  for (BoardNic& one : board.nics) {
    one.link_layer = "InfiniBand";
    one.addresses.clear();
  }
  BoardNic front{.device = "mlx5_an0",
                 .pci = hexadecimal(host + 16) + "f2:00:02.0",
                 .addresses = {"10.0.0." + text(host + 4) + "/24"}};
  front.netdev = "eth1";
  front.gigabits = 100;
  front.model = "MT4124";
  board.nics.push_back(front);
  return board;
}

/// AWS's: EFA, which is not RoCE.
Board aws(int host) {
  Board board = eight_rails(host);
  for (BoardNic& one : board.nics) {
    one.link_layer = "Unspecified";
    one.model = "EFA";
    one.addresses.clear();
  }
  return board;
}

std::vector<FabricCase> healthy_variations() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, Parts said = {}, int rails = 8) {
    all.push_back({name, std::move(boards), {}, rails, std::move(said)});
  };
  add("Azure: InfiniBand and a front end", fabric(4, azure), {}, 1);
  add("AWS: EFA", fabric(4, aws), {"None of this host's ports is a rail"}, 0);
  add("storage down on one host",
      changed(with_storage(4, 400, "192.168."), [](Boards& b) { take_down(nic(b, 2, 8)); }),
      {"storage"});
  add("storage at 200 down on one host",
      changed(with_storage(4, 200, "192.168."),
              [](Boards& b) { take_down(nic(b, 2, 8)), take_down(nic(b, 2, 9)); }),
      {"storage"});
  add("storage on half the hosts",
      changed(with_storage(4, 400, "192.168."),
              [](Boards& b) { b[0].nics.resize(8), b[1].nics.resize(8); }),
      {"storage"});
  add("storage on two of six hosts, by its name",
      changed(with_storage(6, 400, "192.168.", "stor"),
              [](Boards& b) {
                for (std::size_t host = 0; host < 4; ++host) b[host].nics.resize(8);
              }),
      {"stor"});
  add("VMs with random PCI domains, routed",
      changed(virtual_machines(4),
              [](Boards& b) {
                for (int host = 0; host < 4; ++host) {
                  for (int rail = 0; rail < 8; ++rail) {
                    nic(b, std::size_t(host), std::size_t(rail)).addresses = {
                        point_to_point(host, rail)};
                  }
                }
              }),
      {"--rail-map", "reachability_perf"});
  add("1,024 hosts, routed",
      addressed(fabric(1024),
                [](int host, int rail) {
                  return "10." + text(host / 250) + "." + text(host % 250) + "." + text(rail * 2) +
                         "/31";
                }),
      {"by PCI order"});
  add("two hosts behind a leaf each", in_leaf_groups(2, 1), {"by PCI order"});
  add("two hosts with other names for the same NICs", changed(fabric(2), [](Boards& b) {
        for (BoardNic& one : b[1].nics) one.device = "rocep" + one.device.substr(5) + "s0";
      }));
  add("a NIC in another slot of the same socket",
      changed(fabric(4), [](Boards& b) { nic(b, 2, 3).pci = "0000:4a:00.0"; }));
  add("the default route leaves by storage",
      changed(with_storage(4, 400, "192.168."),
              [](Boards& b) {
                for (Board& board : b) board.default_route = "enp_mlx5_8";
              }),
      {"management"});
  add("bonds at the front end",
      changed(fabric(4),
              [](Boards& b) {
                for (std::size_t host = 0; host < 4; ++host) {
                  BoardNic bond = storage_nic(0, "10.200.0." + text(int(host) + 1) + "/24");
                  bond.device = "mlx5_bond_0";
                  bond.netdev = "bond0";
                  bond.members = {"eno1", "eno2"};
                  b[host].nics.push_back(bond);
                }
              }),
      {"bond"});
  return all;
}

// What came of it.

bool has_all(const std::string& sentence, const Parts& parts) {
  return std::ranges::all_of(
      parts, [&](const auto& part) { return sentence.find(part) != std::string::npos; });
}

Report judged(const FabricCase& one) {
  std::vector<HostMap> maps;
  for (const Board& board : one.boards) maps.push_back(read_host(recorded(board)));
  return report_on(std::move(maps), one.wishes);
}

/// What is amiss with the answer; "" if it is the expected one.
std::string amiss(const FabricCase& one, const Report& report) {
  std::string text;
  for (const Parts& fault : one.faults) {
    const bool named = std::ranges::any_of(
        report.wrong, [&](const auto& sentence) { return has_all(sentence, fault); });
    if (!named) text += "not named: " + fault.front() + "; ";
  }
  if (report.wrong.size() > one.faults.size()) text += "accuses: " + report.wrong.back() + "; ";
  for (const HostReport& host : report.hosts) {
    if (one.rails == 0 || static_cast<int>(host.rails.size()) == one.rails) continue;
    return text + host.map.host + " has " + std::to_string(host.rails.size()) + " rails; ";
  }
  const std::string table = as_table(report);
  for (const std::string& part : one.said) {
    if (!has_all(table, {part})) text += "not said: " + part + "; ";
  }
  return text;
}

/// Prints a row for every fabric; returns how many were not answered as expected.
int print_table(const char* kind, const std::vector<FabricCase>& all, int& total) {
  int missed = 0;
  for (const FabricCase& one : all) {
    const Report report = judged(one);
    const std::string wrong = amiss(one, report);
    std::cout << kind << "  " << (wrong.empty() ? "as expected" : "NOT SO     ") << "  " << one.name
              << "\n";
    if (!report.wrong.empty()) std::cout << "                      " << report.wrong[0] << "\n";
    if (!wrong.empty()) std::cout << "           !          " << wrong << "\n";
    missed += wrong.empty() ? 0 : 1;
    ++total;
  }
  return missed;
}

TEST(FabricTable, NamesPlantedFaultsAtTheirCause) {
  int total = 0;
  int missed = 0;
  for (const auto& cases :
       {planted_addresses(), planted_ports(), planted_hosts(), planted_variations()}) {
    missed += print_table("planted", cases, total);
  }
  std::cout << "planted: " << total - missed << " of " << total << " named as expected\n";
  EXPECT_GE(total, 40);
  EXPECT_EQ(missed, 0);
}

TEST(FabricTable, AccusesNoHealthyHost) {
  int total = 0;
  int missed = 0;
  for (const auto& cases : {healthy_addresses(), healthy_boards(), healthy_variations()}) {
    missed += print_table("healthy", cases, total);
  }
  std::cout << "healthy: " << total - missed << " of " << total << " as expected\n";
  EXPECT_GE(total, 40);
  EXPECT_EQ(missed, 0);
}

/// The recordings of single machines that there are, one of them of a real one.
TEST(FabricTable, AccusesNoRecordedMachine) {
  for (const char* name :
       {"two_sockets_eight_nics", "dual_port", "bonded", "sriov", "software", "vm_without_numa",
        "arm_single_socket", "cgroup", "no_device", "rxe_recorded"}) {
    EXPECT_EQ(report_on({bundle(name)}).wrong, Parts{}) << name;
  }
}

/// How long it takes is for people to see: no test depends on it.
TEST(FabricTable, PrintsHowLong255HostsTake) {
  std::vector<HostMap> maps;
  for (const Board& board : fabric(255)) maps.push_back(read_host(recorded(board)));
  const auto start = std::chrono::steady_clock::now();
  const Report report = report_on(std::move(maps));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cout << "255 hosts x 8 rails: " << took.count() << " s\n";
  EXPECT_EQ(report.hosts.size(), 255U);
}

}  // namespace
}  // namespace railgauge::topology
