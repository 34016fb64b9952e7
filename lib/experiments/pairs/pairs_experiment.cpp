#include "experiments/pairs/pairs_experiment.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "experiments/pairs/all_nics.hpp"
#include "experiments/pairs/clock_meetings.hpp"
#include "experiments/pairs/lost_packets.hpp"
#include "experiments/pairs/pair_paths.hpp"
#include "experiments/pairs/pair_tester.hpp"
#include "experiments/pairs/pairs_display.hpp"
#include "experiments/pairs/pairs_options.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "finding/words.hpp"
#include "job/exchanged_values.hpp"
#include "job/failure.hpp"
#include "job/start_up.hpp"
#include "pairs/findings.hpp"
#include "pairs/heat_map.hpp"
#include "pairs/judgement.hpp"
#include "pairs/map.hpp"
#include "paths/source_port.hpp"
#include "results/document_codec.hpp"
#include "results/output_file.hpp"
#include "results/pairs.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using job::refuse_use;
using results::PairFigures;
using results::PairRow;
using results::PairsBody;

results::Document earlier_result(const std::string& path) {
  std::ifstream file(path);
  if (!file) refuse_use("--resume: no result " + path + " to continue");
  try {
    return results::read_document(results::Json::parse(file));
  } catch (const std::exception& error) {
    refuse_use("--resume: " + path + ": " + error.what());
  }
}

/// What is measured has to be the same, or rows would not be comparable.
EarlierRows earlier_rows(const std::string& path, const results::Document& own) {
  results::Document earlier = earlier_result(path);
  auto* const body = std::get_if<PairsBody>(&earlier.body);
  if (body == nullptr) refuse_use("--resume: " + path + " is not a result of pairs");
  for (const std::string& name : names_of_what_is_measured()) {
    const std::string before = results::option_text(earlier, name);
    const std::string now = results::option_text(own, name);
    if (before == now) continue;
    std::string why = "--resume: " + path;
    why.append(" was measured with --").append(name).append(" ").append(before);
    refuse_use(why.append(", not ").append(now));
  }
  EarlierRows rows{.rows = std::move(body->rows)};
  for (const pairs::Nic& nic : nics_of(earlier.ranks).nics) rows.nics.push_back(endpoint_of(nic));
  return rows;
}

Experiment::Description of_pairs_perf() {
  const std::string mpirun = job::launcher("mpirun") + " --ppn 1 --hostfile hosts pairs_perf";
  return {
      .program = "pairs_perf",
      .about =
          "Measure bandwidth or latency between all NICs, and find slow pairs. Start one rank per "
          "host, which drives all of its NICs: " +
          job::launcher("mpirun") + " --map-by node",
      .tables = {"map"},
      .exit_status_1 = "a pair fails or is slow, rails do not match, or the run is inconclusive",
      .examples = {{mpirun + " -J pairs.json --svg pairs.svg",
                    "Measure the bandwidth of all pairs on every rail"},
                   {mpirun + " --mode bandwidth,write,read", "Measure latency too"},
                   {mpirun + " --pairs skeleton:ring --time 1s",
                    "Measure only the pairs that a ring uses, for longer"},
                   {mpirun + " -J pairs.json --resume", "Continue after an interruption"}}};
}

Experiment::Description of_reachability_perf() {
  const std::string mpirun = job::launcher("mpirun");
  return {
      .program = "reachability_perf",
      .about =
          "Test connectivity and bandwidth between all NICs. Start one rank per host, which "
          "drives all of its NICs: " +
          mpirun + " --map-by node",
      .tables = {"map"},
      .exit_status_1 =
          "a NIC is unreachable from its rail, a pair is slower than half the median, rails do not "
          "match, or the run is inconclusive",
      .examples = {{mpirun + " --hosts node1,node2 reachability_perf --svg map.svg",
                    "Test every NIC of two hosts against every other, and draw the result"},
                   {mpirun + " --ppn 1 --hostfile hosts reachability_perf --same-rail-only",
                    "Test only within rails, where they are separate networks"}}};
}

results::OutputFile picture_file(const PairsOptions& options, const Session& session) {
  return {options.svg_file, session.options().overwrite};
}

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

/// The loop: round by round, then what looks bad again, alone. All ranks have the same rows at
/// every moment, and so come to the same decisions; the clock is rank 0's.
class PairsLoop {
 public:
  using Clock = std::chrono::steady_clock;

  /// All have to outlive it. `rows`: those of an earlier run, of NICs that `all` has, too; more are
  /// added.
  PairsLoop(Session& session, const PairsOptions& options, const AllNics& all,
            std::vector<PairRow>& rows)
      : session_(session),
        options_(options),
        all_(all),
        rows_(rows),
        tester_(session, all, static_cast<std::uint32_t>(options.message_bytes), options.memory),
        lost_packets_(all),
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

  /// Collective, before measure(): asks switches which paths these take.
  void find_paths(const std::vector<PairsStep>& steps) {
    const double most_s = asking_time(steps, all_, options_).most_s;
    paths_.trace(steps, std::chrono::duration<double>(most_s));
    // However long that takes is what was asked for.
    if (options_.path_labels == AskSwitches::on) began_ = Clock::now();
  }

  /// Collective. `after_round` is told how many rows were to be measured.
  void measure(const std::vector<PairsStep>& steps,
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

  /// Collective: pairs of which a direction looks bad, alone, --retries times at most, and while
  /// there is time.
  void measure_suspects(const pairs::Limits& limits) {
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

  /// Ports whose tests were skipped because they failed too often.
  [[nodiscard]] std::vector<finding::Finding> given_up() const {
    std::vector<finding::Finding> findings;
    for (std::size_t nic = 0; nic < skipped_.size(); ++nic) {
      if (skipped_[nic] == 0) continue;
      findings.push_back(not_tested(
          all_.nics[nic], "skipped " + finding::counted(skipped_[nic], "test") + " after " +
                              std::to_string(kMostFailures) + " failures in a row"));
    }
    return findings;
  }

  /// Where packets were lost; on rank 0.
  [[nodiscard]] std::vector<finding::Finding> losses() const {
    return lost_packets_.findings(session_.document().ranks);
  }

  /// What --max-time left out, and what is not known of paths, and why, in sentences.
  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> texts = paths_.notes();
    if (not_in_time_ > 0)
      texts.push_back("--max-time: skipped " + finding::counted(not_in_time_, "pair") +
                      ", chosen at random by rounds");
    return texts;
  }

 private:
  using Direction = std::tuple<std::size_t, std::size_t, flow::Mode>;

  void measure(const PairsStep& step) {
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

  void measure(flow::Mode mode, const std::vector<PairTest>& tests) {
    std::map<Direction, std::vector<DirectionFigures>> repetitions;
    for (int repetition = 0; repetition < options_.repetitions; ++repetition) {
      for (DirectionFigures& direction : run(mode, tests)) {
        // Whom a NIC does not reach is what mode connect asks, however many they are.
        if (mode != flow::Mode::connect) note(direction);
        repetitions[{direction.from, direction.to, mode}].push_back(std::move(direction));
      }
    }
    for (auto& [direction, measured] : repetitions) add_row(direction, std::move(measured));
    ++round_;
  }

  std::vector<DirectionFigures> run(flow::Mode mode, std::span<const PairTest> tests) {
    std::vector<DirectionFigures> directions = tester_.run(plan_of(options_, mode), tests);
    if (session_.communicator().is_leader()) lost_packets_.add(directions, tester_.events());
    return directions;
  }

  /// Both of its directions, by the same paths; the other end begins, for where the first to send
  /// fails, the other had no turn.
  void again_alone(std::size_t row) {
    const flow::Mode mode = mode_of(rows_[row].mode);
    const PairTest test{nic_of(rows_[row].to), nic_of(rows_[row].from), labels_of(rows_[row])};
    for (DirectionFigures& direction : run(mode, std::array{test})) {
      const auto place = places_.find({direction.from, direction.to, mode});
      if (place != places_.end())
        pairs::add_attempt(rows_[place->second], std::move(direction.figures), true);
    }
  }

  void add_row(const Direction& direction, std::vector<DirectionFigures> repetitions) {
    const auto& [from, to, mode] = direction;
    const pairs::Nic& sender = all_.nics[from];
    const pairs::Nic& receiver = all_.nics[to];
    PairRow row{.from = endpoint_of(sender),
                .to = endpoint_of(receiver),
                .same_rail = sender.rail == receiver.rail && sender.plane == receiver.plane,
                .mode = std::string(flow::word(mode)),
                .round = round_};
    paths_.label(row, from, to);
    for (results::PairPath& path : row.paths)
      path.port_was_set = repetitions.front().ports_were_set;
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
  void note(const DirectionFigures& direction) {
    if (!direction.figures.descheduled.empty()) return;
    for (const std::size_t nic : {direction.from, direction.to}) {
      int& failures = failures_[nic];
      failures = direction.figures.reason.empty() ? 0 : failures + 1;
    }
  }

  /// Both directions of a test count.
  [[nodiscard]] bool gave_up(std::size_t nic) const { return failures_[nic] >= 2 * kMostFailures; }

  /// Whether what takes so long would end after that part of --max-time.
  [[nodiscard]] bool is_too_late(double share, Clock::duration expected) {
    if (options_.max_time.count() == 0) return false;
    const bool late = Clock::now() - began_ + expected > share * options_.max_time;
    return session_.communicator().broadcast(late ? 1 : 0) != 0;
  }

  [[nodiscard]] std::size_t nic_of(const results::Endpoint& end) const { return nics_.at(end); }

  Session& session_;
  const PairsOptions& options_;
  const AllNics& all_;
  std::vector<results::PairRow>& rows_;
  PairTester tester_;
  LostPackets lost_packets_;
  PairPaths paths_;
  std::map<Direction, std::size_t> places_;  // among the rows
  std::map<results::Endpoint, std::size_t> nics_;
  std::vector<int> failures_;         // of each NIC, one after the other
  std::vector<std::size_t> skipped_;  // tests of each NIC
  std::size_t not_in_time_ = 0;       // tests
  int round_ = 0;                     // the next
  Clock::time_point began_;           // that from which --max-time counts
};

/// Collective: of each host that of its first rank.
std::vector<results::HostClock> clocks_of(Session& session) {
  constexpr double kMilliseconds = 1e3;
  const auto offset = offset_to_first(session.communicator(), [] {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  });
  results::HostClock own{.host = session.document().ranks[session.rank()].host};
  if (offset) {
    own.ahead_ms = -kMilliseconds * offset->seconds;
    own.uncertainty_ms = kMilliseconds * offset->uncertainty_s;
  }
  std::vector<results::HostClock> clocks;
  for (results::HostClock& one : job::all_gather_list(session.communicator(), std::vector{own})) {
    if (std::ranges::count(clocks, one.host, &results::HostClock::host) == 0)
      clocks.push_back(std::move(one));
  }
  return clocks;
}

class PairsExperiment final : public Experiment {
 public:
  explicit PairsExperiment(PairsProgram program) : options_(defaults_of(program)) {}

  [[nodiscard]] Description description() const override {
    const bool reaches = options_.program == PairsProgram::reachability_perf;
    Description description = reaches ? of_reachability_perf() : of_pairs_perf();
    description.rails_have_to_match = false;
    return description;
  }

  void add_options(options::OptionTable& table, RunOptions& run) override {
    run.device.placement = "none";  // one thread drives all NICs
    add_pairs_options(table, options_);
  }

  void check_options(const options::OptionTable& table, const RunOptions& run) override {
    check_pairs_options(table, run, options_);
  }

  [[nodiscard]] results::Body body() const override { return results::PairsBody{}; }

  void prepare(Session& session) override {
    if (session.communicator().is_leader()) {
      try {
        picture_file(options_, session).check();
      } catch (const std::invalid_argument& error) {
        refuse_use(error.what());
      }
      if (options_.resume)
        earlier_ = earlier_rows(session.options().output_file, session.document());
    }
    if (options_.resume) earlier_ = job::value_of_leader(session.communicator(), earlier_);
  }

  void begin(Session& session) override {
    nics_ = nics_of(session.document().ranks);
    auto& body = session.body<PairsBody>();
    if (options_.resume) body.rows = rows_of_same_nics(std::exchange(earlier_, {}), nics_);
    steps_ = steps_of(nics_, options_, body.rows);
    kept_ = rows_kept(body.rows, steps_, nics_);
    body.planned = rows_of(steps_) + kept_;
  }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    if (session.options().table == "none") return nullptr;
    const PairsDisplay::Expected expected{
        .nics = nics_.nics.size(),
        .rounds = steps_.size() * static_cast<std::size_t>(options_.repetitions),
        .rows = rows_of(steps_),
        .kept = kept_,
        .seconds = estimate_s(steps_, nics_, options_),
        .asking_seconds = asking_time(steps_, nics_, options_).expected_s,
        .most_seconds = static_cast<double>(options_.max_time.count()),
        .rounds_in_time =
            steps_in_time(steps_, nics_, options_) * static_cast<std::size_t>(options_.repetitions),
        .software = session.on_software()};
    auto made =
        std::make_unique<PairsDisplay>(expected, session.options().progress, options_.colours);
    display_ = made.get();
    return made;
  }

  [[nodiscard]] bool goes_on() const override { return options_.resume; }

  void run(Session& session) override {
    auto& body = session.body<PairsBody>();
    if (steps_.empty() && body.rows.empty())
      refuse_use(
          "there is no pair to measure: all NICs are of one host, or no two are on one rail");
    PairsLoop loop(session, options_, nics_, body.rows);
    if (options_.resume) session.take_over_files();
    if (connects()) body.clocks = clocks_of(session);
    loop.find_paths(steps_);
    auto saved = PairsLoop::Clock::now();
    loop.measure(steps_, [&](std::size_t rows) {
      if (display_ != nullptr) display_->advance(rows);
      constexpr std::chrono::seconds kEvery{2};
      if (PairsLoop::Clock::now() - saved < kEvery) return;
      session.write();
      saved = PairsLoop::Clock::now();
    });
    loop.measure_suspects(limits(session));
    if (display_ != nullptr) display_->clear();
    session.warn(loop.notes());
    session.report(pairs::judge(body, limits(session)));
    session.report(loop.losses());
    session.report(without_peer(nics_, options_));
    if (connects()) session.report(pairs::findings_of_hosts(nics_.nics));
    session.report(loop.given_up());
    draw(session, body.rows);
  }

 private:
  [[nodiscard]] bool connects() const {
    return std::ranges::count(options_.modes, flow::Mode::connect) > 0;
  }

  [[nodiscard]] pairs::Limits limits(const Session& session) const {
    constexpr double kPercent = 100;
    const bool software = session.on_software();
    const double share = software ? kSoftwareMedianShare : kMedianShare;
    return {.line_rate_percent = kPercent * options_.line_rate_share,
            .median_share = options_.median_share.value_or(share),
            .connect_share = options_.median_share.value_or(std::min(share, kConnectShare)),
            .holds_line_rate = !software,
            .cross_rail_may_fail = !options_.cross_rail};
  }

  void draw(Session& session, const std::vector<PairRow>& rows) const {
    if (options_.svg_file.empty() || rows.empty()) return;
    const std::string mode(flow::word(options_.modes.front()));
    const auto map = pairs::map_of(rows, mode);
    if (!map) session.warn({"--svg: there is no picture, as no pair was measured in mode " + mode});
    if (!map || session.rank() != 0) return;
    try {
      picture_file(options_, session).write(pairs::picture(*map), std::cout);
    } catch (const std::exception& error) {
      session.report_unwritten(std::string("--svg: ") + error.what());
    }
  }

  PairsOptions options_;
  EarlierRows earlier_;  // of the run that this one goes on with
  AllNics nics_;
  std::vector<PairsStep> steps_;
  std::uint64_t kept_ = 0;           // rows of that run
  PairsDisplay* display_ = nullptr;  // the frame's; of rank 0, null without a table
};

}  // namespace

std::unique_ptr<Experiment> pairs_experiment(PairsProgram program) {
  return std::make_unique<PairsExperiment>(program);
}

}  // namespace railgauge::runner
