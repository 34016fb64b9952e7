#pragma once

#include <string>
#include <vector>

namespace railgauge::topology {

/// A port of an RDMA device that can be used, and the network device and address it works through.
/// (Here and in all records: {} lets a designated initialiser leave the member out.)
struct Nic {
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string address{};  // IPv4 or IPv6: "10.10.0.1"
  std::string netdev{};   // "eth1"
  int prefix_length = 0;
  std::string pci{};               // "0000:17:00.0"; "" if it is not known
  double gigabits_per_second = 0;  // of the link; 0 if it is not known
};

/// A host and its NICs, which of them is on which rail: that at position i is on rail i.
struct Host {
  std::string name{};
  std::vector<Nic> rails{};
};

/// "mlx5_0", or "mlx5_0 port 2".
std::string name_of(const Nic& nic);

/// A host's NICs in the order of its rails, if nobody says better (rail_rule.hpp): by PCI address
/// if that of all is known, else by device name in natural order (mlx5_2 before mlx5_10); then by
/// port. In a rail-optimised fabric a host's i-th NIC is cabled to the i-th rail's switches, and
/// PCI addresses follow the board, names the order of discovery.
std::vector<Nic> in_rail_order(std::vector<Nic> nics);

}  // namespace railgauge::topology
