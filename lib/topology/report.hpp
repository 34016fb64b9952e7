#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "topology/fabrics.hpp"
#include "topology/host_map.hpp"
#include "topology/nic_choice.hpp"
#include "topology/placement.hpp"
#include "topology/rail_rule.hpp"

namespace railgauge::topology {

/// A host, and what was decided about it.
struct HostReport {
  HostMap map{};
  std::vector<Nic> rails{};  // in the order of rails
  std::vector<LeftOut> left_out{};
  std::vector<Placement> ranks{};  // if ranks are placed
  /// What to know about the host, a sentence each: which claim about a location is used, PCI links
  /// of devices that are no rails and slower than they could be.
  std::vector<std::string> remarks{};
  /// What is wrong with it: those of Report::wrong that name it first, from there on.
  std::vector<std::string> wrong{};
};

/// One host, or several that should be a fabric.
struct Report {
  RailRule rule = RailRule::pci_order;
  std::string reason{};  // of the rule
  std::vector<HostReport> hosts{};
  std::vector<OtherFabric> fabrics{};  // beside the rails
  std::vector<std::string> wrong{};    // mismatches and impairments (rail_check.hpp)
  std::vector<std::string> warnings{};
  std::vector<std::string> notes{};
};

/// Finds the rails of all hosts and checks them. `hosts` is not empty. No ranks are placed yet.
/// Throws std::invalid_argument if wishes.fabric is not there.
Report report_on(std::vector<HostMap> hosts, const NicWishes& wishes = {});

/// For people, in 80 columns where names and addresses allow it: NUMA nodes, a line for every rail,
/// what was left out and why, ranks, remarks. Of hwloc's XML alone: a line for every RDMA device.
std::string as_table(const Report& report);

/// For people: the PCI bridges between NUMA nodes and RDMA devices.
std::string as_tree(const Report& report);

/// The document railgauge/topology/1 of results-schema.
std::string as_json(const Report& report);

/// A picture of a host, a whole SVG document, in light or dark: NUMA nodes with their cpus and
/// ranks, below them PCI bridges and RDMA devices, at the bottom the rails; below a device that is
/// no rail, or a wrong one, why. At most eight devices stand beside each other.
std::string as_svg(const HostReport& host);

/// The numbers of the rails that a rank of the host drives: a host that lacks a rail has fewer.
std::set<int> rails_of(const HostReport& host, const Placement& rank);

/// "64 GiB", of a node's memory.
std::string gibibytes(std::uint64_t bytes);

}  // namespace railgauge::topology
