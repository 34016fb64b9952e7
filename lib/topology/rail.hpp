#pragma once

#include <algorithm>
#include <compare>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/ip_address.hpp"

namespace railgauge::topology {

/// A place in the fabric. Rails are networks side by side, one for each NIC of a host. A rail may
/// have planes, which are networks side by side again: the data of a rail are striped over its
/// planes. The ports of one device (ConnectX-8: four of its twelve), or the functions of one card,
/// are planes of one rail (planes.hpp).
struct RailPlane {
  int rail = -1;
  int plane = 0;   // counted from 0; in what a user says: -1 if it is left open
  int planes = 1;  // that the rail has

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const RailPlane&, const RailPlane&) = default;
};

/// "rail 3", or "rail 3 plane 1" of a rail that has several.
std::string rail_text(const RailPlane& place);

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
  std::string speed_doubt{};       // that the kernel says two speeds, as a clause; "" if not
  int rail = -1;                   // once it is found (rail_rule.hpp)
  int plane = 0;                   // of its rail
  int planes = 1;                  // that its rail has
  int slot = -1;                   // the number of its place: in order of rails, then planes
  std::string model{};             // "" if it is not known, as of software devices
  std::string firmware{};
  std::string node_guid{};
  int mtu_bytes = 0;                           // 0 if it is not known
  int numa_node = -1;                          // -1 if it is not known
  bool default_route = false;                  // whether the host's leaves by it
  std::vector<std::string> other_addresses{};  // of its port, after the one used: "10.12.0.2/24"
  std::string bond{};                          // "bond0 of eth0 and eth1"; "" without a bond
  int bond_members = 0;
  double pci_gigabits_per_second = 0;  // that its PCI links carry; 0 if not known
  std::string pci_link{};              // the one that carries least: "x8 32 GT/s"
  bool pci_at_limit = false;           // the device itself can do no more
  std::string pci_degraded{};          // the link that is slower than both its ends could
                                       // be, as a clause; "" if none is
};

/// A port that is no rail of its host, and the reason, as a clause: "its port is DOWN".
struct LeftOut : Nic {
  std::string reason{};
  std::string remedy{};     // that could make it one; "" if it need not be one
  bool like_rails = false;  // it has an address as rails do, or only its speed is not theirs
  bool lost_rail = false;   // it cannot be used, and its like is a rail of another host
};

/// A host and its NICs in the order of rails and planes, where they are known, and its other ports.
struct Host {
  std::string name{};
  std::vector<Nic> rails{};
  std::vector<LeftOut> left_out{};
};

/// A port that is no rail for a reason that nothing can be done about.
inline LeftOut left_out(const Nic& nic, std::string reason) {
  return {nic, std::move(reason)};
}

/// A port that is left out, where it would be among its host's NICs: without an address.
Nic idle(const LeftOut& port);

/// The entry for a port among NICs, ports, or what has both; nullptr if there is none.
template <class Entries>
auto* port_among(Entries& entries, const std::string& device, int port) {
  const auto found = std::ranges::find_if(
      entries, [&](const auto& one) { return one.device == device && one.port == port; });
  return found == entries.end() ? nullptr : &*found;
}

/// "mlx5_0", or "mlx5_0 port 2".
std::string name_of(const Nic& nic);

inline RailPlane rail_plane_of(const Nic& nic) {
  return {nic.rail, nic.plane, nic.planes};
}

/// How many rails NICs are on.
std::size_t rails_of(const std::vector<Nic>& nics);

/// The first NIC of each rail, of NICs in the order of rails. Without its number a NIC is a rail.
std::vector<const Nic*> first_of_rails(const std::vector<Nic>& nics);

/// "0000:17:00" of 0000:17:00.1: the card whose functions share a slot.
std::string card_of(const std::string& pci);

/// "400", "2.5": gigabits per second, for messages.
std::string speed_text(double gigabits_per_second);

/// A host's NICs in the order of its rails, unless a better rule applies (rail_rule.hpp): by PCI
/// address if that of all is known, else by device name in natural order (mlx5_2 before mlx5_10);
/// then by port. In a rail-optimised fabric a host's i-th NIC is cabled to the i-th rail's
/// switches, and PCI addresses follow the board, names the order of discovery.
std::vector<Nic> in_rail_order(std::vector<Nic> nics);

struct Subnet {
  IpAddress network{};
  int prefix_length = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const Subnet&, const Subnet&) = default;
};

/// "10.10.0.0/24"
std::string to_string(const Subnet& subnet);

/// "10.10.0.7/24"
std::string address_of(const Nic& nic);

/// The subnet of a NIC's address; empty if the address, or its prefix, is invalid.
std::optional<Subnet> subnet_of(const Nic& nic);

/// Two ends and nothing else (IPv4 /31, IPv6 /127), or one address alone (/32, /128): the fabric
/// routes between hosts, and the subnet says nothing about the rail.
bool is_point_to_point(const Subnet& subnet);

}  // namespace railgauge::topology
