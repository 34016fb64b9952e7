#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/job/step_run.hpp"
#include "experiments/job/step_window.hpp"
#include "experiments/job/waits.hpp"
#include "job/communicator.hpp"
#include "measure/histogram.hpp"
#include "results/job.hpp"

namespace railgauge::runner {

/// What ranks have timed, of all steps. Memory does not grow with their number.
class JobSummary {
 public:
  /// `algorithms`: of each operation of the job, "" of what is no collective. The job has to
  /// outlive it. `deadline`: of operations that have arrivals. `bytes_per_us`: line rate of a rank,
  /// of each part of the job; 0: not known.
  JobSummary(const workload::Job& job, std::vector<std::string> algorithms,
             std::optional<std::chrono::nanoseconds> deadline, std::vector<double> bytes_per_us);

  /// Collective: a step, the same on all ranks; not yet whether its data were right. `begin_s` and
  /// `end_s` are this rank's: rank 0's count.
  TimedStep add(const StepRun::Step& own, double begin_s, double end_s,
                job::Communicator& communicator);
  /// Collective: fills in what is about all steps.
  void finish(results::JobFigures& figures, job::Communicator& communicator) const;

 private:
  /// Of one operation, this rank's.
  struct Latencies {
    measure::Histogram times{};
    std::uint64_t within = 0;  // the deadline
  };
  [[nodiscard]] std::optional<results::JobLatency> latency(const Latencies& own,
                                                           job::Communicator& communicator) const;
  [[nodiscard]] results::JobOperation operation(std::size_t number,
                                                const std::vector<double>& medians) const;
  void add_rails(results::JobFigures& figures, job::Communicator& communicator) const;
  void add_ideal(results::JobFigures& figures, job::Communicator& communicator) const;
  void add_line_rate(results::JobFigures& figures) const;

  const workload::Job& job_;
  std::vector<std::string> algorithms_;
  std::optional<std::chrono::nanoseconds> deadline_;
  std::vector<double> bytes_per_us_;               // [part]
  std::vector<std::vector<std::uint32_t>> tasks_;  // [rank]
  StepTimes times_;
  std::vector<measure::Histogram> means_;  // [operation] of each step that had it, this rank's
  std::vector<double> least_us_{};         // of this rank's tasks, of single runs
  std::vector<double> rail_runs_{};        // [operation * rails + rail], this rank's
  std::vector<double> rail_us_{};          // the sum of as many
  std::map<std::uint32_t, Latencies> latencies_{};  // of operations that have arrivals
};

}  // namespace railgauge::runner
