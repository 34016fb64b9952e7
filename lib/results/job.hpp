#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "measure/statistics.hpp"
#include "results/measurement.hpp"

namespace railgauge::results {

/// Operations of one name in all timed steps. Times are of single operations, the mean of a step,
/// and of these the median over steps.
struct JobOperation {
  std::string name{};
  std::string kind{};          // "all_reduce", "send", "compute", "marker"
  std::string group{};         // of a collective
  std::string algorithm{};     // the same
  std::int64_t instances = 0;  // groups, or pairs of ranks, that do it
  std::int64_t bytes = 0;      // of one: of the rank that has most
  std::int64_t times = 0;      // in a step, of the rank that does it most often
  /// Of the rank that takes longest and of the one that takes least, which waits least for others.
  /// Of a marker since the step began.
  double slowest_us = 0;
  double fastest_us = 0;
  std::int64_t slowest_rank = 0;

  RAILGAUGE_FIELDS((name), (kind), group, algorithm, instances, (bytes), (times), (slowest_us),
                   fastest_us, slowest_rank)
};

/// One step of all ranks.
struct JobStep {
  std::int64_t step = 0;
  double time_us = 0;  // of the slowest rank
  std::int64_t slowest_rank = 0;
  double compute_us = 0;                 // in which it computed
  double exposed_us = 0;                 // in which it did not: it communicated, or waited
  std::optional<std::uint64_t> wrong{};  // elements, of all ranks; empty: it was not verified

  RAILGAUGE_FIELDS((step), (time_us), slowest_rank, (compute_us), (exposed_us), wrong)
};

/// What a workload was, and what became of its steps.
struct JobFigures {
  std::string workload{};
  std::map<std::string, std::int64_t> parameters{};
  std::int64_t warmup_steps = 0;
  std::optional<measure::Summary> time{};  // of steps; empty while the run goes on
  std::optional<double> compute_us{};      // medians over steps
  std::optional<double> exposed_us{};
  std::optional<double> over_compute{};  // median time over the longest compute of any rank
  std::vector<JobOperation> operations{};

  RAILGAUGE_FIELDS((workload), parameters, warmup_steps, time, compute_us, exposed_us, over_compute,
                   operations)
};

/// A workload that was run.
struct JobBody {
  static constexpr const char* kKind = "job";

  JobFigures job{};
  std::vector<JobStep> rows{};

  RAILGAUGE_FIELDS((job), rows)
};

}  // namespace railgauge::results
