#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
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
  std::vector<Nic> rails{};  // in the order of rails; as in Report::found
  std::vector<LeftOut> left_out{};
  std::vector<Placement> ranks{};  // if ranks are placed
  /// What to know about the host, a sentence each: which claim about a location is used, PCI links
  /// of devices that are no rails and slower than they could be.
  std::vector<std::string> remarks{};
};

/// One host, or several that should be a fabric.
struct Report {
  FoundRails found{};
  std::vector<HostReport> hosts{};
  std::vector<OtherFabric> fabrics{};  // in addition to the rails
  std::vector<std::string> notes{};    // how options were understood
};

/// Finds the rails of all hosts. What is wrong with them: checks/rail_check.hpp. `hosts` is
/// not empty. No ranks are placed yet. Throws std::invalid_argument if wishes.fabric is not there.
Report report_on(std::vector<HostMap> hosts, const NicWishes& wishes = {});

/// For people: NUMA nodes, a line for every rail, what was left out and why, ranks, remarks. Of
/// hwloc's XML alone: a line for every RDMA device.
std::string as_table(const Report& report);

/// The document railgauge/topology/2 of results-schema without its findings.
nlohmann::ordered_json as_json(const Report& report);

/// The numbers of the rails that a rank of the host drives: a host that lacks a rail has fewer.
std::set<int> rails_of(const HostReport& host, const Placement& rank);

}  // namespace railgauge::topology
