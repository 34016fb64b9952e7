#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/local_host.hpp"
#include "results/document.hpp"
#include "transport/exchange.hpp"

namespace railgauge::cluster {

/// All ranks and the rails they share.
struct Fabric {
  std::vector<results::Rank> ranks;
  results::RailRule rail_rule;
  std::vector<std::string> warnings;    // impaired rails, hosts that differ, what is not known
  std::vector<std::string> mismatches;  // of the hosts' rails, with Mismatch::report
  std::vector<results::LostPlane> lost_planes;  // that hosts lack of rails which they have
};

/// What becomes of hosts whose rails do not match (topology::Findings::mismatches): another number
/// of rails, other subnets, crossed cables, an address that exists twice.
enum class Mismatch : std::uint8_t { fail, report };

/// Collective: every rank with its host and rails, known to all; `host` is the name of this rank's,
/// and `own` what is on it. Devices that are named are rails in that order; others are numbered by
/// rule (rail_rule.hpp), and own's ports sorted accordingly. With Mismatch::fail ranks have only
/// the planes of rails that all hosts have, so that each has the same; and it throws
/// job::RunFailure on all ranks when the hosts' rails do not match (verdict), with what this host
/// has left out, which may be why; or when ranks of a host use different ports, or two hosts have
/// one name (environment); or when there is no such --fabric (usage).
[[nodiscard]] Fabric gather_fabric(transport::Exchange& exchange, const std::string& host,
                                   LocalHost& own, const DeviceOptions& options, Mismatch mismatch);

/// Throws job::RunFailure (usage) unless the ranks are on `nodes` hosts, `per_node` on each. 0: any
/// number.
void check_nodes(const std::vector<results::Rank>& ranks, int nodes, int per_node);

}  // namespace railgauge::cluster
