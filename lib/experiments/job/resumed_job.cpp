#include "experiments/job/resumed_job.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>

#include "results/same_run.hpp"

namespace railgauge::runner {
namespace {

using results::JobBody;
using results::JobStep;

/// When the last of rows that all run the same ended: rows say when they began, and from one to the
/// next there is more than their steps.
double end_s(std::span<const JobStep> rows) {
  constexpr double kMicro = 1e6;
  const JobStep& last = rows.back();
  const auto before = static_cast<double>(last.step - rows.front().step);
  const double step_s =
      before > 0 ? (last.begin_s - rows.front().begin_s) / before : last.time_us / kMicro;
  return last.begin_s + step_s * static_cast<double>(last.steps);
}

/// The first thing.
std::string difference(const results::Document& recorded, const results::Document& now) {
  const results::JobFigures& before = std::get<JobBody>(recorded.body).job;
  const results::JobFigures& job = std::get<JobBody>(now.body).job;
  std::string found = results::differs("the workload", before.workload, job.workload);
  const std::string absent = "absent";
  for (const auto& [name, value] : job.parameters) {
    const auto was = before.parameters.find(name);
    if (!found.empty()) break;
    found = results::differs("the parameter " + name,
                             was == before.parameters.end() ? absent : std::to_string(was->second),
                             std::to_string(value));
  }
  for (const auto& [name, value] : before.parameters) {
    if (found.empty() && !job.parameters.contains(name))
      found = results::differs("the parameter " + name, std::to_string(value), absent);
  }
  if (found.empty()) found = results::difference_of_options(recorded.options, now.options);
  if (found.empty()) found = results::difference_of_fabrics(recorded.ranks, now.ranks);
  return found;
}

}  // namespace

JobProgress progress_of(const std::vector<JobStep>& rows, const std::string& running) {
  if (rows.empty()) return {};
  const auto first = std::ranges::find(rows, rows.back().running, &JobStep::running);
  const double elapsed_s = end_s({first, rows.end()});
  if (rows.back().running != running) return {.elapsed_s = elapsed_s};
  return {.steps = static_cast<std::uint64_t>(rows.back().step + rows.back().steps),
          .steps_s = elapsed_s - first->begin_s,
          .elapsed_s = elapsed_s};
}

void check_resumable(const results::Document& earlier, const results::Document& now) {
  const auto* const before = std::get_if<JobBody>(&earlier.body);
  if (before == nullptr) throw std::invalid_argument("is no document of job_perf");
  if (before->rows.empty()) throw std::invalid_argument("has no row: there is nothing to resume");
  if (const std::string why = difference(earlier, now); !why.empty())
    throw std::invalid_argument(why);
}

void put_first(const results::Document& earlier, const JobProgress& progress, JobBody& now) {
  const auto& before = std::get<JobBody>(earlier.body);
  now.rows = before.rows;
  now.job.resumed = {.start = before.job.resumed ? before.job.resumed->start : earlier.start,
                     .status = results::status_of(earlier),
                     .rows = static_cast<std::int64_t>(before.rows.size()),
                     .steps = static_cast<std::int64_t>(progress.steps)};
}

}  // namespace railgauge::runner
