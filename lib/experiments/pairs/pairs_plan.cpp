#include "experiments/pairs/pairs_plan.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using MeasuredDirection = std::tuple<results::Endpoint, results::Endpoint, std::string>;

std::set<MeasuredDirection> directions_in(const std::vector<results::PairRow>& rows) {
  std::set<MeasuredDirection> directions;
  for (const results::PairRow& row : rows) {
    if (row.figures.reason.empty()) directions.insert({row.from, row.to, row.mode});
  }
  return directions;
}

std::vector<std::size_t> players_of(const AllNics& all, flow::Mode mode) {
  if (!flow::is_of_data(mode)) return all.rank_of;
  std::vector<std::size_t> players(all.nics.size());
  for (std::size_t nic = 0; nic < players.size(); ++nic) players[nic] = nic;
  return players;
}

/// Of one message after the other in one direction.
double direction_s(const AllNics& all, const PairsOptions& options, flow::Mode mode) {
  constexpr double kMillisecondsPerSecond = 1e3;
  constexpr double kBitsPerByte = 8;
  constexpr double kBitsPerGigabit = 1e9;
  constexpr double kPingSeconds = 10e-6;
  constexpr double kUnknownLink = 10;  // Gb/s
  if (options.iterations == 0)
    return static_cast<double>(options.time.count()) / kMillisecondsPerSecond;
  const auto messages = static_cast<double>(options.iterations);
  if (!flow::is_of_data(mode)) return messages * kPingSeconds;
  const double link = all.nics.empty() ? 0 : all.nics.front().link_gigabits_per_second;
  return messages * kBitsPerByte * static_cast<double>(options.message_bytes) /
         (kBitsPerGigabit * (link > 0 ? link : kUnknownLink));
}

/// Processors play the NICs of many hosts, and read what each has counted.
double set_up_s(const AllNics& all) {
  constexpr double kSeconds = 0.02;
  constexpr double kSoftwareSeconds = 0.1;
  return !all.nics.empty() && all.nics.front().software ? kSoftwareSeconds : kSeconds;
}

/// All repetitions.
double step_s(const PairsStep& step, const AllNics& all, const PairsOptions& options) {
  const bool together = options.bidirectional && step.mode == flow::Mode::bandwidth;
  const double directions_s = (together ? 1 : 2) * direction_s(all, options, step.mode);
  return (directions_s + set_up_s(all)) * options.repetitions;
}

/// Directions that the rank sends which sends most.
std::size_t most_directions(const std::vector<PairsStep>& steps, const AllNics& all) {
  std::set<std::pair<std::size_t, std::size_t>> directions;
  for (const PairsStep& step : steps) {
    for (const pairs::Pair& pair : step.round) {
      directions.emplace(pair.first, pair.second);
      directions.emplace(pair.second, pair.first);
    }
  }
  std::map<std::size_t, std::size_t> of_rank;
  for (const auto& [from, to] : directions) ++of_rank[all.rank_of[from]];
  std::size_t most = 0;
  for (const auto& [rank, count] : of_rank) most = std::max(most, count);
  return most;
}

}  // namespace

results::Endpoint endpoint_of(const pairs::Nic& nic) {
  return {nic.host, nic.rail, nic.device, nic.port, nic.address, nic.plane};
}

std::vector<PairsStep> steps_of(const AllNics& all, const PairsOptions& options,
                                const std::vector<results::PairRow>& rows) {
  const std::vector<pairs::Pair> chosen = pairs::pairs_of(all.nics, all.rank_of, options.selection);
  const std::set<MeasuredDirection> measured = directions_in(rows);
  std::vector<PairsStep> steps;
  for (const flow::Mode mode : options.modes) {
    const auto is_measured = [&](const pairs::Pair& pair) {
      const auto first = endpoint_of(all.nics[pair.first]);
      const auto second = endpoint_of(all.nics[pair.second]);
      const std::string word(flow::word(mode));
      return measured.contains({first, second, word}) && measured.contains({second, first, word});
    };
    std::vector<pairs::Pair> open = chosen;
    std::erase_if(open, is_measured);
    for (pairs::Round& round : pairs::rounds_of(open, players_of(all, mode)))
      steps.push_back({mode, std::move(round)});
  }
  if (options.max_time.count() == 0) return steps;
  std::mt19937_64 random(options.seed);
  std::ranges::shuffle(steps, random);
  return steps;
}

finding::Finding not_tested(const pairs::Nic& nic, const std::string& why) {
  return not_tested("pairs", why,
                    {.scope = finding::Scope::port, .at = results::place_of(endpoint_of(nic))});
}

std::vector<finding::Finding> without_peer(const AllNics& all, const PairsOptions& options) {
  std::vector<finding::Finding> findings;
  for (std::size_t nic = 0; nic < all.nics.size() && !options.selection.cross_rail; ++nic) {
    const pairs::Nic& own = all.nics[nic];
    const auto is_peer = [&](const pairs::Nic& other) {
      const auto place = static_cast<std::size_t>(&other - all.nics.data());
      return all.rank_of[place] != all.rank_of[nic] && other.rail == own.rail &&
             other.plane == own.plane;
    };
    if (std::ranges::none_of(all.nics, is_peer))
      findings.push_back(not_tested(own, "not tested: no other host has a NIC on its rail"));
  }
  return findings;
}

std::uint64_t rows_of(const std::vector<PairsStep>& steps) {
  std::uint64_t rows = 0;
  for (const PairsStep& step : steps) rows += 2 * step.round.size();
  return rows;
}

std::uint64_t rows_kept(const std::vector<results::PairRow>& rows,
                        const std::vector<PairsStep>& steps, const AllNics& all) {
  std::set<MeasuredDirection> again;
  for (const PairsStep& step : steps) {
    for (const pairs::Pair& pair : step.round) {
      const results::Endpoint first = endpoint_of(all.nics[pair.first]);
      const results::Endpoint second = endpoint_of(all.nics[pair.second]);
      const std::string mode(flow::word(step.mode));
      again.insert({{first, second, mode}, {second, first, mode}});
    }
  }
  return static_cast<std::uint64_t>(std::ranges::count_if(rows, [&](const results::PairRow& row) {
    return !again.contains({row.from, row.to, row.mode});
  }));
}

double estimate_s(const std::vector<PairsStep>& steps, const AllNics& all,
                  const PairsOptions& options) {
  double sum = 0;
  for (const PairsStep& step : steps) sum += step_s(step, all, options);
  return sum;
}

std::size_t steps_in_time(const std::vector<PairsStep>& steps, const AllNics& all,
                          const PairsOptions& options) {
  if (options.max_time.count() == 0) return steps.size();
  double left_s = kShareOfRounds * static_cast<double>(options.max_time.count());
  if (options.path_labels != AskSwitches::on) left_s -= asking_time(steps, all, options).expected_s;
  std::size_t fit = 0;
  while (fit < steps.size() && (left_s -= step_s(steps[fit], all, options)) >= 0) ++fit;
  return std::max<std::size_t>(fit, std::min<std::size_t>(1, steps.size()));
}

/// Most fabrics have three switches on a direction. The peer's distance takes some probes, and
/// whether switches can be relied on takes many, once (lib/paths/trace).
AskingTime asking_time(const std::vector<PairsStep>& steps, const AllNics& all,
                       const PairsOptions& options) {
  constexpr double kDistanceProbes = 6;
  constexpr double kUsualSwitches = 3;
  constexpr double kControlProbes = 240;
  constexpr double kLittle = 10;  // seconds
  constexpr double kOfMeasuring = 0.2;
  AskingTime time;
  const std::size_t directions = most_directions(steps, all);
  if (options.path_labels == AskSwitches::off || directions == 0) return time;
  const double probes = kDistanceProbes + kUsualSwitches * options.queue_pairs;
  time.expected_s =
      (static_cast<double>(directions) * probes + kControlProbes) / options.probes_per_second;
  time.most_s = std::numeric_limits<double>::infinity();
  if (options.path_labels == AskSwitches::on) return time;
  time.most_s = std::max(kLittle, kOfMeasuring * estimate_s(steps, all, options));
  if (options.max_time.count() > 0)
    time.most_s =
        std::min(time.most_s, kOfMeasuring * static_cast<double>(options.max_time.count()));
  time.expected_s = std::min(time.expected_s, time.most_s);
  return time;
}

}  // namespace railgauge::runner
