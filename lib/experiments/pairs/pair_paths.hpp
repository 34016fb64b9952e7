#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/pairs/all_nics.hpp"
#include "experiments/pairs/pair_tester.hpp"
#include "experiments/pairs/pairs_options.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "experiments/pairs/path_tracer.hpp"
#include "pairs/rounds.hpp"
#include "results/pairs.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {

/// Says in a row which paths its queue pairs take, which send from these ports. `path`: what
/// switches told of it; null if they were not asked. `balance`: how they were found to choose
/// anywhere.
void describe_paths(results::PairRow& row, const TracedPath* path, paths::Balance balance,
                    const std::vector<std::uint16_t>& source_ports);

/// Which source ports the queue pairs of all tests have, the same in each test and in both
/// directions, and which switches packets pass from them. The same on all ranks.
class PairPaths {
 public:
  /// `exchange` and `all` have to outlive it.
  PairPaths(transport::Exchange& exchange, const PairsOptions& options, const AllNics& all);

  /// Collective: asks, for all pairs of these steps, in their order; not for those that are left
  /// when so much time has passed, by rank 0's clock.
  void trace(const std::vector<PairsStep>& steps, std::chrono::duration<double> most);

  /// Of each queue pair; empty: drivers choose, and nobody knows the path.
  [[nodiscard]] const std::vector<std::uint32_t>& flow_labels() const { return flow_labels_; }
  /// Tests in groups that may run at the same time: no two of a group are known to share a link.
  [[nodiscard]] std::vector<std::vector<PairTest>> apart(const std::vector<PairTest>& tests) const;
  /// Fills in what a row says of its path.
  void label(results::PairRow& row, std::size_t from, std::size_t to) const;
  /// What is not known, and why: sentences.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  [[nodiscard]] std::vector<PathEnds> open_paths(const PairsStep& step);
  [[nodiscard]] bool all_below_one_switch() const;
  [[nodiscard]] pairs::Links links_of(const PairTest& test) const;

  transport::Exchange& exchange_;
  std::vector<std::uint16_t> source_ports_;  // empty: nobody asks
  std::vector<std::uint32_t> flow_labels_;
  PathTracer tracer_;
  std::size_t left_out_ = 0;  // paths
};

}  // namespace railgauge::runner
