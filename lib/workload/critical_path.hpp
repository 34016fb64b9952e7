#pragma once

#include <span>
#include <vector>

#include "workload/job.hpp"

namespace railgauge::workload {

/// The longest chain of operations in a step, each of which waits for the one before.
struct CriticalPath {
  double time_us = 0;                  // of the step
  std::vector<double> operation_us{};  // [operation of the job] its part of that
};

/// What a task takes if each of its ranks sends and receives so many bytes in a microsecond, and
/// nothing else takes time: a collective at that bus bandwidth, all-to-all-v what its busiest rank
/// sends to others or receives from them.
[[nodiscard]] double line_rate_us(const Job& job, const Task& task, double bytes_per_us);

/// What all-to-all-v brings a member from others.
[[nodiscard]] std::uint64_t received_bytes(const Task& task, Rank number);

/// An operation of a stream: from when all who do it have come until it is over.
struct Span {
  double begin_us = 0;
  double end_us = 0;
};

/// Of a job that check() takes, if each task lasts `task_us[task]` for all who do it, and a compute
/// as long as the workload says: nothing waits for a link or for a processor. A collective begins
/// when its last member has come, a receive when its send has begun; a send waits for nobody.
[[nodiscard]] CriticalPath critical_path(const Job& job, std::span<const double> task_us);

/// The same step: [rank][stream][entry] of the job, for pictures.
[[nodiscard]] std::vector<std::vector<std::vector<Span>>> spans_of(const Job& job,
                                                                   std::span<const double> task_us);

}  // namespace railgauge::workload
