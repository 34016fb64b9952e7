#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/job/waits.hpp"
#include "measure/histogram.hpp"
#include "results/job.hpp"
#include "workload/job.hpp"

namespace railgauge::runner {

/// A step, as all ranks have timed it.
struct TimedStep {
  double begin_s = 0;  // since the first began, and
  double end_s = 0;    // until it was over, by rank 0's clock
  double time_us = 0;  // of the slowest rank
  double compute_us = 0;
  double communication_us = 0;
  double overlapped_us = 0;  // of that, while it computed
  schedule::Rank slowest_rank = 0;
  std::optional<Wait> waited{};
  std::optional<std::uint64_t> wrong{};  // empty: not verified
  std::vector<double> part_us{};         // of the job: until all ranks were done with it
};

/// Distributions over steps, in memory that does not grow with their number.
class StepTimes {
 public:
  void add(const TimedStep& step);
  void clear();
  [[nodiscard]] const measure::Histogram& time() const { return time_; }
  [[nodiscard]] double compute_us() const { return compute_.quantile_us(kMedian); }
  [[nodiscard]] double exposed_us() const { return exposed_.quantile_us(kMedian); }
  [[nodiscard]] double communication_us() const { return communication_.quantile_us(kMedian); }
  /// Of the communication; empty if there is none.
  [[nodiscard]] std::optional<double> overlap_percent() const;

 private:
  static constexpr unsigned kMedian = 500;
  measure::Histogram time_;
  measure::Histogram compute_;
  measure::Histogram exposed_;
  measure::Histogram communication_;
  measure::Histogram overlapped_;
};

/// Steps that make one row.
class StepWindow {
 public:
  /// The job has to outlive it. `running`: the parts of a mix that run; `first`: the number of the
  /// first step.
  explicit StepWindow(const workload::Job& job, std::string running = "", std::uint64_t first = 0)
      : job_(job),
        running_(std::move(running)),
        row_{.step = static_cast<std::int64_t>(first), .steps = 0} {}

  void add(const TimedStep& step);
  [[nodiscard]] bool is_empty() const { return row_.steps == 0; }
  /// Since when it lasts: TimedStep::begin_s of its first step.
  [[nodiscard]] double begin_s() const { return row_.begin_s; }
  /// The row, of one step at least; the next one begins behind it.
  [[nodiscard]] results::JobStep take();

 private:
  /// How often ranks waited for this longest, and how long.
  struct Waits {
    std::uint64_t steps = 0;
    double us = 0;
  };
  void add_wait(results::JobStep& row) const;

  const workload::Job& job_;
  std::string running_;
  results::JobStep row_;
  StepTimes times_;
  std::map<schedule::Rank, std::uint64_t> slowest_;  // in how many steps
  std::map<std::pair<schedule::Rank, std::uint32_t>, Waits> waits_;
};

}  // namespace railgauge::runner
