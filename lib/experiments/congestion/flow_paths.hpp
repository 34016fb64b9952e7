#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "congestion/path_shares.hpp"
#include "congestion/scenario.hpp"
#include "experiments/pairs/all_nics.hpp"
#include "experiments/pairs/path_tracer.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {

/// Which source ports the queue pairs of flows have, and which switches packets pass from them. The
/// same on all ranks.
class FlowPaths {
 public:
  struct Settings {
    std::uint8_t traffic_class = 0;
    int probes_per_second = 100;
    int most_queue_pairs = 1;
  };

  /// `exchange` and `all` have to outlive it.
  FlowPaths(transport::Exchange& exchange, const AllNics& all, const Settings& settings);

  /// Collective: asks for the paths of these steps, and back. Once.
  void trace(const std::vector<congestion::PlannedStep>& steps);
  /// Whether a source port has a path of its own, and any is known.
  [[nodiscard]] bool known() const;

  /// Of each flow and queue pair: the same for all flows, or such that they share few links.
  [[nodiscard]] std::vector<std::vector<std::uint16_t>> ports_of(
      const congestion::PlannedStep& step) const;
  [[nodiscard]] congestion::Path path_of(const congestion::PlannedFlow& flow,
                                         std::uint16_t port) const;
  /// That these flows may take from any of the source ports.
  [[nodiscard]] std::set<congestion::Link> links_of(
      const std::vector<congestion::PlannedFlow>& flows) const;
  /// What is not known, and why: sentences.
  [[nodiscard]] std::vector<std::string> notes() const { return tracer_.notes(); }

 private:
  [[nodiscard]] std::vector<congestion::Path> candidates_of(
      const congestion::PlannedFlow& flow) const;

  std::vector<std::uint16_t> ports_;
  PathTracer tracer_;
};

}  // namespace railgauge::runner
