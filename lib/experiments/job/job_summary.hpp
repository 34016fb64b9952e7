#pragma once

#include <string>
#include <vector>

#include "experiments/job/step_run.hpp"
#include "job/communicator.hpp"
#include "results/job.hpp"

namespace railgauge::runner {

/// What ranks have timed, of all steps.
class JobSummary {
 public:
  /// `algorithms`: of each operation of the job, "" of what is no collective. The job has to
  /// outlive it.
  JobSummary(const workload::Job& job, std::vector<std::string> algorithms)
      : job_(job), algorithms_(std::move(algorithms)), means_us_(job.operations.size()) {}

  /// Collective: a step, the same on all ranks; not yet whether its data were right.
  results::JobStep add(const StepRun::Step& own, job::Communicator& communicator);
  /// Collective: fills in what is about all steps.
  void finish(results::JobBody& body, job::Communicator& communicator) const;

 private:
  [[nodiscard]] results::JobOperation operation(std::size_t number,
                                                const std::vector<double>& medians) const;

  const workload::Job& job_;
  std::vector<std::string> algorithms_;
  std::vector<std::vector<double>> means_us_;  // [operation] of each step that had it, this rank's
};

}  // namespace railgauge::runner
