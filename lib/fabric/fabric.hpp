#pragma once

#include <cstdint>
#include <functional>
#include <string>

// lib/fabric holds fabrics as data. This file has regular ones as a few numbers, without anything
// stored per link; sizing and designs stand on it. description.hpp has any fabric link by link. It
// must not know collectives, ranks, packets, or how anything is measured.

namespace railgauge::fabric {

using Count = std::uint64_t;

/// A regular fabric of two or three tiers. Hosts, leaves, spines and cores are numbered from 0;
/// what is joined to what follows by arithmetic, so that one of 262,144 NICs costs a few bytes.
/// Pods without cores: each spine is joined to that spine of every other pod.
struct Fabric {
  std::string generator = "rail-optimised";
  Count hosts = 2;
  Count nics = 8;            ///< of a host
  Count planes = 1;          ///< ports of a NIC, each to a network of its own
  double port_gbps = 400;    ///< of one of these ports
  bool by_rail = true;       ///< a leaf has one NIC of each of its hosts; else all of them
  bool joined_rails = true;  ///< spines reach the leaves of all rails; else each rail has its own
  Count hosts_per_leaf = 2;
  Count spines = 1;  ///< that a leaf reaches; 0: there is one leaf a rail, and no spine
  Count bundle = 1;  ///< links between a leaf and each of its spines
  double up_gbps = 400;
  Count pod_blocks = 0;   ///< leaves of a rail that share spines; 0: all, there is no third tier
  Count cores = 0;        ///< that a spine reaches: the same ones as that spine of other pods
  Count core_bundle = 1;  ///< links between a spine and each of its cores, or of the next
  double core_gbps = 400;
  double core_delay_us = 0;  ///< of such a link, one way, beyond that of others: between sites

  friend bool operator==(const Fabric&, const Fabric&) = default;
};

/// What a fabric consists of.
struct Parts {
  Count groups = 0;  ///< sets of leaves: one for each rail, or one
  Count blocks = 0;  ///< leaves of a group and plane: the blocks that hosts are cut into
  Count pods = 0;    ///< sets of blocks that share spines
  Count leaves = 0;
  Count spines = 0;
  Count cores = 0;
  Count host_links = 0;
  Count leaf_links = 0;  ///< between leaves and spines
  Count core_links = 0;
  Count leaf_down_ports = 0;  ///< of a full leaf
  Count leaf_up_ports = 0;
  Count spine_down_ports = 0;
  Count spine_up_ports = 0;
  Count core_ports = 0;
};

[[nodiscard]] Parts parts_of(const Fabric& fabric);
/// Several pods, and no cores.
[[nodiscard]] bool joins_pods_directly(const Fabric& fabric);

[[nodiscard]] inline Count divided_up(Count number, Count by) {
  return (number + by - 1) / by;
}

[[nodiscard]] inline double real(Count number) {
  return static_cast<double>(number);
}

/// A host's NIC, all its planes.
[[nodiscard]] double nic_gbps(const Fabric& fabric);
[[nodiscard]] Count nics_of(const Fabric& fabric);
/// What a full leaf receives from hosts over what it sends up: 1 is none. As it is, not as asked.
[[nodiscard]] double oversubscription(const Fabric& fabric);
/// The same between spines and cores.
[[nodiscard]] double core_oversubscription(const Fabric& fabric);
/// Of half of the hosts to the other half, one direction: what the tier with the least carries.
[[nodiscard]] double bisection_gbps(const Fabric& fabric);
/// What a port carries of its rate without the headers of RoCE v2: 82 bytes for each packet of
/// `mtu_bytes` (preamble 8, Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4, gap 12).
[[nodiscard]] double payload_fraction(int mtu_bytes = 4096);
/// How much of random or shifted traffic leaves its leaf: (N - D) / (N - 1).
[[nodiscard]] double crossing_fraction(const Fabric& fabric);
/// Switches on the longest path.
[[nodiscard]] int most_switches(const Fabric& fabric);

/// The leaf of a NIC: (plane x groups + group) x blocks + block.
[[nodiscard]] Count leaf_of(const Fabric& fabric, Count host, Count nic, Count plane = 0);
[[nodiscard]] Count pod_of(const Fabric& fabric, Count host);

enum class Tier { host, leaf, spine, core };

struct Node {
  Tier tier = Tier::host;
  Count number = 0;
};

/// One cable; `port` is that of a host: nic x planes + plane. `copy` numbers the links between the
/// same two nodes.
struct Link {
  Node lower{};
  Node upper{};
  Count port = 0;
  Count copy = 0;
  double gbps = 0;
};

/// Every link, made when it is its turn.
void for_each_link(const Fabric& fabric, const std::function<void(const Link&)>& take);

/// "host3", "leaf1-0" (rail or plane and rail, block), "spine2", "core0".
[[nodiscard]] std::string name_of(const Fabric& fabric, const Node& node);

/// "51.2", "0.984": no digits that say nothing.
[[nodiscard]] std::string number(double value, int digits = 4);
/// "1,024".
[[nodiscard]] std::string counted(Count count);

}  // namespace railgauge::fabric
