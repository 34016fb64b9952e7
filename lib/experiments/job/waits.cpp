#include "experiments/job/waits.hpp"

#include <algorithm>
#include <limits>

namespace railgauge::runner {
namespace {

/// The shortest and the longest time of a task.
struct Range {
  double least_us = std::numeric_limits<double>::infinity();
  double most_us = 0;
  schedule::Rank least_of = 0;
};

using Tasks = std::span<const std::vector<std::uint32_t>>;
using TimesOfRanks = std::span<const std::vector<double>>;

std::vector<Range> ranges_of(const workload::Job& job, Tasks tasks, TimesOfRanks times_us) {
  std::vector<Range> ranges(job.tasks.size());
  for (schedule::Rank rank = 0; rank < job.ranks; ++rank) {
    for (std::size_t at = 0; at < tasks[rank].size(); ++at) {
      const double us = times_us[rank][at];
      Range& range = ranges[tasks[rank][at]];
      range.most_us = std::max(range.most_us, us);
      if (us < range.least_us) range.least_us = us, range.least_of = rank;
    }
  }
  return ranges;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> tasks_of_ranks(const workload::Job& job) {
  std::vector<std::vector<std::uint32_t>> tasks(job.ranks);
  for (std::uint32_t task = 0; task < job.tasks.size(); ++task) {
    for (const schedule::Rank rank : job.tasks[task].members) tasks[rank].push_back(task);
  }
  return tasks;
}

std::optional<Wait> longest_wait(const workload::Job& job, Tasks tasks, TimesOfRanks times_us) {
  std::optional<Wait> longest;
  const std::vector<Range> ranges = ranges_of(job, tasks, times_us);
  for (std::size_t task = 0; task < ranges.size(); ++task) {
    const double us = ranges[task].most_us - ranges[task].least_us;
    if (us > (longest ? longest->us : 0))
      longest = Wait{ranges[task].least_of, job.tasks[task].operation, us};
  }
  return longest;
}

std::vector<double> shortest_of_tasks(const workload::Job& job, Tasks tasks,
                                      TimesOfRanks times_us) {
  std::vector<double> shortest;
  shortest.reserve(job.tasks.size());
  for (const Range& range : ranges_of(job, tasks, times_us)) shortest.push_back(range.least_us);
  return shortest;
}

}  // namespace railgauge::runner
