#include "experiments/job/job_summary.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "measure/statistics.hpp"
#include "transport/exchange.hpp"
#include "workload/critical_path.hpp"

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

double sum_at(const std::vector<std::vector<double>>& of_ranks, std::size_t at) {
  double sum = 0;
  for (const std::vector<double>& values : of_ranks) sum += values[at];
  return sum;
}

/// Of the two.
void take_hotter(std::optional<results::JobHottest>& hottest, const workload::Task& task) {
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  schedule::Rank of_most = 0;
  const auto members = static_cast<schedule::Rank>(task.members.size());
  for (schedule::Rank number = 0; number < members; ++number) {
    const std::uint64_t bytes = workload::received_bytes(task, number);
    all += bytes;
    if (bytes > most) most = bytes, of_most = task.members[number];
  }
  const double over_mean =
      static_cast<double>(most) * members / static_cast<double>(std::max<std::uint64_t>(all, 1));
  if (over_mean <= (hottest ? hottest->over_mean : 1)) return;
  hottest = {.rank = of_most, .bytes = static_cast<std::int64_t>(most), .over_mean = over_mean};
}

}  // namespace

JobSummary::JobSummary(const Job& job, std::vector<std::string> algorithms,
                       std::optional<std::chrono::nanoseconds> deadline,
                       std::vector<double> bytes_per_us)
    : job_(job),
      algorithms_(std::move(algorithms)),
      deadline_(deadline),
      bytes_per_us_(std::move(bytes_per_us)),
      tasks_(tasks_of_ranks(job)),
      means_(job.operations.size()) {
  for (std::uint32_t number = 0; number < job.operations.size(); ++number) {
    if (job.operations[number].arrives) latencies_[number];
  }
}

TimedStep JobSummary::add(const StepRun::Step& own, double begin_s, double end_s,
                          job::Communicator& communicator) {
  for (std::size_t at = 0; at < own.operations.size(); ++at) {
    const StepRun::Times& times = own.operations[at];
    if (times.times > 0) means_[at].record(times.all / times.times);
  }
  rail_runs_.resize(own.rails.size());
  rail_us_.resize(own.rails.size());
  for (std::size_t at = 0; at < own.rails.size(); ++at) {
    rail_runs_[at] += static_cast<double>(own.rails[at].times);
    rail_us_[at] += microseconds(own.rails[at].all);
  }
  for (const StepRun::Latency& one : own.latencies) {
    Latencies& all = latencies_.at(one.operation);
    all.times.record(one.time);
    if (deadline_ && one.time <= *deadline_) ++all.within;
  }
  least_us_.resize(own.tasks.size(), std::numeric_limits<double>::infinity());
  std::vector<double> figures{begin_s,
                              end_s,
                              microseconds(own.time),
                              microseconds(own.compute),
                              microseconds(own.communication),
                              microseconds(own.overlapped)};
  const std::size_t first_part = figures.size();
  for (const std::chrono::nanoseconds part : own.parts) figures.push_back(microseconds(part));
  const auto first = static_cast<std::ptrdiff_t>(figures.size());
  for (std::size_t task = 0; task < own.tasks.size(); ++task) {
    figures.push_back(microseconds(own.tasks[task].all));
    least_us_[task] = std::min(least_us_[task], microseconds(own.tasks[task].least));
  }
  auto all = transport::all_gather(communicator, figures);
  const auto slowest = std::ranges::max_element(all, {}, [](const auto& rank) { return rank[2]; });
  TimedStep step{.begin_s = all[0][0],
                 .end_s = all[0][1],
                 .time_us = (*slowest)[2],
                 .compute_us = (*slowest)[3],
                 .communication_us = (*slowest)[4],
                 .overlapped_us = (*slowest)[5],
                 .slowest_rank = static_cast<schedule::Rank>(slowest - all.begin())};
  for (std::size_t part = 0; part < own.parts.size(); ++part) {
    const auto time = [&](const auto& of_rank) { return of_rank[first_part + part]; };
    step.part_us.push_back(time(std::ranges::max(all, {}, time)));
  }
  for (std::vector<double>& of_rank : all) of_rank.erase(of_rank.begin(), of_rank.begin() + first);
  step.waited = longest_wait(job_, tasks_, all);
  times_.add(step);
  return step;
}

void JobSummary::finish(results::JobFigures& figures, job::Communicator& communicator) const {
  constexpr unsigned kMedian = 500;
  std::vector<double> own;
  for (const measure::Histogram& means : means_)
    own.push_back(means.count() == 0 ? kNever : means.quantile_us(kMedian));
  const auto medians = transport::all_gather(communicator, own);
  for (std::size_t number = 0; number < job_.operations.size(); ++number) {
    std::vector<double> of_ranks;
    of_ranks.reserve(medians.size());
    for (const std::vector<double>& rank : medians) of_ranks.push_back(rank[number]);
    figures.operations.push_back(operation(number, of_ranks));
  }
  for (const auto& [number, latencies] : latencies_)
    figures.operations[number].latency = latency(latencies, communicator);
  if (times_.time().count() == 0) return;
  add_rails(figures, communicator);
  figures.time = measure::summarize(times_.time());
  figures.compute_us = times_.compute_us();
  figures.exposed_us = times_.exposed_us();
  figures.communication_us = times_.communication_us();
  figures.overlap_percent = times_.overlap_percent();
  const double compute_us = longest_compute(job_);
  if (compute_us > 0) figures.over_compute = figures.time->p50_us / compute_us;
  add_ideal(figures, communicator);
  add_line_rate(figures);
}

/// Collective. Empty if no rank did any.
std::optional<results::JobLatency> JobSummary::latency(const Latencies& own,
                                                       job::Communicator& communicator) const {
  const auto bins = transport::all_gather(communicator, own.times.bins());
  const auto others = transport::all_gather(
      communicator,
      std::vector{own.times.min_us(), own.times.max_us(), static_cast<double>(own.within)});
  measure::Histogram all;
  double within = 0;
  for (std::size_t rank = 0; rank < bins.size(); ++rank) {
    all.add(bins[rank], others[rank][0], others[rank][1]);
    within += others[rank][2];
  }
  if (all.count() == 0) return std::nullopt;
  results::JobLatency found{.time = measure::summarize(all),
                            .median_interval = measure::median_interval(all)};
  if (!deadline_) return found;
  constexpr double kPercent = 100;
  found.deadline_us = microseconds(*deadline_);
  found.within_deadline_percent = kPercent * within / static_cast<double>(all.count());
  return found;
}

/// Of operations whose data are on several.
void JobSummary::add_rails(results::JobFigures& figures, job::Communicator& communicator) const {
  if (rail_runs_.empty()) return;
  const auto runs = transport::all_gather(communicator, rail_runs_);
  const auto all_us = transport::all_gather(communicator, rail_us_);
  const std::size_t rails = rail_runs_.size() / figures.operations.size();
  for (std::size_t number = 0; number < figures.operations.size(); ++number) {
    std::vector<results::JobRail>& found = figures.operations[number].rails;
    for (std::size_t rail = 0; rail < rails; ++rail) {
      const double n = sum_at(runs, number * rails + rail);
      if (n == 0) continue;
      found.push_back({.rail = static_cast<std::int64_t>(rail),
                       .time_us = sum_at(all_us, number * rails + rail) / n});
    }
    if (found.size() < 2) found.clear();
  }
}

void JobSummary::add_ideal(results::JobFigures& figures, job::Communicator& communicator) const {
  const auto least_us = transport::all_gather(communicator, least_us_);
  const auto path = workload::critical_path(job_, shortest_of_tasks(job_, tasks_, least_us));
  figures.ideal_us = path.time_us;
  if (path.time_us > 0) figures.over_ideal = figures.time->p50_us / path.time_us;
  for (std::size_t number = 0; number < figures.operations.size(); ++number)
    figures.operations[number].ideal_us = path.operation_us[number];
}

/// As the draft's JCT Ratio has it: over compute and ideal communication.
void JobSummary::add_line_rate(results::JobFigures& figures) const {
  if (std::ranges::count(bytes_per_us_, 0) > 0) return;
  std::vector<double> task_us;
  task_us.reserve(job_.tasks.size());
  for (const workload::Task& task : job_.tasks) {
    task_us.push_back(
        workload::line_rate_us(job_, task, bytes_per_us_[job_.operations[task.operation].part]));
    auto& longest = figures.operations[task.operation].line_rate_us;
    longest = std::max(longest.value_or(0), task_us.back());
  }
  figures.line_rate_us = workload::critical_path(job_, task_us).time_us;
  if (*figures.line_rate_us > 0)
    figures.over_line_rate = figures.time->p50_us / *figures.line_rate_us;
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
    if (!task.pairs.empty()) take_hotter(operation.hottest, task);
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
