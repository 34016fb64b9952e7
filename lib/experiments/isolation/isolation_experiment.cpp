#include "experiments/isolation/isolation_experiment.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iostream>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/isolation/earlier_tests.hpp"
#include "experiments/isolation/path_labels.hpp"
#include "experiments/pairs/pair_tester.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "finding/outcome.hpp"
#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "flow/plan.hpp"
#include "isolation/batch.hpp"
#include "isolation/findings.hpp"
#include "isolation/planner.hpp"
#include "isolation/switch_names.hpp"
#include "isolation/symptoms.hpp"
#include "isolation/verdict.hpp"
#include "job/communicator.hpp"
#include "job/exchanged_values.hpp"
#include "job/start_up.hpp"
#include "measure/cpu_share.hpp"
#include "measure/statistics.hpp"
#include "options/shared.hpp"
#include "paths/source_port.hpp"
#include "results/input_file.hpp"
#include "results/isolate.hpp"
#include "runner/experiment.hpp"
#include "runner/session.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {
namespace {

using finding::counted;
using isolation::Batches;
using isolation::Flow;
using isolation::Pair;
using isolation::PlannedTest;
using results::IsolateBody;
using results::IsolateRow;

struct IsolationSettings {
  isolation::Plan plan{};
  TraceSettings tracing{};
  int traced_ports = 12;  // between each two NICs
  results::MemoryKind memory = results::MemoryKind::host;
  /// Load is set by the run.
  flow::Plan tests{.mode = flow::Mode::unanswered,
                   .time = std::chrono::milliseconds(60),
                   // Little more than the retries of a sender take, which then knows better why.
                   .patience = std::chrono::milliseconds(1300),
                   // The other hosts wait for the end of a batch, no longer than -T.
                   .longest = std::chrono::seconds(8)};
};

/// New suspects after a retest are retested alone, too, but not without end.
constexpr int kMostRetests = 6;

/// How much is outstanding: more than a fabric holds, so that its slowest link is always busy, and
/// less than its buffers. Software devices have links that are slower by a thousand.
struct Load {
  std::uint32_t bytes;  // of a write
  int window;
};
constexpr Load kHardwareLoad{.bytes = 256 * 1024, .window = 8};
constexpr Load kSoftwareLoad{.bytes = 16 * 1024, .window = 4};
constexpr const char* kResolver = "dns";  // in place of a file of --switch-names

/// A number for each plane of each rail: networks of their own.
std::map<std::pair<int, int>, int> networks_of(const AllNics& all) {
  std::map<std::pair<int, int>, int> networks;
  for (const pairs::Nic& nic : all.nics) networks[{nic.rail, nic.plane}] = 0;
  int next = 0;
  for (auto& [network, number] : networks) number = next++;
  return networks;
}

std::vector<isolation::Nic> nics_of_evidence(const Session& session, const AllNics& all) {
  const auto networks = networks_of(all);
  std::vector<isolation::Nic> nics;
  nics.reserve(all.nics.size());
  for (std::size_t nic = 0; nic < all.nics.size(); ++nic) {
    const pairs::Nic& one = all.nics[nic];
    finding::Endpoint end = results::place_of(endpoint_of(one));
    end.host = session.document().ranks[all.rank_of[nic]].host;
    end.ranks = {static_cast<int>(all.rank_of[nic])};
    nics.push_back({one.host, std::move(end), networks.at({one.rail, one.plane}),
                    one.link_gigabits_per_second});
  }
  return nics;
}

/// Whether one of the tests is between them.
bool is_in(const std::vector<std::vector<PlannedTest>>& batches, const Pair& pair) {
  const auto is_of = [&](const PlannedTest& test) {
    return std::minmax(test.from, test.to) == std::minmax(pair.first, pair.second);
  };
  return std::ranges::any_of(batches,
                             [&](const auto& batch) { return std::ranges::any_of(batch, is_of); });
}

std::string in_words(const isolation::Symptoms& symptoms) {
  std::vector<std::string> words;
  if (symptoms.dead) words.emplace_back("dead");
  if (symptoms.lossy) words.emplace_back("lossy");
  if (symptoms.slow) words.emplace_back("slow");
  if (symptoms.late) words.emplace_back("late");
  return finding::joined(words);
}

std::string starved_text(const results::IsolateRow& row) {
  return "slow while " + measure::cpu_share_text(row.cpu_share.value_or(1));
}

/// The share of packets of which a test loses none with a probability of 10 %: as often as tests
/// are taken to seem good that pass something bad. Empty if packets were not counted.
std::optional<double> detectable_loss(const results::IsolateBody& body) {
  std::vector<double> packets;
  for (const results::IsolateRow& row : body.rows) {
    if (row.packets && *row.packets > 0 && !row.failed)
      packets.push_back(static_cast<double>(*row.packets));
  }
  if (packets.empty()) return std::nullopt;
  return std::numbers::ln10 / measure::median(packets);
}

/// Collective: tests between NICs in rounds, until it is clear what is bad or that nothing is; then
/// what is suspected again, alone. All ranks have the same evidence; rank 0 decides how to go on.
/// What does not work is a result. Throws job::RunFailure only for what ends a run.
class IsolationRun {
 public:
  using TakeRow = std::function<void(results::IsolateRow)>;

  /// Opens this rank's NICs. `session` and `nics` have to outlive it; `row` is called on all ranks
  /// for each test.
  IsolationRun(Session& session, const IsolationSettings& settings, const AllNics& nics,
               TakeRow row)
      : communicator_(session.communicator()),
        settings_(settings),
        nics_(nics),
        row_(std::move(row)),
        counters_(session.document()),
        tester_(session, nics, kHardwareLoad.bytes, settings.memory),
        labels_(communicator_, nics, settings.tracing) {
    evidence_.nics = nics_of_evidence(session, nics);
    const Load load = session.on_software() ? kSoftwareLoad : kHardwareLoad;
    settings_.tests.message_bytes = load.bytes;
    settings_.tests.window = load.window;
  }

  /// Before measure(): tests of earlier runs, the same on all ranks.
  /// Of NICs that are here, too. Their rounds come before all others.
  void import(const std::vector<EarlierTest>& tests) {
    for (const EarlierTest& test : tests) {
      const IsolateRow& row = test.row;
      const auto from = nic_of(row.from);
      const auto to = nic_of(row.to);
      if (!from || !to || *from == *to || !is_evidence(row)) continue;
      TestHops hops{numbers_of(row.hops), numbers_of(row.hops_back.value_or(Names()))};
      evidence_.tests.push_back(
          observation_of(test, *from, *to, std::move(hops), on_software(*from, *to)));
      next_number_ = std::max(next_number_, row.round + 1);
      ++imported_;
    }
    offered_ = tests.size();
  }

  /// Once. Rank 0 has the verdict; of all others it is empty.
  void measure() {
    do {
      do {
        run_round();
      } while (goes_on());
      test_again();
    } while (lacks_rounds());
  }

  [[nodiscard]] const isolation::Verdict& verdict() const { return verdict_; }
  [[nodiscard]] const isolation::Evidence& evidence() const { return evidence_; }
  [[nodiscard]] int rounds() const { return rounds_; }
  [[nodiscard]] std::size_t imported() const { return imported_; }

  /// The row of a test of the evidence; empty of one that was imported.
  [[nodiscard]] std::optional<std::size_t> row_of(std::size_t test) const {
    std::optional<std::size_t> row;
    if (const auto found = rows_.find(test); found != rows_.end()) row = found->second;
    return row;
  }

  /// What is not known, and why: sentences.
  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> notes = labels_.notes();
    if (evidence_.switches.size() == 1) {
      notes.emplace_back("all NICs are attached to one switch, " + evidence_.switches.front() +
                         ": there are no links between switches");
    }
    if (offered_ > 0 && imported_ == 0) {
      notes.push_back("--evidence: no NIC of this run is in its " + std::to_string(offered_) +
                      " tests");
    }
    if (nics_.nics.size() % 2 != 0)
      notes.emplace_back("the number of NICs is odd: one NIC is idle in every round");
    if (stalled_tests_ > 0) {
      notes.emplace_back("endpoint processes were descheduled in " +
                         std::to_string(stalled_tests_) + " of " + std::to_string(tests_) +
                         " tests: these count only if they lost packets");
    }
    return notes;
  }

 private:
  /// Every pair of the round, in both directions, over several source ports, one after the other;
  /// then the pairs that found no free path: a dead NIC does not answer traces.
  void run_round() {
    std::vector<Pair> pairs = matching(evidence_, rounds_, settings_.plan);
    labels_.trace(pairs, evidence_, batches_);
    std::vector<Batch> batches;
    const auto add = [&] {
      for (const auto direction : {Batches::Direction::forward, Batches::Direction::reverse})
        batches.push_back(batches_.next(pairs, direction));
    };
    for (int port = 0; port < settings_.plan.ports; ++port) add();
    std::erase_if(pairs, [&](const Pair& pair) { return is_in(batches, pair); });
    if (!pairs.empty()) add();
    run(batches, false);
    ++rounds_;
    ++next_number_;
  }

  void test_again() {
    for (int turn = 0; turn < kMostRetests; ++turn) {
      const std::vector<Flow> flows = flows_of_leader();
      if (flows.empty()) return;
      std::vector<Batch> alone;
      alone.reserve(flows.size());
      for (const Flow& flow : flows) alone.push_back({batches_.test_of(flow)});
      run(alone, true);
      if (communicator_.is_leader()) verdict_ = judge(evidence_);
    }
  }

  /// Ranks may compute the odds a little differently: one decides.
  [[nodiscard]] bool goes_on() {
    std::uint64_t more = 0;
    if (communicator_.is_leader()) {
      verdict_ = judge(evidence_);
      more = enough(verdict_, rounds_, settings_.plan) ? 0 : 1;
    }
    return communicator_.broadcast(more) != 0;
  }

  /// A retest may have cleared what explained other tests: then it takes more rounds to pass.
  [[nodiscard]] bool lacks_rounds() {
    std::uint64_t more = 0;
    if (communicator_.is_leader() && rounds_ < settings_.plan.most_rounds) {
      const bool undecided = verdict_.state == isolation::State::undecided;
      more = undecided && verdict_.unexplained_failures == 0 ? 1 : 0;
    }
    return communicator_.broadcast(more) != 0;
  }

  [[nodiscard]] std::vector<isolation::Flow> flows_of_leader() {
    std::vector<Flow> own;
    if (communicator_.is_leader()) own = flows_to_confirm();
    return transport::all_gather(communicator_, own).front();
  }

  /// Imported tests may have paths that are not known here.
  [[nodiscard]] std::vector<isolation::Flow> flows_to_confirm() const {
    std::vector<Flow> flows = retests(evidence_, verdict_);
    std::erase_if(flows, [&](const Flow& flow) { return !batches_.has_route(flow); });
    return flows;
  }

  using Batch = std::vector<isolation::PlannedTest>;
  using Names = std::vector<std::string>;

  /// Of tests alone each is a round of its own.
  void run(const std::vector<Batch>& batches, bool alone) {
    for (const Batch& batch : batches) {
      std::vector<PairTest> tests;
      tests.reserve(batch.size());
      for (const PlannedTest& test : batch)
        tests.push_back({test.from, test.to, {paths::flow_label_of_port(test.route.source_port)}});
      const auto measured = tester_.run(settings_.tests, tests);
      for (std::size_t at = 0; at < measured.size(); ++at) take(batch[at], measured[at], alone);
      if (alone) ++next_number_;
    }
  }

  void take(const PlannedTest& test, const DirectionFigures& measured, bool alone) {
    const IsolateRow row = row_of(test, measured, alone);
    if (is_evidence(row)) {
      rows_[evidence_.tests.size()] = tests_;
      const isolation::Route* const back = row.failed ? batches_.route_back(test) : nullptr;
      TestHops hops{test.route.hops, back == nullptr ? std::vector<int>() : back->hops};
      evidence_.tests.push_back(observation_of(row, test.from, test.to, std::move(hops),
                                               on_software(test.from, test.to)));
    }
    stalled_tests_ += row.void_because.empty() ? 0 : 1;
    ++tests_;
    row_(row);
  }

  [[nodiscard]] results::IsolateRow row_of(const PlannedTest& test,
                                           const DirectionFigures& measured, bool alone) const {
    const results::PairFigures& figures = measured.figures;
    IsolateRow row;
    row.from = endpoint_of(nics_.nics[test.from]);
    row.to = endpoint_of(nics_.nics[test.to]);
    row.source_port = test.route.source_port;
    row.port_was_set = measured.ports_were_set;
    row.round = next_number_;
    row.alone = alone;
    row.hops = names_of(test.route.hops);
    if (test.route.heard > 0) row.answered_hops = test.route.heard;
    row.sprayed = test.route.sprayed;
    row.failed = !figures.reason.empty();
    row.arrives = figures.arrives;
    if (row.failed) add_way_back(test, row);
    row.reason = figures.reason;
    row.packets = counters_.packets(row.from, row.to, figures);
    row.lost_packets = counters_.lost_packets(row.from, row.to, figures);
    if (on_software(test.from, test.to)) row.cpu_share = figures.cpu_share;
    row.void_because = figures.descheduled;
    if (!row.void_because.empty()) return row;  // what came at once after it would seem very fast
    row.gigabytes_per_second = figures.gigabytes_per_second;
    if (figures.time) {
      row.p50_us = figures.time->p50_us;
      row.p99_us = figures.time->p99_us;
    }
    return row;
  }

  void add_way_back(const PlannedTest& test, IsolateRow& row) const {
    const isolation::Route* const back = batches_.route_back(test);
    if (back == nullptr) return;
    row.hops_back = names_of(back->hops);
    if (back->heard > 0) row.answered_hops_back = back->heard;
  }

  [[nodiscard]] Names names_of(const std::vector<int>& hops) const {
    Names names;
    names.reserve(hops.size());
    for (const int hop : hops) {
      names.push_back(hop == isolation::kUnknownSwitch
                          ? std::string()
                          : evidence_.switches[static_cast<std::size_t>(hop)]);
    }
    return names;
  }

  [[nodiscard]] std::vector<int> numbers_of(const Names& names) {
    std::vector<int> hops;
    hops.reserve(names.size());
    for (const std::string& name : names) hops.push_back(labels_.number_of(name, evidence_));
    return hops;
  }

  [[nodiscard]] bool on_software(std::size_t from, std::size_t to) const {
    return nics_.nics[from].software || nics_.nics[to].software;
  }

  [[nodiscard]] std::optional<std::size_t> nic_of(const results::Endpoint& end) const {
    std::optional<std::size_t> found;
    for (std::size_t nic = 0; nic < nics_.nics.size(); ++nic) {
      const pairs::Nic& one = nics_.nics[nic];
      if (one.host == end.host && one.device == end.device && one.port == end.port) found = nic;
    }
    return found;
  }

  job::Communicator& communicator_;
  IsolationSettings settings_;
  const AllNics& nics_;
  TakeRow row_;
  PathCounters counters_;
  PairTester tester_;
  PathLabels labels_;
  isolation::Batches batches_;
  isolation::Evidence evidence_;
  isolation::Verdict verdict_;
  std::map<std::size_t, std::size_t> rows_;  // by test of the evidence
  std::size_t imported_ = 0;
  std::size_t offered_ = 0;  // to import, of whichever NICs
  std::size_t tests_ = 0;
  std::size_t stalled_tests_ = 0;
  int rounds_ = 0;
  int next_number_ = 0;  // of a round: a pass over all pairs, or a test alone
};

/// Without those of imported tests.
std::vector<std::uint64_t> rows_of(const std::vector<std::uint64_t>& tests,
                                   const IsolationRun& run) {
  std::vector<std::uint64_t> rows;
  for (const std::uint64_t test : tests) {
    if (const auto row = run.row_of(test)) rows.push_back(*row);
  }
  return rows;
}

void add_symptoms(const IsolationRun& run, results::IsolateBody& body) {
  const auto& symptoms = run.verdict().symptoms;
  for (std::size_t test = 0; test < symptoms.size(); ++test) {
    const auto at = run.row_of(test);
    if (!at || *at >= body.rows.size()) continue;
    results::IsolateRow& row = body.rows[*at];
    row.symptoms = in_words(symptoms[test]);
    if (symptoms[test].says_nothing()) row.void_because = starved_text(row);
  }
}

/// Rank 0, after the run: its findings and coverage, with rows of the document as evidence.
finding::Report report_of(const IsolationRun& run, const isolation::Evidence& named,
                          const std::vector<std::string>& missing) {
  finding::Report report = isolation::report_of(run.verdict(), named, missing);
  for (finding::Finding& finding : report.findings) {
    for (finding::Evidence& one : finding.evidence) {
      one.rows_for = rows_of(one.rows_for, run);
      one.rows_against = rows_of(one.rows_against, run);
    }
  }
  return report;
}

/// Rank 0, after the run: fills in the figures of the whole, and the symptoms of each row.
void conclude(const IsolationRun& run, const isolation::Evidence& named,
              results::IsolateBody& body) {
  body.rounds = run.rounds();
  body.coverage = run.verdict().coverage();
  body.noise = run.verdict().false_positive;
  body.detectable_loss = detectable_loss(body);
  body.imported_tests = run.imported();
  const std::set<std::string> switches = isolation::switches_of(named, false);
  body.switches.assign(switches.begin(), switches.end());
  add_symptoms(run, body);
}

void print_outcome(const finding::Report& report) {
  std::cout << "# " << word(outcome(report)) << "\n";
  for (const finding::FindingGroup& group : grouped(finding::ranked(report.findings)))
    std::cout << "# " << word(group.first.severity) << ": " << sentence(group) << "\n";
}

void print_coverage(const results::IsolateBody& body) {
  std::cout << "# " << counted(body.rows.size(), "test") << " in "
            << counted(static_cast<std::uint64_t>(body.rounds), "round") << ", "
            << finding::percent(body.coverage) << " of the components covered\n";
  if (!body.switches.empty())
    std::cout << "# " << counted(body.switches.size(), "switch", "switches")
              << " replied: " << finding::joined(body.switches) << "\n";
  if (body.detectable_loss) {
    std::cout << "# packet loss below " << finding::percent(*body.detectable_loss)
              << " may go undetected; use a longer --time\n";
  }
}

/// What is tested, then the outcome and the findings.
class IsolateDisplay final : public Display {
 public:
  /// `nics` has to outlive it.
  explicit IsolateDisplay(const AllNics& nics) : nics_(nics) {}

  void begin(const results::Document& document) override {
    std::cout << "# " << counted(nics_.nics.size(), "NIC") << " of "
              << counted(document.ranks.size(), "host") << std::endl;
  }
  void row(const results::Document& /*document*/) override {}
  void end(const results::Document& document) override {
    if (std::ranges::any_of(nics_.nics, &pairs::Nic::software))
      std::cout << "# SOFTWARE DEVICE: results do not represent hardware\n";
    print_coverage(std::get<results::IsolateBody>(document.body));
    print_outcome(document.report);
    std::cout << std::flush;
  }
  [[nodiscard]] bool shows_findings() const override { return true; }

 private:
  const AllNics& nics_;
};

class IsolateExperiment final : public Experiment {
 public:
  [[nodiscard]] Description description() const override {
    return {.program = "isolate_perf",
            .about =
                "Locate the faulty host, NIC (TX or RX), link or switch. Start one rank per host, "
                "which drives all of its NICs: " +
                job::launcher("mpirun") + " --map-by node",
            .tables = {"verdict"},
            .rails_have_to_match = false,
            .exit_status_1 = "a fault was found or is possible, or not everything could be tested",
            .examples = {
                {job::launcher("mpirun") + " --ppn 1 --hostfile hosts isolate_perf -J isolate.json",
                 "Locate faults, and write the tests as evidence"},
                {job::launcher("mpirun") +
                     " --ppn 1 --hostfile hosts isolate_perf --cross-rail --evidence isolate.json",
                 "Add tests across rails to those of an earlier run"}}};
  }

  void add_options(options::OptionTable& table, RunOptions& run) override {
    run.device.placement = "none";  // one thread drives all NICs
    table.group("Tests");
    table.flag(
        options::cross_rail_pairs().with(
            "With two leaf switches per rail, only they separate an uplink from its downlink"),
        settings_.plan.cross_rail);
    table.scalar("--rounds", settings_.plan.most_rounds, options::whole<int>(2, 1000),
                 "Maximum number of rounds; each pairs all NICs at random");
    table.scalar("--ports", settings_.plan.ports, options::whole<int>(1, 1000),
                 "Tests per pair, direction and round, each with its own source port");
    table.scalar(options::test_time(1000), settings_.tests.time);
    table.scalar(options::traffic_class(), settings_.tests.traffic_class);
    table.scalar(options::memory(), settings_.memory);
    table.scalar("--evidence", evidence_file_, options::text("PATH"),
                 "Result of isolate_perf, pairs_perf, reachability_perf or a collective, whose "
                 "measurements are also used");
    table.scalar("--switch-names", names_file_, options::text("PATH"),
                 "Names of switches: dns (the host's resolver), or a file. A file has lines of an "
                 "address and "
                 "a name, or is a railgauge/fabric/1, whose switches have to be on paths");
    table.scalar(options::seed(), settings_.plan.seed);
    table.group("Path tracing");
    table.scalar(options::traced_source_ports(), settings_.traced_ports);
    table.scalar(options::probe_rate(), settings_.tracing.probes_per_second);
  }

  void check_options(const options::OptionTable&, const RunOptions& run) override {
    constexpr std::chrono::seconds kLeast{10};
    if (run.limit < kLeast)
      throw std::invalid_argument("-T must be at least 10 s: one test may take 8 s");
    if (run.allow_single)
      throw std::invalid_argument("--allow-single: at least two hosts are required");
    runner::check_own_file(run, "--evidence", evidence_file_);
    if (names_file_ != kResolver) runner::check_own_file(run, "--switch-names", names_file_);
    settings_.tracing.traffic_class = settings_.tests.traffic_class;
    settings_.tracing.source_ports =
        isolation::source_ports(0, {.ports = settings_.traced_ports, .seed = settings_.plan.seed});
  }

  [[nodiscard]] results::Body body() const override { return IsolateBody{}; }

  void prepare(Session& session) override {
    if (session.communicator().is_leader()) {
      read("--evidence", evidence_file_, [&] { imported_ = read_evidence(evidence_file_); });
      read("--switch-names", names_file_ == kResolver ? "" : names_file_,
           [&] { names_ = isolation::SwitchNames(results::read_input(names_file_)); });
    }
    if (evidence_file_.empty()) return;
    imported_ = job::value_of_leader(session.communicator(), imported_);
  }

  void begin(Session& session) override {
    nics_ = nics_of(session.document().ranks);
    run_.emplace(session, settings_, nics_, [&session](results::IsolateRow row) {
      session.report<IsolateBody>(std::move(row));
    });
    run_->import(imported_);
  }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    if (session.options().table == "none") return nullptr;
    return std::make_unique<IsolateDisplay>(nics_);
  }

  void run(Session& session) override {
    run_->measure();
    session.warn(run_->notes());
    if (!session.communicator().is_leader()) return;
    isolation::Evidence named = run_->evidence();
    if (names_file_ == kResolver)
      names_ = isolation::SwitchNames::resolved(named.switches, isolation::name_of_address,
                                                std::chrono::seconds(20));
    const std::vector<std::string> missing = names_.missing(named);
    names_.name(named);
    conclude(*run_, named, session.body<IsolateBody>());
    session.report(report_of(*run_, named, missing));
  }

 private:
  static void read(const std::string& option, const std::string& path,
                   const std::function<void()>& reading) {
    try {
      if (!path.empty()) reading();
    } catch (const std::exception& error) {
      job::refuse_use(option + ": " + error.what());
    }
  }

  IsolationSettings settings_{.plan = {.most_rounds = 12, .ports = 2}};
  std::string evidence_file_;
  std::string names_file_;
  isolation::SwitchNames names_;  // of rank 0
  std::vector<EarlierTest> imported_;
  AllNics nics_;
  std::optional<IsolationRun> run_;
};

}  // namespace

std::unique_ptr<Experiment> isolation_experiment() {
  return std::make_unique<IsolateExperiment>();
}

}  // namespace railgauge::runner
