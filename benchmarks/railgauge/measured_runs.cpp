#include "benchmarks/railgauge/measured_runs.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "benchmarks/railgauge/result_input.hpp"
#include "results/input_file.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::benchmarks {
namespace {

using fabric::Count;

std::string why_unusable(const verdict::Run& run) {
  if (!schedule::collective(run.collective)) {
    return "the collective '" + run.collective + "' has no schedules";
  }
  if (run.point && run.point->unreduced) return std::string(verdict::kOfUnreduced);
  if (!run.split.empty()) return std::string(verdict::kOfGroups);
  if (!run.ranks || !run.nodes || *run.nodes < 1 || *run.ranks % *run.nodes != 0) {
    return "its hosts do not have the same number of ranks";
  }
  if (*run.ranks < 2) return "it has a single rank";
  if (run.nics_per_node.value_or(0) < 1 || run.line_rate_gigabits_per_second.value_or(0) <= 0) {
    return "its NICs or their line rate are not known";
  }
  if (!run.beside_nics && run.ranks != run.nodes) {
    return "what carries data between ranks of one host is not known";
  }
  if (run.nodes == 1 && !run.beside_nics->empty()) {
    return "all ranks are on one host, and " + run.beside_nics->front() + " carries their data";
  }
  return "";
}

predict::MeasuredHosts hosts_of(const verdict::Run& run) {
  const auto hosts = static_cast<Count>(*run.nodes);
  return {.hosts = hosts,
          .per_host = static_cast<Count>(*run.ranks) / hosts,
          .nics = static_cast<Count>(*run.nics_per_node),
          .rails = run.point ? run.point->rails.size() : 1,
          .own_rails = run.point && run.point->own_rails,
          .nic_gbps = *run.line_rate_gigabits_per_second,
          .inside_by_nics = run.beside_nics && run.beside_nics->empty()};
}

predict::MeasuredRun measured(const verdict::Run& run) {
  predict::MeasuredRun made{
      .scenario = predict::on_one_leaf(hosts_of(run), *schedule::collective(run.collective))};
  predict::Scenario& scenario = made.scenario;
  if (run.point) scenario.routing.queue_pairs = run.point->queue_pairs;
  std::set<std::string> algorithms;
  std::set<std::uint64_t> sizes;
  for (const verdict::Point& point : run.points) {
    if (!point.size_bytes || !point.time_us || *point.time_us <= 0) continue;
    if (schedule::find_algorithm(scenario.collective, point.algorithm) == nullptr) continue;
    made.times.push_back({point.algorithm, *point.size_bytes, *point.time_us});
    algorithms.insert(point.algorithm);
    sizes.insert(*point.size_bytes);
  }
  scenario.algorithms.assign(algorithms.begin(), algorithms.end());
  scenario.sizes.assign(sizes.begin(), sizes.end());
  return made;
}

}  // namespace

std::vector<predict::MeasuredRun> measured_runs(const std::string& file) {
  std::vector<predict::MeasuredRun> all;
  std::string why = "it has no times of a collective";
  for (const verdict::Run& run : run_set_of(read_result(file).input, file).runs) {
    const std::string reason = why_unusable(run);
    if (!reason.empty()) {
      why = reason;
      continue;
    }
    all.push_back(measured(run));
    if (!all.back().times.empty()) continue;
    all.pop_back();
    why = "it has no times of railgauge's algorithms";
  }
  if (!all.empty()) return all;
  throw std::invalid_argument(results::name_of_input(file) + ": no prediction is about it: " + why);
}

}  // namespace railgauge::benchmarks
