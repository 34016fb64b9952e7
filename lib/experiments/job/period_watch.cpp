#include "experiments/job/period_watch.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "experiments/collective/edges.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {
namespace {

constexpr unsigned kMedian = 500;

double mean_us(const StepRun::Times& times) {
  const std::chrono::duration<double, std::micro> all = times.all;
  return times.times == 0 ? 0 : all.count() / static_cast<double>(times.times);
}

}  // namespace

PeriodWatch::PeriodWatch(CollectiveSession& session, const std::vector<results::SweepPoint>& points,
                         const workload::Job& job, const Tasks& tasks)
    : session_(session), job_(job), tasks_(tasks), begin_(std::chrono::system_clock::now()) {
  for (const results::SweepPoint& point : points) driven_.push_back(session.driven_rails(point));
  for (std::uint32_t operation = 0; operation < job.operations.size(); ++operation) {
    const workload::NamedOperation& one = job.operations[operation];
    if (one.kind == workload::Kind::compute && !one.arrives) computes_[operation];
  }
  session.frame().watch_ports();
}

void PeriodWatch::add(const StepRun::Step& step, std::chrono::nanoseconds between) {
  steps_.record(step.time);
  for (auto& [operation, times] : computes_) {
    if (step.operations[operation].times > 0) times.record(step.operations[operation].all);
  }
  rails_.resize(step.rails.size());
  for (std::size_t at = 0; at < rails_.size(); ++at) {
    rails_[at].times += step.rails[at].times;
    rails_[at].all += step.rails[at].all;
  }
  watch_.add_sleep(step.slept + between, step.descheduled);
}

JobPeriod PeriodWatch::take(const std::vector<std::string>& algorithms,
                            const executor::RunLimits& limits,
                            const std::function<void(TaskRun&, executor::Outcome)>& end) {
  const results::RankLoad load = watch_.now();
  for (const auto& [number, task] : tasks_) {
    executor::Outcome outcome = task->exchange_samples(limits);
    if (outcome.ending != executor::Ending::done) end(*task, std::move(outcome));
  }
  job::Communicator& communicator = session_.frame().communicator();
  JobPeriod period{.begin = std::exchange(begin_, std::chrono::system_clock::now()),
                   .end = begin_,
                   .step_us = steps_.count() == 0 ? 0 : steps_.quantile_us(kMedian),
                   .operations = rows_of(edges_of_all_ranks(), algorithms),
                   .compute_us = transport::all_gather(communicator, compute_us()),
                   .loads = cluster::gather(communicator, load),
                   .events = session_.frame().port_events()};
  std::ranges::move(rows_of_rails(algorithms), std::back_inserter(period.operations));
  for (const auto& [number, task] : tasks_) task->forget_samples();
  steps_.clear();
  for (auto& [operation, times] : computes_) times.clear();
  rails_.clear();
  watch_.restart();
  return period;
}

std::vector<double> PeriodWatch::compute_us() const {
  std::vector<double> all(job_.operations.size());
  for (const auto& [operation, times] : computes_) {
    if (times.count() > 0) all[operation] = times.quantile_us(kMedian);
  }
  return all;
}

/// Of each operation, of the ranks that took part in it.
std::vector<results::CollectiveRow> PeriodWatch::rows_of_rails(
    const std::vector<std::string>& algorithms) const {
  std::vector<double> own_us;
  for (const StepRun::Times& times : rails_) own_us.push_back(mean_us(times));
  const auto all_us = transport::all_gather(session_.frame().communicator(), own_us);
  const std::size_t rails = own_us.size() / std::max<std::size_t>(1, job_.operations.size());
  std::vector<results::CollectiveRow> rows;
  for (std::size_t operation = 0; rails > 1 && operation < job_.operations.size(); ++operation) {
    results::CollectiveRow row{.algorithm = algorithms[operation]};
    auto& found = row.out_of_place.emplace().rails;
    for (std::size_t rail = 0; rail < rails; ++rail) {
      std::vector<std::optional<double>> rank_us;
      for (const auto& of_rank : all_us) {
        const double us = of_rank.at(operation * rails + rail);
        if (us > 0) rank_us.emplace_back(us);
      }
      if (rank_us.empty()) continue;
      found.push_back({.rail = static_cast<unsigned>(rail), .rank_us = std::move(rank_us)});
    }
    const auto differs = [](const results::RailResult& one, const results::RailResult& other) {
      return one.rank_us.size() != other.rank_us.size();
    };
    if (found.size() > 1 && std::ranges::adjacent_find(found, differs) == found.end())
      rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TaskEdge> PeriodWatch::edges_of_all_ranks() const {
  std::vector<TaskEdge> own;
  for (const auto& [number, task] : tasks_) {
    const std::uint32_t operation = job_.tasks[number].operation;
    const auto samples = [&of = *task](transport::Channel channel) {
      return arrived_when_acknowledged(of.samples(channel));
    };
    for (const results::EdgeTimes& edge :
         edges_of(session_, driven_[job_.operations[operation].part], task->channels(), samples))
      own.push_back({operation, edge});
  }
  keep_slowest(own, session_.ranks(), &TaskEdge::edge);
  return gather_edges(session_.communicator(), own, &TaskEdge::edge);
}

}  // namespace railgauge::runner
