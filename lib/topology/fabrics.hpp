#pragma once

#include <string>
#include <vector>

#include "topology/nic_choice.hpp"
#include "topology/rail.hpp"

namespace railgauge::topology {

/// A set of ports that is there on the hosts beside the rails, as for storage or management.
struct OtherFabric {
  std::string name{};                // for --fabric
  std::string reason{};              // what sets it apart: "100 Gb/s, the rails 400"
  std::vector<std::string> ports{};  // of the first host that has them: "mlx5_8"
  std::size_t hosts = 0;             // that have it
};

/// How LeftOut::reason begins of a port of another fabric.
inline constexpr const char* kOtherFabric = "of the fabric ";

struct Fabrics {
  std::vector<Host> hosts{};  // with the ports of the chosen fabric; the others are left out
  std::vector<OtherFabric> others{};
};

/// Tells rails from the ports of other fabrics. Of a host's NICs those are apart that
/// - run at another speed than the speed of most of its bandwidth;
/// - the default route leaves by, unless they are one of a series of four alike;
/// - have a network device or RDMA device of another name ("stor0" beside "rail0"), unless both
///   names are the kernel's;
/// - have an address outside the series of subnets that most are in.
/// They are another fabric if they are apart so on most hosts, or on a few that share its subnet
/// and have nothing there on the other hosts. What is apart on one host alone is judged by its like
/// on the others: by those in its subnet, else by those at its PCI address, else by those of its
/// name. So a rail that came up at the speed of storage stays a rail, and is slow; on however many
/// hosts, as long as one of its model in its subnet, or at its PCI address, has the rails' speed. A
/// subnet that no two hosts share is no fabric, nor is one whose NICs are all at the PCI
/// address of another host's rail: its addresses are wrong. A slower NIC of another model without
/// its like on other hosts is left out. A port that cannot be used, and whose like is a rail of
/// another host, is a lost rail (LeftOut). On a single host one slower NIC in the series of the
/// others stays. If the user names ports (--include, --rail-map), those are the rails. Throws
/// std::invalid_argument if wishes.fabric is none of these.
Fabrics separate_fabrics(std::vector<Host> hosts, const NicWishes& wishes = {});

}  // namespace railgauge::topology
