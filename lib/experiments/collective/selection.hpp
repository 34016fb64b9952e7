#pragma once

#include <cstdint>
#include <vector>

#include "experiments/collective/collective_run.hpp"
#include "experiments/collective/collective_session.hpp"
#include "measure/cost_model.hpp"

namespace railgauge::runner {

/// --algo auto: times every schedule at a few sizes, fits a cost model to that, and chooses for
/// each size the schedule that the model foretells the shortest time for.
class Selection {
 public:
  /// Collective. Takes a few iterations of every schedule at up to four sizes of the sweep.
  Selection(CollectiveSession& session, CollectiveRun& run);

  struct Chosen {
    std::size_t schedule = 0;  // of the run's
    std::vector<results::Prediction> predictions;
  };
  [[nodiscard]] Chosen choose(const CollectiveRun& run, std::uint64_t bytes) const;

 private:
  measure::CostModel model_;  // the same on all ranks
  std::size_t chunk_bytes_;
};

}  // namespace railgauge::runner
