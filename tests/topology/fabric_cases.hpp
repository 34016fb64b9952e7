#pragma once

#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "topology/nic_choice.hpp"
#include "topology/recorded_board.hpp"

// Fabrics, faulty and healthy, with the answer that an engineer who knows the fault would give. The
// answers were written before the code was run. Of a planted fault: the sentences, by their parts,
// that `railgauge topo` and the start of a run must say, and no other. Of a healthy fabric: nothing
// is wrong, so many rails on every host, and what has to be said of it without accusing anyone.

namespace railgauge::topology::table {

using Parts = std::vector<std::string>;  // of one sentence

struct FabricCase {
  std::string name;
  Boards boards;
  std::vector<Parts> faults{};  // none: a healthy fabric
  int rails = 8;                // of every host; of a faulty fabric: of the first host
  Parts said{};                 // somewhere in the table
  NicWishes wishes{};
  int planes = 1;                 // of every rail
  std::vector<Parts> warnings{};  // sentences that have to be among the warnings
};

inline std::string text(int number) {
  return std::to_string(number);
}

inline std::string hexadecimal(int number) {
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned>(number));
  return digits.data();
}

/// 10.RAIL+10.LEAF.HOST+1/LENGTH
inline std::string rail_address(int rail, int host, int leaf = 0, int length = 24) {
  return "10." + text(rail + 10) + "." + text(leaf) + "." + text(host + 1) + "/" + text(length);
}

/// Alone behind a switch of its own: root port, the switch's two ports, NIC.
inline BoardNic behind_a_switch(const std::string& device, int bus) {
  BoardNic nic{.device = device, .pci = "0000:" + hexadecimal(bus + 3) + ":00.0"};
  nic.bridges = {"0000:" + hexadecimal(bus) + ":01.0", "0000:" + hexadecimal(bus + 1) + ":00.0",
                 "0000:" + hexadecimal(bus + 2) + ":00.0"};
  return nic;
}

/// Eight NICs of 400 Gb/s on two sockets, a subnet for each rail.
inline Board eight_rails(int host) {
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

inline Boards fabric(int hosts, const std::function<Board(int)>& board = eight_rails) {
  Boards boards;
  for (int host = 0; host < hosts; ++host) boards.push_back(board(host));
  return boards;
}

using Change = std::function<void(Boards&)>;

inline Boards changed(Boards boards, const Change& change) {
  change(boards);
  return boards;
}

/// The same change for every NIC: of host, rail, NIC.
inline Boards each(Boards boards, const std::function<void(int, int, BoardNic&)>& change) {
  for (std::size_t host = 0; host < boards.size(); ++host) {
    for (std::size_t rail = 0; rail < boards[host].nics.size(); ++rail) {
      change(static_cast<int>(host), static_cast<int>(rail), boards[host].nics[rail]);
    }
  }
  return boards;
}

/// The address of every NIC, by host and rail.
inline Boards addressed(Boards boards, const std::function<std::string(int, int)>& address) {
  return each(std::move(boards),
              [&](int host, int rail, BoardNic& nic) { nic.addresses = {address(host, rail)}; });
}

/// 1,024 hosts with subnets of 16 bits.
inline Boards thousand() {
  return addressed(fabric(1024), [](int host, int rail) {
    return rail_address(rail, host % 250, host / 250, 16);
  });
}

inline std::string point_to_point(int host, int rail) {
  return "10.200." + text(host) + "." + text(rail * 2) + "/31";
}

inline Boards routed(int hosts) {
  return addressed(fabric(hosts), point_to_point);
}

inline Boards in_leaf_groups(int hosts, int of_a_group) {
  return addressed(fabric(hosts),
                   [=](int host, int rail) { return rail_address(rail, host, host / of_a_group); });
}

inline Boards flat(int hosts) {
  return addressed(fabric(hosts), [](int host, int rail) {
    return "10.0." + text(rail) + "." + text(host + 1) + "/16";
  });
}

/// Random PCI domains, as Hyper-V gives them; names and subnets are right.
inline Boards virtual_machines(int hosts) {
  return each(fabric(hosts), [](int host, int rail, BoardNic& nic) {
    nic.pci = hexadecimal((host * 37 + rail * 91 + rail * host * 13) % 251) +
              hexadecimal(rail * 16 + host) + ":00:02.0";
    nic.bridges.clear();
    nic.node = -1;
  });
}

inline BoardNic storage_nic(int number, const std::string& address) {
  BoardNic nic = behind_a_switch("mlx5_" + text(8 + number), 0xa5 + 0x10 * number);
  nic.node = number % 2;
  nic.addresses = {address};
  return nic;
}

/// Two more of the same model on every host.
inline Boards with_storage(int hosts, double gigabits, const std::string& network,
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

inline Boards link_local(int hosts) {
  return addressed(fabric(hosts), [](int host, int rail) {
    return "169.254." + text(host * 9 + 3) + "." + text(rail * 7 + 5) + "/16";
  });
}

/// The hosts from `first` on have the board of another vendor.
inline Boards two_boards(int hosts, int first) {
  return each(fabric(hosts), [=](int host, int rail, BoardNic& nic) {
    if (host < first) return;
    nic.pci = "0000:" + hexadecimal(0x1a + 0x10 * rail) + ":00.0";
    nic.netdev = "ens" + text(100 + rail) + "np0";
    nic.bridges.clear();
  });
}

inline Boards spare_unplugged(int hosts) {
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
inline Board spark(int host) {
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
inline Board oci(int host) {
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
inline Board gcp(int host) {
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
inline Board broadcom(int host) {
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
inline Board bonded(int host) {
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
inline void make_older(Board& board) {
  for (BoardNic& nic : board.nics) {
    nic.gigabits = 200;
    nic.model = "MT4123";
    nic.firmware = "20.39.1002";
  }
}

inline void swap_addresses(Board& board, std::size_t one, std::size_t other) {
  std::swap(board.nics.at(one).addresses, board.nics.at(other).addresses);
}

inline BoardNic& nic(Boards& all, std::size_t host, std::size_t rail) {
  return all.at(host).nics.at(rail);
}

inline void take_down(BoardNic& nic) {
  nic.state = "1: DOWN";
  nic.addresses.clear();
}

/// A ConnectX-8's twelve ports, of which 3, 6, 9 and 12 carry four planes.
inline BoardNic connectx8(int rail, const std::function<std::string(int, int)>& address) {
  BoardNic nic = behind_a_switch("roce_r" + text(rail), 0x15 + 0x10 * rail);
  nic.model = "MT4131";
  nic.gigabits = 200;
  nic.speed = "64.0 GT/s PCIe";
  nic.node = rail / 4;
  for (int port = 1; port <= 12; ++port) {
    BoardPort one{.number = port, .state = "1: DOWN"};
    if (port % 3 == 0) {
      const int plane = port / 3 - 1;
      one = {port, {address(rail, plane)}, "eth_r" + text(rail) + "_p" + text(plane)};
    }
    nic.ports.push_back(one);
  }
  return nic;
}

using PlaneAddress = std::function<std::string(int host, int rail, int plane)>;

/// 10.PLANE.RAIL.HOST+1/24
inline std::string by_plane(int host, int rail, int plane) {
  return "10." + text(plane + 40) + "." + text(rail) + "." + text(host + 1) + "/24";
}

/// 10.RAIL.PLANE.HOST+1/24
inline std::string by_rail(int host, int rail, int plane) {
  return "10." + text(rail + 40) + "." + text(plane) + "." + text(host + 1) + "/24";
}

/// One subnet for each rail, and all its planes.
inline std::string of_one_subnet(int host, int rail, int plane) {
  return "10.40." + text(rail) + "." + text(host * 4 + plane + 1) + "/24";
}

inline std::string routed_plane(int host, int rail, int plane) {
  return "10.200." + text(host) + "." + text((rail * 4 + plane) * 2) + "/31";
}

/// Eight ConnectX-8 of four planes each.
inline Boards four_planes(int hosts, const PlaneAddress& address = by_plane) {
  return fabric(hosts, [&](int host) {
    Board board{"node" + text(host), {}, "eth0"};
    for (int rail = 0; rail < 8; ++rail) {
      board.nics.push_back(
          connectx8(rail, [&](int r, int plane) { return address(host, r, plane); }));
    }
    return board;
  });
}

/// Eight cards of two functions, each a device: the planes of a rail.
inline Boards two_planes_by_card(int hosts, const PlaneAddress& address = by_plane,
                                 bool named = false) {
  return fabric(hosts, [&](int host) {
    Board board{"node" + text(host), {}, "eth0"};
    for (int number = 0; number < 16; ++number) {
      const int rail = number / 2;
      const int plane = number % 2;
      BoardNic nic = behind_a_switch("mlx5_" + text(number), 0x15 + 0x10 * rail);
      nic.pci.back() = plane == 0 ? '0' : '1';
      nic.gigabits = 200;
      nic.node = rail / 4;
      nic.addresses = {address(host, rail, plane)};
      if (named) nic.netdev = "rail" + text(rail) + "plane" + text(plane);
      board.nics.push_back(nic);
    }
    return board;
  });
}

/// Two cards for each rail, planes by their names alone.
inline Boards two_planes_by_name(int hosts, const PlaneAddress& address = by_plane) {
  Boards boards = two_planes_by_card(hosts, address);
  return each(std::move(boards), [](int, int number, BoardNic& nic) {
    nic.pci = "0000:" + hexadecimal(0x18 + 0x0c * number) + ":00.0";
    nic.bridges.clear();
    nic.netdev = "eth_r" + text(number / 2) + "_p" + text(number % 2);
  });
}

inline BoardPort& port(Boards& all, std::size_t host, std::size_t rail, int number) {
  return all.at(host).nics.at(rail).ports.at(static_cast<std::size_t>(number - 1));
}

inline void take_down(BoardPort& port) {
  port.state = "1: DOWN";
  port.addresses.clear();
}

std::vector<FabricCase> planted_fabrics();
std::vector<FabricCase> planted_planes();
std::vector<FabricCase> healthy_planes();
std::vector<FabricCase> healthy_fabrics();

}  // namespace railgauge::topology::table
