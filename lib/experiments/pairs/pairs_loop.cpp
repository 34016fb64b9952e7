#include "experiments/pairs/pairs_loop.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "finding/words.hpp"
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
  for (const flow::Mode mode : flow::kModes) {
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
  for (const std::vector<PairTest>& group : paths_.apart(tests)) measure(step.mode, group);
}

void PairsLoop::measure(flow::Mode mode, const std::vector<PairTest>& tests) {
  std::map<Direction, std::vector<DirectionFigures>> repetitions;
  for (int repetition = 0; repetition < options_.repetitions; ++repetition) {
    for (DirectionFigures& direction : tester_.run(plan_of(options_, mode), tests)) {
      // Whom a NIC does not reach is what mode connect asks, however many they are.
      if (mode != flow::Mode::connect) note(direction);
      repetitions[{direction.from, direction.to, mode}].push_back(std::move(direction));
    }
  }
  for (auto& [direction, measured] : repetitions) add_row(direction, std::move(measured));
  ++round_;
}

void PairsLoop::add_row(const Direction& direction, std::vector<DirectionFigures> repetitions) {
  const auto& [from, to, mode] = direction;
  const pairs::Nic& sender = all_.nics[from];
  const pairs::Nic& receiver = all_.nics[to];
  PairRow row{.from = endpoint_of(sender),
              .to = endpoint_of(receiver),
              .same_rail = sender.rail == receiver.rail && sender.plane == receiver.plane,
              .mode = std::string(flow::word(mode)),
              .round = round_};
  paths_.label(row, from, to);
  for (results::PairPath& path : row.paths) path.port_was_set = repetitions.front().ports_were_set;
  std::vector<PairFigures> figures;
  figures.reserve(repetitions.size());
  for (DirectionFigures& one : repetitions) figures.push_back(std::move(one.figures));
  pairs::set_repetitions(row, std::move(figures));
  const auto [place, is_new] = places_.try_emplace(direction, rows_.size());
  if (is_new) {
    rows_.push_back(std::move(row));
  } else {
    rows_[place->second] = std::move(row);
  }
}

/// Both ends of a direction that works are well; of one that does not, either may be the reason,
/// unless a process is.
void PairsLoop::note(const DirectionFigures& direction) {
  if (!direction.figures.descheduled.empty()) return;
  for (const std::size_t nic : {direction.from, direction.to}) {
    int& failures = failures_[nic];
    failures = direction.figures.reason.empty() ? 0 : failures + 1;
  }
}

/// Both directions of a test count.
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

/// Both of its directions, by the same paths; the other end begins, for where the first to send
/// fails, the other had no turn.
void PairsLoop::again_alone(std::size_t row) {
  const flow::Mode mode = mode_of(rows_[row].mode);
  const PairTest test{nic_of(rows_[row].to), nic_of(rows_[row].from), labels_of(rows_[row])};
  for (DirectionFigures& direction : tester_.run(plan_of(options_, mode), std::array{test})) {
    const auto place = places_.find({direction.from, direction.to, mode});
    if (place != places_.end())
      pairs::add_attempt(rows_[place->second], std::move(direction.figures), true);
  }
}

std::size_t PairsLoop::nic_of(const results::Endpoint& end) const {
  return nics_.at(end);
}

std::vector<finding::Finding> PairsLoop::given_up() const {
  std::vector<finding::Finding> findings;
  for (std::size_t nic = 0; nic < skipped_.size(); ++nic) {
    if (skipped_[nic] == 0) continue;
    findings.push_back(not_tested(all_.nics[nic],
                                  "skipped " + finding::counted(skipped_[nic], "test") + " after " +
                                      std::to_string(kMostFailures) + " failures in a row"));
  }
  return findings;
}

std::vector<std::string> PairsLoop::notes() const {
  std::vector<std::string> texts = paths_.notes();
  if (not_in_time_ > 0)
    texts.push_back("--max-time: skipped " + finding::counted(not_in_time_, "pair") +
                    ", chosen at random by rounds");
  return texts;
}

}  // namespace railgauge::runner
