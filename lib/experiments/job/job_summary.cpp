#include "experiments/job/job_summary.hpp"

#include <algorithm>
#include <array>

#include "measure/histogram.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {
namespace {

using workload::Entry;
using workload::Job;
using workload::Kind;

constexpr double kMicroseconds = 1e-3;  // of a nanosecond
constexpr double kNever = -1;           // in place of a time

double microseconds(std::chrono::nanoseconds time) {
  return kMicroseconds * static_cast<double>(time.count());
}

std::string kind_of(const workload::NamedOperation& operation) {
  return std::string(operation.kind == Kind::collective ? schedule::name(operation.type)
                                                        : word(operation.kind));
}

/// How often a rank does it in a step.
std::int64_t most_times(const Job& job, std::size_t number) {
  std::int64_t most = 0;
  for (const auto& streams : job.streams) {
    std::int64_t times = 0;
    for (const workload::RankStream& stream : streams)
      times += std::ranges::count(stream.entries, number, &Entry::operation);
    most = std::max(most, times);
  }
  return most;
}

double median_of(const std::vector<results::JobStep>& rows, double results::JobStep::*member) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const results::JobStep& row : rows) values.push_back(row.*member);
  return measure::median(values);
}

/// Of any rank, in microseconds.
double longest_compute(const Job& job) {
  std::uint64_t longest = 0;
  for (const auto& streams : job.streams) {
    for (const workload::RankStream& stream : streams) {
      std::uint64_t all = 0;
      for (const Entry& entry : stream.entries) all += entry.microseconds;
      longest = std::max(longest, all);
    }
  }
  return static_cast<double>(longest);
}

}  // namespace

results::JobStep JobSummary::add(const StepRun::Step& own, job::Communicator& communicator) {
  for (std::size_t at = 0; at < own.operations.size(); ++at) {
    const StepRun::Times& times = own.operations[at];
    if (times.times > 0)
      means_us_[at].push_back(microseconds(times.all) / static_cast<double>(times.times));
  }
  const std::vector<std::array<double, 2>> figures{
      {microseconds(own.time), microseconds(own.compute)}};
  const auto all = transport::all_gather(communicator, figures);
  const auto slowest =
      std::ranges::max_element(all, {}, [](const auto& of_rank) { return of_rank.front()[0]; });
  const auto [time_us, compute_us] = slowest->front();
  return {.time_us = time_us,
          .slowest_rank = slowest - all.begin(),
          .compute_us = compute_us,
          .exposed_us = std::max(time_us - compute_us, 0.0)};
}

void JobSummary::finish(results::JobBody& body, job::Communicator& communicator) const {
  std::vector<double> own;
  for (const std::vector<double>& means : means_us_)
    own.push_back(means.empty() ? kNever : measure::median(means));
  const auto medians = transport::all_gather(communicator, own);
  for (std::size_t number = 0; number < job_.operations.size(); ++number) {
    std::vector<double> of_ranks;
    of_ranks.reserve(medians.size());
    for (const std::vector<double>& rank : medians) of_ranks.push_back(rank[number]);
    body.job.operations.push_back(operation(number, of_ranks));
  }
  if (body.rows.empty()) return;
  measure::Histogram times;
  for (const results::JobStep& row : body.rows)
    times.record(std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double, std::micro>(row.time_us)));
  body.job.time = measure::summarize(times);
  body.job.compute_us = median_of(body.rows, &results::JobStep::compute_us);
  body.job.exposed_us = median_of(body.rows, &results::JobStep::exposed_us);
  const double compute_us = longest_compute(job_);
  if (compute_us > 0) body.job.over_compute = body.job.time->p50_us / compute_us;
}

results::JobOperation JobSummary::operation(std::size_t number,
                                            const std::vector<double>& medians) const {
  const workload::NamedOperation& named = job_.operations[number];
  results::JobOperation operation{.name = named.name,
                                  .kind = kind_of(named),
                                  .algorithm = algorithms_[number],
                                  .times = most_times(job_, number)};
  if (named.kind == Kind::collective) operation.group = job_.group_names[named.group];
  for (const workload::Task& task : job_.tasks) {
    if (task.operation != number) continue;
    ++operation.instances;
    for (schedule::Rank member = 0; member < task.members.size(); ++member)
      operation.bytes = std::max(operation.bytes, static_cast<std::int64_t>(task.bytes_of(member)));
  }
  const auto slowest = std::ranges::max_element(medians);
  operation.slowest_us = *slowest;
  operation.slowest_rank = slowest - medians.begin();
  operation.fastest_us = *slowest;
  for (const double median : medians) {
    if (median >= 0) operation.fastest_us = std::min(operation.fastest_us, median);
  }
  return operation;
}

}  // namespace railgauge::runner
