#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

namespace railgauge::fabric {

/// A switch: ports of a speed, each of which may be split into slower ones.
struct SwitchModel {
  Count ports = 128;
  double gbps = 400;

  /// How many links of that speed it has; none if a port is slower than that.
  [[nodiscard]] Count links(double of_gbps) const;
  /// How many ports that many links take.
  [[nodiscard]] Count ports_of(Count links, double of_gbps) const;
  [[nodiscard]] std::string text() const;
  friend bool operator==(const SwitchModel&, const SwitchModel&) = default;
};

/// What a planner asks for.
struct Request {
  std::string generator = "rail-optimised";
  Count hosts = 32;
  Count nics = 8;
  double nic_gbps = 400;
  Count planes = 1;
  SwitchModel leaf{};
  SwitchModel spine{};
  double uplink_gbps = 0;  ///< 0: as fast as a NIC's port
  double oversubscription = 1;
  Count spines = 0;          ///< that a leaf reaches; 0: as few as fit
  Count hosts_per_leaf = 0;  ///< 0: as many as fit
  Count k = 0;               ///< of a fat-tree
  SwitchModel wan{0, 400};   ///< links between sites, in each plane; 0: one of each spine
  double wan_delay_us = 0;   ///< one way
};

struct Sizing {
  Fabric fabric{};
  std::vector<std::string> remarks{};  ///< a sentence each: what differs from the request, and why
};

/// The generators that sized() knows:
/// - rail-optimised: NIC i of all hosts of a block on one leaf; spines join the leaves of all
///   rails. Where no spine is that large, each rail has spines of its own (a remark).
/// - rail-only: the same, and rails are never joined: Wang et al., HOTI 2024.
/// - clos-2: all NICs of a host on one leaf.
/// - clos-3: the same, with pods of leaves and spines under cores.
/// - dragonfly+: groups of leaves and spines, and each spine joined to that spine of every other
///   group: Shpiner et al., HiPINEB 2017, with as many groups as a spine has ports for.
/// - multi-site: two rail-optimised fabrics whose spines are joined by a WAN.
/// - fat-tree: of K-port switches, K^3/4 hosts of one NIC: Al-Fares et al., SIGCOMM 2008.
/// - multi-plane: a NIC has a port to each plane, which is a rail-optimised fabric of its own.
[[nodiscard]] const std::vector<std::string>& generators();

/// Throws std::invalid_argument: one sentence that says why there is no such fabric, and the
/// nearest possible ones.
[[nodiscard]] Sizing sized(const Request& request);

}  // namespace railgauge::fabric
