#include "experiments/soak/rank_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "job/exchanged_values.hpp"
#include "measure/statistics.hpp"

namespace railgauge::runner {
namespace {

using results::EdgeTimes;
using soak::PhaseSample;
using soak::PortSample;

/// To nanoseconds: a record is no larger than it has to be.
double rounded(double us) {
  constexpr double kParts = 1000;
  return std::round(us * kParts) / kParts;
}

/// To kilobytes a second: small messages, and soft devices, have no more.
double rounded_bandwidth(double gigabytes_per_second) {
  constexpr double kParts = 1e6;
  return std::round(gigabytes_per_second * kParts) / kParts;
}

/// A rail, or plane of it, over all ranks: bytes added up, the time of the rank that took longest.
std::vector<results::RailResult> rails_of(const std::vector<RankReport>& reports,
                                          std::size_t turn) {
  std::map<std::pair<unsigned, int>, results::RailResult> rails;
  for (const RankReport& report : reports) {
    for (const results::RailResult& own : report.turns.at(turn).rails) {
      results::RailResult& rail = rails[{own.rail, own.plane}];
      rail.rail = own.rail;
      rail.plane = own.plane;
      rail.bytes += own.bytes;
      rail.p50_us = std::max(rail.p50_us, own.p50_us);
    }
  }
  std::vector<results::RailResult> all;
  for (const auto& [place, rail] : rails) {
    if (rail.bytes > 0) all.push_back(rail);
  }
  return all;
}

std::vector<soak::RailSample> samples_of(std::vector<results::RailResult> rails,
                                         const PhaseSample& turn) {
  results::share_bandwidth(rails, turn.busbw_gigabytes_per_second, turn.p50_us);
  std::vector<soak::RailSample> samples;
  samples.reserve(rails.size());
  for (const results::RailResult& rail : rails) {
    samples.push_back({rail.rail, rail.plane, rail.bytes,
                       rounded_bandwidth(rail.busbw_gigabytes_per_second), rounded(rail.p50_us)});
  }
  return samples;
}

/// The connection with the slowest single chunk.
const EdgeTimes* slowest_edge(const std::vector<RankReport>& reports, std::size_t turn) {
  const EdgeTimes* slowest = nullptr;
  for (const RankReport& report : reports) {
    for (const EdgeTimes& edge : report.turns.at(turn).edges) {
      if (slowest == nullptr || edge.round.max_us > slowest->round.max_us) slowest = &edge;
    }
  }
  return slowest;
}

int slowest_rank(const std::vector<RankReport>& reports, std::size_t turn) {
  const auto longest = [&](const RankReport& report) { return report.turns.at(turn).longest_us; };
  return static_cast<int>(std::ranges::max_element(reports, {}, longest) - reports.begin());
}

/// What rank 0 knows of it, with the rank and the connection.
soak::Slowest slowest_of(soak::Slowest slowest, const std::vector<RankReport>& reports,
                         std::size_t turn) {
  slowest.us = rounded(slowest.us);
  slowest.rank = slowest_rank(reports, turn);
  if (const EdgeTimes* const edge = slowest_edge(reports, turn)) {
    slowest.from = edge->from;
    slowest.to = edge->to;
    slowest.rail = edge->rail;
    slowest.plane = edge->plane;
    slowest.chunk_us = rounded(edge->round.max_us);
  }
  return slowest;
}

PhaseSample phase_of(PhaseSample sample, const std::vector<RankReport>& reports, std::size_t turn) {
  sample.rails = samples_of(rails_of(reports, turn), sample);
  for (double* const us : {&sample.p50_us, &sample.p99_us, &sample.p999_us}) *us = rounded(*us);
  sample.busbw_gigabytes_per_second = rounded_bandwidth(sample.busbw_gigabytes_per_second);
  sample.slowest = slowest_of(sample.slowest, reports, turn);
  for (const RankReport& report : reports) {
    const OwnTurn& own = report.turns.at(turn);
    sample.rank_own_us.push_back(rounded(own.own_us));
    if (!own.data_error.empty()) sample.data_errors.push_back(own.data_error);
  }
  return sample;
}

/// Which port a rank uses for a plane of a rail: its number among those of the window.
class PortIndex {
 public:
  PortIndex(const std::vector<results::Rank>& ranks, const std::vector<PortSample>& ports) {
    std::map<std::tuple<std::string, std::string, int, std::string>, std::size_t> numbers;
    for (const PortSample& port : ports) {
      numbers.emplace(std::tuple{port.host, port.device, port.port, port.address}, numbers.size());
    }
    for (const results::Rank& rank : ranks) {
      for (const results::RankRail& rail : rank.rails) {
        const auto found = numbers.find({rank.host, rail.device, rail.port, rail.address});
        if (found != numbers.end()) at_[{rank.rank, rail.rail, rail.plane}] = found->second;
      }
    }
  }

  [[nodiscard]] std::optional<std::size_t> of(int rank, int rail, int plane) const {
    const auto found = at_.find({rank, rail, plane});
    return found == at_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
  }

 private:
  std::map<std::tuple<int, int, int>, std::size_t> at_;
};

/// Medians of a turn's connections, at the ports at their ends.
class EdgesOfPorts {
 public:
  explicit EdgesOfPorts(std::size_t ports) : sent_(ports), received_(ports) {}

  void add(const PortIndex& index, const EdgeTimes& edge) {
    if (const auto port = index.of(edge.from, edge.rail, edge.plane)) {
      sent_[*port].push_back(edge.round.p50_us);
    }
    if (const auto port = index.of(edge.to, edge.to_rail, edge.to_plane)) {
      received_[*port].push_back(edge.round.p50_us);
    }
  }

  void put(std::size_t phase, std::vector<PortSample>& ports) const {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (sent_[i].empty() && received_[i].empty()) continue;
      ports[i].times.push_back({phase, median_of(sent_[i]), median_of(received_[i])});
    }
  }

 private:
  static std::optional<double> median_of(const std::vector<double>& values) {
    std::optional<double> median;
    if (!values.empty()) median = rounded(measure::median(values));
    return median;
  }

  std::vector<std::vector<double>> sent_;
  std::vector<std::vector<double>> received_;
};

void add_times(const PortIndex& index, const std::vector<RankReport>& reports, std::size_t turn,
               std::size_t phase, std::vector<PortSample>& ports) {
  EdgesOfPorts edges(ports.size());
  for (const RankReport& report : reports) {
    for (const EdgeTimes& edge : report.turns.at(turn).edges) edges.add(index, edge);
  }
  edges.put(phase, ports);
}

}  // namespace

std::vector<RankReport> gather_reports(job::Communicator& communicator, const RankReport& own) {
  const auto everybody = communicator.all_gather(job::packed(own));
  std::vector<RankReport> reports;
  if (!communicator.is_leader()) return reports;
  reports.reserve(everybody.size());
  for (const auto& bytes : everybody) reports.push_back(job::unpacked<RankReport>(bytes));
  return reports;
}

soak::Window window_of(const std::vector<results::Rank>& ranks, std::vector<PhaseSample> turns,
                       const std::vector<RankReport>& reports) {
  soak::Window window;
  for (const RankReport& report : reports) {
    window.ranks.push_back(report.sample);
    window.ranks.back().load.rank = static_cast<int>(window.ranks.size()) - 1;
    for (const PortReading& port : report.ports) window.ports.push_back(port.sample);
  }
  const PortIndex index(ranks, window.ports);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    add_times(index, reports, i, turns[i].phase, window.ports);
    window.phases.push_back(phase_of(std::move(turns[i]), reports, i));
  }
  return window;
}

}  // namespace railgauge::runner
