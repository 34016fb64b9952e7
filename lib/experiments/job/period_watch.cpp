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
  for (const results::SweepPoint& point : points) {
    driven_.push_back(session.driven_rails(point));
    planes_.push_back(session.planes_of(driven_.back()[session.rank()]));
  }
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

std::vector<TaskEdge> PeriodWatch::own_edges() const {
  std::vector<TaskEdge> edges;
  for (const auto& [number, task] : tasks_) add_edges(*task, job_.tasks[number].operation, edges);
  const std::size_t most = std::max<std::size_t>(2, kMostEdges / session_.ranks());
  if (edges.size() <= most) return edges;
  std::ranges::sort(edges, std::greater{},
                    [](const TaskEdge& one) { return one.edge.round.p50_us; });
  edges.resize(most);
  return edges;
}

void PeriodWatch::add_edges(const TaskRun& task, std::uint32_t operation,
                            std::vector<TaskEdge>& edges) const {
  const std::uint32_t part = job_.operations[operation].part;
  const Planes& planes = planes_[part];
  std::map<std::pair<transport::Rank, unsigned>, std::vector<executor::EdgeSample>> samples;
  const auto channels = task.channels();
  for (transport::Channel channel = 0; channel < channels.size(); ++channel) {
    if (session_.shares_memory_with(channels[channel].peer)) continue;
    auto& of_edge = samples[{channels[channel].peer, channels[channel].rail}];
    std::ranges::move(task.samples(channel), std::back_inserter(of_edge));
  }
  for (const auto& [key, of_edge] : samples) {
    const auto& [peer, place] = key;
    const Plane there = session_.planes_of(driven_[part][peer]).at(place);
    TaskEdge one{.operation = operation,
                 .edge = {.from = static_cast<int>(session_.rank()),
                          .to = static_cast<int>(peer),
                          .rail = static_cast<int>(planes.at(place).rail),
                          .plane = planes.at(place).plane,
                          .to_rail = static_cast<int>(there.rail),
                          .to_plane = there.plane}};
    if (fill(one.edge, of_edge)) edges.push_back(one);
  }
}

std::vector<TaskEdge> PeriodWatch::edges_of_all_ranks() const {
  job::Communicator& communicator = session_.frame().communicator();
  const auto clocks = transport::all_gather(communicator, std::vector{cluster::clock_identity()});
  std::vector<TaskEdge> all;
  for (const auto& of_rank : transport::all_gather(communicator, own_edges())) {
    for (TaskEdge one : of_rank) {
      const auto clock_of = [&](int rank) { return clocks[static_cast<std::size_t>(rank)]; };
      if (clock_of(one.edge.from) != clock_of(one.edge.to))
        one.edge.there = one.edge.back = std::nullopt;
      all.push_back(one);
    }
  }
  return all;
}

}  // namespace railgauge::runner
