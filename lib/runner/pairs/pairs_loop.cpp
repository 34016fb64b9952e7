#include "runner/pairs/pairs_loop.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "paths/source_port.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using results::PairFigures;
using results::PairRow;

/// A NIC that fails so often in a row is not waited for any longer.
constexpr int kMostFailures = 3;
/// What is measured again, one after the other; what failed may take many seconds.
constexpr std::size_t kMostAlone = 40;
constexpr std::size_t kMostFailedAlone = 8;

flow::Mode mode_of(const std::string& word) {
  for (const flow::Mode mode :
       {flow::Mode::bandwidth, flow::Mode::write, flow::Mode::read, flow::Mode::send}) {
    if (flow::word(mode) == word) return mode;
  }
  return flow::Mode::bandwidth;
}

/// Those that it was measured with.
std::vector<std::uint32_t> labels_of(const PairRow& row) {
  std::vector<std::uint32_t> labels;
  for (const results::PairPath& path : row.paths)
    labels.push_back(paths::flow_label_of_port(path.source_port));
  return labels;
}

}  // namespace

PairsLoop::PairsLoop(Session& session, const PairsOptions& options, const AllNics& all,
                     std::vector<PairRow>& rows)
    : session_(session),
      options_(options),
      all_(all),
      rows_(rows),
      tester_(session, all, static_cast<std::uint32_t>(options.message_bytes)),
      paths_(session.communicator(), options, all),
      failures_(all.nics.size()),
      skipped_(all.nics.size()),
      began_(Clock::now()) {
  for (std::size_t nic = 0; nic < all.nics.size(); ++nic) nics_[endpoint_of(all.nics[nic])] = nic;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    round_ = std::max(round_, rows[row].round + 1);
    places_[{nic_of(rows[row].from), nic_of(rows[row].to), mode_of(rows[row].mode)}] = row;
  }
}

void PairsLoop::find_paths(const std::vector<PairsStep>& steps) {
  const double most_s = asking_time(steps, all_, options_).most_s;
  paths_.trace(steps, std::chrono::duration<double>(most_s));
  // However long that takes is what was asked for.
  if (options_.path_labels == AskSwitches::on) began_ = Clock::now();
}

void PairsLoop::measure(const std::vector<PairsStep>& steps,
                        const std::function<void(std::size_t rows)>& after_round) {
  const auto began = Clock::now();
  int measured = 0;
  for (const PairsStep& step : steps) {
    if (measured > 0 && is_too_late(kShareOfRounds, (Clock::now() - began) / measured)) {
      not_in_time_ += step.round.size();
      continue;
    }
    measure(step);
    ++measured;
    after_round(2 * step.round.size());
  }
}

/// Whether what takes so long would end after that part of --max-time.
bool PairsLoop::is_too_late(double share, Clock::duration expected) {
  if (options_.max_time.count() == 0) return false;
  const bool late = Clock::now() - began_ + expected > share * options_.max_time;
  return session_.communicator().broadcast(late ? 1 : 0) != 0;
}

void PairsLoop::measure(const PairsStep& step) {
  std::vector<PairTest> tests;
  tests.reserve(step.round.size());
  for (const pairs::Pair& pair : step.round) {
    if (!gave_up(pair.first) && !gave_up(pair.second)) {
      tests.push_back({pair.first, pair.second, paths_.flow_labels()});
      continue;
    }
    for (const std::size_t nic : {pair.first, pair.second}) skipped_[nic] += gave_up(nic) ? 1 : 0;
  }
  if (tests.empty()) return;
  std::map<Way, std::vector<WayFigures>> repetitions;
  for (int repetition = 0; repetition < options_.repetitions; ++repetition) {
    for (WayFigures& way : tester_.run(plan_of(options_, step.mode), tests)) {
      note(way);
      repetitions[{way.from, way.to, step.mode}].push_back(std::move(way));
    }
  }
  for (auto& [way, measured] : repetitions) add_row(way, std::move(measured));
  ++round_;
}

void PairsLoop::add_row(const Way& way, std::vector<WayFigures> repetitions) {
  const auto& [from, to, mode] = way;
  const reachability::Nic& sender = all_.nics[from];
  const reachability::Nic& receiver = all_.nics[to];
  PairRow row{.from = endpoint_of(sender),
              .to = endpoint_of(receiver),
              .same_rail = sender.rail == receiver.rail && sender.plane == receiver.plane,
              .mode = std::string(flow::word(mode)),
              .round = round_};
  paths_.label(row, from, to);
  for (results::PairPath& path : row.paths) path.port_was_set = repetitions.front().ports_were_set;
  std::vector<PairFigures> figures;
  figures.reserve(repetitions.size());
  for (WayFigures& one : repetitions) figures.push_back(std::move(one.figures));
  pairs::set_repetitions(row, std::move(figures));
  const auto [place, is_new] = places_.try_emplace(way, rows_.size());
  if (is_new) {
    rows_.push_back(std::move(row));
  } else {
    rows_[place->second] = std::move(row);
  }
}

/// Both ends of a way that works are well; of one that does not, either may be the reason, unless a
/// process is.
void PairsLoop::note(const WayFigures& way) {
  if (!way.figures.held_up.empty()) return;
  for (const std::size_t nic : {way.from, way.to}) {
    int& failures = failures_[nic];
    failures = way.figures.reason.empty() ? 0 : failures + 1;
  }
}

/// Both ways of a test count.
bool PairsLoop::gave_up(std::size_t nic) const {
  return failures_[nic] >= 2 * kMostFailures;
}

void PairsLoop::measure_suspects(const pairs::Limits& limits) {
  for (int retry = 0; retry < options_.retries; ++retry) {
    std::set<std::pair<std::size_t, std::size_t>> done;
    std::size_t failed = 0;
    for (const std::size_t row : pairs::suspects(rows_, limits)) {
      const std::size_t from = nic_of(rows_[row].from);
      const std::size_t to = nic_of(rows_[row].to);
      if (gave_up(from) || gave_up(to) || done.size() == kMostAlone) continue;
      const bool fails = !rows_[row].figures.reason.empty();
      if (fails && (retry > 0 || ++failed > kMostFailedAlone)) continue;
      if (!done.insert(std::minmax(from, to)).second) continue;
      if (is_too_late(1, 2 * options_.time)) return;
      again_alone(row);
    }
    if (done.empty()) return;
  }
}

/// Both of its ways, by the same paths; the other end begins, for where the first to send fails,
/// the other had no turn.
void PairsLoop::again_alone(std::size_t row) {
  const flow::Mode mode = mode_of(rows_[row].mode);
  const PairTest test{nic_of(rows_[row].to), nic_of(rows_[row].from), labels_of(rows_[row])};
  for (WayFigures& way : tester_.run(plan_of(options_, mode), std::array{test})) {
    const auto place = places_.find({way.from, way.to, mode});
    if (place != places_.end())
      pairs::add_attempt(rows_[place->second], std::move(way.figures), true);
  }
}

std::size_t PairsLoop::nic_of(const results::Endpoint& end) const {
  return nics_.at(end);
}

std::vector<std::string> PairsLoop::left_out() const {
  std::vector<std::string> texts;
  for (std::size_t nic = 0; nic < skipped_.size(); ++nic) {
    if (skipped_[nic] == 0) continue;
    texts.push_back(pairs::name_of(endpoint_of(all_.nics[nic])) + ": " +
                    std::to_string(kMostFailures) + " tests one after the other failed, so " +
                    std::to_string(skipped_[nic]) + " more were left out");
  }
  if (not_in_time_ > 0)
    texts.push_back("--max-time: " + std::to_string(not_in_time_) +
                    " pairs were left out, chosen at random by rounds");
  return texts;
}

}  // namespace railgauge::runner
