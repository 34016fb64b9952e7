#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/local_host.hpp"
#include "finding/finding.hpp"
#include "job/failure.hpp"
#include "results/document.hpp"
#include "transport/exchange.hpp"

namespace railgauge::cluster {

/// All ranks and the rails they share.
struct Fabric {
  std::vector<results::Rank> ranks;
  results::RailRule rail_rule;
  std::vector<finding::Finding> findings;  // of the hosts' rails
};

/// What becomes of hosts whose rails do not match (checks::prevents_run()): another number of
/// rails, other subnets, crossed cables, an address that exists twice.
enum class Mismatch : std::uint8_t { fail, report };

/// Nothing can run over the hosts' rails. Its text has the findings that say so.
class MismatchedRails : public job::RunFailure {
 public:
  MismatchedRails(std::vector<finding::Finding> findings, const std::string& left_out);

  /// All, those with which it could run, too.
  [[nodiscard]] const std::vector<finding::Finding>& findings() const { return findings_; }

 private:
  std::vector<finding::Finding> findings_;
};

/// Collective: every rank with its host and rails, known to all; `host` is the name of this rank's,
/// and `own` what is on it. Devices that are named are rails in that order; others are numbered by
/// rule (rail_rule.hpp), and own's ports sorted accordingly. With Mismatch::fail ranks have only
/// the planes of rails that all hosts have, so that each has the same; and it throws
/// MismatchedRails on all ranks when the hosts' rails do not match, with what this host has left
/// out, which may be why; job::RunFailure when ranks of a host use different ports, or two hosts
/// have one name (environment); or when there is no such --fabric (usage).
[[nodiscard]] Fabric gather_fabric(transport::Exchange& exchange, const std::string& host,
                                   LocalHost& own, const DeviceOptions& options, Mismatch mismatch);

/// Throws job::RunFailure (usage) unless the ranks are on `nodes` hosts, `per_node` on each. 0: any
/// number.
void check_nodes(const std::vector<results::Rank>& ranks, int nodes, int per_node);

}  // namespace railgauge::cluster
