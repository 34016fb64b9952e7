#include "experiments/isolation/isolation_experiment.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/isolation/earlier_tests.hpp"
#include "experiments/isolation/isolation_run.hpp"
#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "job/start_up.hpp"
#include "options/shared.hpp"
#include "results/codec.hpp"
#include "runner/display.hpp"
#include "runner/experiment.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using finding::counted;
using results::IsolateBody;

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
    table.scalar("--evidence", evidence_file_, options::text("PATH"),
                 "Result of isolate_perf, pairs_perf, reachability_perf or a collective, whose "
                 "measurements are also used");
    table.scalar(options::seed(), settings_.plan.seed);
    table.group("Path tracing");
    table.scalar(options::traced_source_ports(), settings_.labels.source_ports);
    table.scalar(options::probe_rate(), settings_.labels.probes_per_second);
  }

  void check_options(const options::OptionTable&, const RunOptions& run) override {
    constexpr std::chrono::seconds kLeast{10};
    if (run.limit < kLeast)
      throw std::invalid_argument("-T must be at least 10 s: one test may take 8 s");
    if (run.allow_single)
      throw std::invalid_argument("--allow-single: at least two hosts are required");
    runner::check_own_file(run, "--evidence", evidence_file_);
    settings_.labels.traffic_class = settings_.tests.traffic_class;
    settings_.labels.seed = settings_.plan.seed;
  }

  [[nodiscard]] results::Body body() const override { return IsolateBody{}; }

  void prepare(Session& session) override {
    std::string own = "[]";
    if (session.communicator().is_leader() && !evidence_file_.empty()) {
      try {
        own = results::encode(read_evidence(evidence_file_)).dump();
      } catch (const std::exception& error) {
        throw job::RunFailure(results::Failure::Kind::usage,
                              std::string("--evidence: ") + error.what());
      }
    }
    if (evidence_file_.empty()) return;
    const std::string told = session.communicator().all_gather_text(own).front();
    results::decode(results::Json::parse(told), imported_);
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
    conclude(*run_, session.body<IsolateBody>());
    finding::Report report = report_of(*run_);
    session.report(std::move(report.findings));
    for (finding::Coverage& one : report.coverage) session.cover(std::move(one));
  }

 private:
  IsolationSettings settings_{.plan = {.most_rounds = 12, .ports = 2}};
  std::string evidence_file_;
  std::vector<EarlierTest> imported_;
  AllNics nics_;
  std::optional<IsolationRun> run_;
};

}  // namespace

std::unique_ptr<Experiment> isolation_experiment() {
  return std::make_unique<IsolateExperiment>();
}

}  // namespace railgauge::runner
