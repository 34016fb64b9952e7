#pragma once

#include <string>
#include <vector>

#include "topology/gpu.hpp"
#include "topology/ip_address.hpp"
#include "topology/pci.hpp"
#include "topology/recording.hpp"

namespace railgauge::topology {

/// An entry of a port's GID table, without the zero ones.
struct RdmaGid {
  int index = 0;
  IpAddress gid{};
  std::string type{};    // as the kernel writes it: "RoCE v2", "IB/RoCE v1"
  std::string netdev{};  // "" if it is in another network namespace
};

struct RdmaPort {
  int number = 1;
  std::string state{};       // "ACTIVE", "DOWN", ...; "" if it is not known
  std::string link_layer{};  // "Ethernet", "InfiniBand"
  std::string rate{};        // as the kernel writes it: "400 Gb/sec (4X NDR)"
  double gigabits_per_second = 0;
  std::vector<RdmaGid> gids{};
};

struct RdmaDevice {
  std::string name{};
  std::string node_guid{};
  std::string system_guid{};  // the same for all functions of a card
  std::string firmware{};
  std::string model{};      // hca_type: "MT4129"
  std::string node_type{};  // as the kernel writes it, without its number: "CA", "RNIC"
  bool software = false;    // rdma_rxe: no hardware of its own
  PciFunction pci{};        // of a software device: of the network device below it
  Locality locality{};
  std::vector<RdmaPort> ports{};
};

struct Netdev {
  std::string name{};
  std::string pci{};               // its PCI function; "" for bonds, bridges, tunnels
  std::string master{};            // the bond or bridge that it is a part of
  int mtu_bytes = 0;               // 0 if it is not known
  double gigabits_per_second = 0;  // likewise
  std::vector<NetAddress> addresses{};
};

/// A host as it is: its processors and memory, and its devices for communication.
struct HostMap {
  std::string host{};
  std::vector<NumaNode> nodes{};
  std::vector<CpuSet> cores{};  // in hwloc's logical order
  CpuSet allowed{};             // where ranks may run
  std::string default_route{};
  std::vector<RdmaDevice> devices{};  // in natural order of their names
  std::vector<Netdev> netdevs{};
  std::vector<Gpu> gpus{};  // by address
  bool xml_alone =
      false;  // hwloc's: of ports, addresses and what PCI links could do it says nothing
};

/// Interprets a recording. A pure function. Throws std::invalid_argument if hwloc's XML in it is
/// invalid.
HostMap read_host(const Recording& recording);

/// The member of a host with that name; nullptr if there is none.
const RdmaDevice* find_device(const HostMap& host, const std::string& name);
const Netdev* find_netdev(const HostMap& host, const std::string& name);
const NumaNode* find_node(const HostMap& host, int number);

/// The address of the host that a GID is; nullptr if it is none of this network namespace's: a pod
/// sees the GIDs of its host, too.
const NetAddress* address_of(const HostMap& host, const RdmaGid& gid);

/// The GID to use of a port, by rule (never by a fixed index: indices depend on the order in which
/// addresses came). Of those that are addresses of this host: RoCE v2, not fe80::/10; IPv4 before
/// IPv6 before IPv4 of one cable only (169.254/16); then the lowest index. nullptr if there is
/// none.
const RdmaGid* chosen_gid(const HostMap& host, const RdmaPort& port);

/// fe80::/10 (RFC 4291, 2.4): what every port has, and no other host can be told.
bool is_ipv6_link_local(const IpAddress& address);

/// 169.254/16 (RFC 3927): of one cable or one switch.
bool is_ipv4_link_local(const IpAddress& address);

/// A port as it was recorded below `path` ("class/infiniband/mlx5_0/ports/1"), with its GIDs in
/// the order of their indices.
RdmaPort read_port(const Recording& recording, const std::string& path, const std::string& number);

}  // namespace railgauge::topology
