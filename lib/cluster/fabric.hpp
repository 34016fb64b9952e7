#pragma once

#include <string>
#include <vector>

#include "cluster/local_host.hpp"
#include "job/communicator.hpp"
#include "results/document.hpp"

namespace railgauge::cluster {

/// All ranks and the rails they share.
struct Fabric {
  std::vector<results::Rank> ranks;
  results::RailRule rail_rule;
  std::vector<std::string> warnings;  // slow rails
};

/// Collective: every rank with its host and rails, known to all. Devices that are named are rails
/// in that order; others are numbered by rule (rail_rule.hpp), and own's ports put in that order.
/// Throws job::RunFailure on all ranks when the hosts' rails do not fit together (verdict): other
/// numbers, other subnets, crossed cables, an address that is there twice; it says what this host
/// has left out, which may be why. Or when ranks of a host use different devices (environment).
[[nodiscard]] Fabric gather_fabric(job::Communicator& communicator, LocalHost& own,
                                   const DeviceOptions& options);

/// Throws job::RunFailure (usage) unless the ranks are on `nodes` hosts, `per_node` on each. 0: any
/// number.
void check_nodes(const std::vector<results::Rank>& ranks, int nodes, int per_node);

}  // namespace railgauge::cluster
