#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "workload/job.hpp"

namespace railgauge::runner {

/// The tasks of each rank, in ascending order.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> tasks_of_ranks(const workload::Job& job);

/// For whom ranks waited, and where.
struct Wait {
  schedule::Rank rank = 0;      // that came last: of its task it took least time
  std::uint32_t operation = 0;  // of the job
  double us = 0;                // by which the rank that took most took longer
};

/// The longest of a step. `times_us[rank]`: of each of its tasks, in that order, the time of all
/// its runs in the step. Empty: nobody waited for anybody.
[[nodiscard]] std::optional<Wait> longest_wait(const workload::Job& job,
                                               std::span<const std::vector<std::uint32_t>> tasks,
                                               std::span<const std::vector<double>> times_us);

/// [task] The shortest of its ranks' `times_us`.
[[nodiscard]] std::vector<double> shortest_of_tasks(
    const workload::Job& job, std::span<const std::vector<std::uint32_t>> tasks,
    std::span<const std::vector<double>> times_us);

}  // namespace railgauge::runner
