#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cluster/rank_watch.hpp"
#include "experiments/collective/collective_session.hpp"
#include "experiments/job/job_findings.hpp"
#include "experiments/job/step_run.hpp"
#include "experiments/job/task_edges.hpp"
#include "measure/histogram.hpp"

namespace railgauge::runner {

/// Watches this rank and its connections for some steps, and tells the other ranks.
class PeriodWatch {
 public:
  using Tasks = std::map<std::uint32_t, std::unique_ptr<TaskRun>>;

  /// `points`: how the tasks of each part are connected. All but that have to outlive it.
  PeriodWatch(CollectiveSession& session, const std::vector<results::SweepPoint>& points,
              const workload::Job& job, const Tasks& tasks);

  /// A step of this rank, which was so long with the others between steps.
  void add(const StepRun::Step& step, std::chrono::nanoseconds between);
  /// Collective: of all ranks; the next period begins. Throws what `end` does if a task cannot tell
  /// its peers.
  [[nodiscard]] JobPeriod take(const std::vector<std::string>& algorithms,
                               const executor::RunLimits& limits,
                               const std::function<void(TaskRun&, executor::Outcome)>& end);

 private:
  [[nodiscard]] std::vector<TaskEdge> edges_of_all_ranks() const;
  [[nodiscard]] std::vector<double> compute_us() const;
  [[nodiscard]] std::vector<results::CollectiveRow> rows_of_rails(
      const std::vector<std::string>& algorithms) const;

  CollectiveSession& session_;
  const workload::Job& job_;
  const Tasks& tasks_;
  std::vector<std::vector<RailSet>> driven_{};  // [part][rank]
  measure::Histogram steps_;
  std::map<std::uint32_t, measure::Histogram> computes_{};  // of a step, by operation
  std::vector<StepRun::Times> rails_{};                     // of all steps, as in one
  cluster::RankWatch watch_;
  std::chrono::system_clock::time_point begin_;
};

}  // namespace railgauge::runner
