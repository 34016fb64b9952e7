#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "experiments/collective/collective_run.hpp"
#include "experiments/collective/collective_session.hpp"
#include "results/collective.hpp"

namespace railgauge::runner {

/// --algo auto: times every schedule at a few sizes, fits the cost model of `railgauge predict
/// --calibrate` to that, and chooses for each size the schedule of the shortest predicted time.
class AlgorithmByModel {
 public:
  /// Collective. Takes a few iterations of every schedule at up to four sizes of the sweep; rank 0
  /// fits and predicts for all.
  AlgorithmByModel(CollectiveSession& session, CollectiveRun& run);

  struct Chosen {
    std::size_t schedule = 0;  ///< of the run's
    std::vector<results::Prediction> predictions{};
  };

  /// Of a size of the sweep; all ranks choose alike.
  [[nodiscard]] const Chosen& of(std::uint64_t bytes) const { return chosen_.at(bytes); }

 private:
  std::map<std::uint64_t, Chosen> chosen_{};
};

}  // namespace railgauge::runner
