#pragma once

#include <string>
#include <utility>
#include <vector>

#include "topology/recording.hpp"

namespace railgauge::topology {

/// Of several ports of one device one besides the first.
struct BoardPort {
  int number = 2;
  std::vector<std::string> addresses{};
  std::string netdev{};  // "": it has none, and is never up
  std::string state = "4: ACTIVE";
};

/// A NIC of a board, as much of it as a recording tells: a port of its own, on its own link.
struct BoardNic {
  std::string device;
  std::string pci;
  std::vector<std::string> addresses{};  // "10.10.0.1/24", in the order of their GIDs
  std::string netdev = "enp_" + device;
  double gigabits = 400;
  int netdev_megabits = 0;  // that its netdev says; 0: nothing
  std::string model = "MT4129";
  std::string state = "4: ACTIVE";
  std::string link_layer = "Ethernet";
  std::string firmware = "28.39.1002";
  std::string guid{};  // of the node; "": made of host and device
  int mtu = 9000;
  int node = 0;
  std::vector<std::string> bridges{};  // from the root port down
  std::string speed = "32.0 GT/s PCIe";
  int lanes = 16;
  int slot_lanes = 16;
  int device_lanes = 16;                   // that it supports
  int uplink_lanes = 16;                   // of the switch above it, if there is one
  bool version1 = false;                   // its GIDs are of RoCE v1 alone
  std::vector<std::string> foreign{};      // GIDs of another network namespace, before its own
  std::vector<std::string> without_gid{};  // addresses of its netdev that it has no GID for
  std::vector<std::string> members{};      // netdevs that its own bonds
  std::vector<BoardPort> ports{};          // instead of port 1
};

struct Board {
  std::string name;
  std::vector<BoardNic> nics{};
  std::string default_route{};
};

using Boards = std::vector<Board>;

/// What `railgauge topo --record` would have written there.
Recording recorded(const Board& board);

}  // namespace railgauge::topology
