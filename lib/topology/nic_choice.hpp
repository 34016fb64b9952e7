#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/host_map.hpp"
#include "topology/port_pattern.hpp"
#include "topology/rail.hpp"
#include "topology/rail_map.hpp"

namespace railgauge::topology {

/// What the user says about which ports are rails.
struct NicWishes {
  std::optional<PortPattern> include{};  // no others are
  std::optional<PortPattern> exclude{};  // these are not
  RailMap rail_map{};                    // if there is one: no others are
};

struct LeftOut {
  std::string device{};
  int port = 1;
  std::string reason{};  // a clause: "its port is DOWN"
};

struct NicChoice {
  std::vector<Nic> nics{};  // in rail order (rail.hpp)
  std::vector<LeftOut> left_out{};
};

/// The ports of a host that are its rails. Left out is, with the reason:
/// - what the user excludes, does not include, or leaves out of the rail map;
/// - what cannot be used: a port that is not active, not Ethernet, or without a RoCE v2 GID that
/// has
///   an address of this host; a member of a bond;
/// and, unless the user names it by include or map, and only if others remain:
/// - a virtual function (SR-IOV) whose physical one is a rail: they share a wire;
/// - a port for storage or management: slower than the fastest and of another model, or the one
///   that the default route leaves by. A slower one of the same model is a slow rail, and stays.
NicChoice choose_nics(const HostMap& host, const NicWishes& wishes = {});

/// Why the user does not want a port, as a clause; "" if it is wanted, or not spoken of.
std::string why_unwanted(const std::string& device, int port, const NicWishes& wishes);

}  // namespace railgauge::topology
