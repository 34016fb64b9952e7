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
};

/// A host's NICs in the order of its rails: the NIC at position i is on rail i. By device name in
/// natural order (mlx5_2 before mlx5_10), then by port. In a rail-optimised fabric a host's i-th
/// NIC is cabled to the i-th rail's switches.
std::vector<Nic> in_rail_order(std::vector<Nic> nics);

}  // namespace railgauge::topology
