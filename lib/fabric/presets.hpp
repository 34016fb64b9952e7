#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fabric/description.hpp"

namespace railgauge::fabric::described {

/// The numbers that a preset makes a fabric from.
struct Shape {
  int hosts = 4;
  int rails = 2;
  int spines = 2;
  std::optional<int> leaves{};   ///< per rail, or of a Clos in all; 2, or 1 for a single host
  double rate_mbit_per_s = 200;  ///< of hosts' ports
  double delay_us = 5;           ///< of every link
  int mtu_bytes = 4200;          ///< of every link: room for 4096 bytes and the headers of RoCE
};

/// Fabrics by name. Hosts are spread over the leaves evenly, one after the other; every leaf is
/// joined to every spine, by links of a rate at which leaves are not oversubscribed, or by 2:
/// - "rail-optimised": a leaf for each rail and pod, "leaf1-0": rail 1, pod 0;
/// - "clos": all ports of a host go to the leaf of its pod, "leaf0";
/// - "oversubscribed-2": the same, with spines for half of what hosts can send;
/// - "storage": rail-optimised, and a port "storage0" of every host to a switch of its own,
///   "storage-leaf", with a storage server for each four hosts, "store0", at twice the rate.
/// Buffers and ECN thresholds are as long in time at every rate: 21 ms of a host's port, 2 to 8 ms.
/// Complete, as `fabric_of` makes it. Throws std::runtime_error for a name or a number that is
/// none.
Fabric preset(const std::string& name, const Shape& shape);

/// Their names, in this order.
const std::vector<std::string>& preset_names();

}  // namespace railgauge::fabric::described
