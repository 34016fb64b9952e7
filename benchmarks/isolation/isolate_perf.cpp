// Which part of the fabric is bad: a host, a NIC one way, a link from one switch to the next, a
// switch. Start with launchers/mpirun, one process per host.

#include <nlohmann/json.hpp>
#include <optional>

#include "job/start_up.hpp"
#include "runner/experiment.hpp"
#include "runner/isolation/conclusion.hpp"
#include "runner/isolation/evidence_file.hpp"
#include "runner/isolation/isolate_display.hpp"
#include "runner/isolation/isolation_run.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using results::IsolateBody;

class IsolateExperiment final : public Experiment {
 public:
  [[nodiscard]] Description description() const override {
    return {
        .program = "isolate_perf",
        .about =
            "Which part of the fabric is bad: a host, what a NIC sends or receives, a link from "
            "one switch to the next, a switch. One rank per host, which drives all of its "
            "NICs: " +
            job::launcher("mpirun") + " --map-by node",
        .tables = {"verdict"},
        .rails_have_to_match = false,
        .exit_status_1 = "something is bad, or may be, or not everything could be tested",
        .examples = {
            {job::launcher("mpirun") + " --ppn 1 --hostfile hosts isolate_perf -J isolate.json",
             "Name what is bad, with the tests that say so"},
            {job::launcher("mpirun") +
                 " --ppn 1 --hostfile hosts isolate_perf --cross-rail --evidence isolate.json",
             "Go on with what an earlier run measured, and across rails"}}};
  }

  void add_options(OptionTable& table, RunOptions& run) override {
    run.device.placement = "none";  // one thread drives all NICs
    table.group("What is tested");
    table.flag("--cross-rail", settings_.plan.cross_rail,
               "Match NICs of different rails, too, where these reach each other: with two leaves "
               "to a rail, only so is a link up told from the link down that follows");
    table.scalar("--rounds", settings_.plan.most_rounds, whole<int>(2, 1000),
                 "Rounds at most, of a random perfect matching of NICs each");
    table.scalar("--ports", settings_.plan.ports, whole<int>(1, 1000),
                 "Tests of each pair in each direction and round, by other source ports");
    table.scalar("--time", settings_.tests.time, milliseconds(1, 1000),
                 "Time of writing of each test; without a unit in milliseconds");
    table.scalar("--traffic-class", settings_.tests.traffic_class, whole<std::uint8_t>(0, 255),
                 "DSCP << 2 | ECN, as in the IP header");
    table.scalar(
        "--evidence", evidence_file_, text("PATH"),
        "An earlier result, of isolate_perf, pairs_perf, reachability_perf or a collective, whose "
        "measurements count, too");
    table.group("How paths are found");
    table.scalar("--labels", settings_.labels.source_ports, whole<int>(1, 1000),
                 "Source ports to trace between each two NICs");
    table.scalar("--probe-rate", settings_.labels.probes_per_second, whole<int>(1, 100000),
                 "Probes per second of each host; switches answer some hundred for all who ask");
    table.scalar("--seed", settings_.plan.seed, whole<std::uint64_t>(0, kMostSeed),
                 "Of pairs and source ports: the same seed has the same");
  }

  void check_options(const OptionTable&, const RunOptions& run) override {
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
        own = packed(read_evidence(evidence_file_));
      } catch (const std::exception& error) {
        throw job::RunFailure(results::Failure::Kind::usage,
                              std::string("--evidence: ") + error.what());
      }
    }
    if (!evidence_file_.empty())
      imported_ = unpacked(session.communicator().all_gather_text(own).front());
  }

  void begin(Session& session) override {
    nics_ = tested_nics(session.document().ranks);
    run_.emplace(
        session.communicator(), settings_, nics_, session.rails(),
        [&session](results::IsolateRow row) { session.report<IsolateBody>(std::move(row)); });
    run_->import(imported_);
  }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    if (session.options().table == "none") return nullptr;
    return std::make_unique<IsolateDisplay>(nics_);
  }

  void run(Session& session) override {
    run_->measure();
    session.warn(run_->notes());
    std::vector<std::string> findings = session.mismatches();
    auto& body = session.body<IsolateBody>();
    if (session.communicator().is_leader()) {
      conclude(*run_, body);
      if (body.isolate_verdict != results::IsolateVerdict::pass)
        findings.insert(findings.end(), body.sentences.begin(), body.sentences.end());
    }
    const std::string told =
        session.communicator().all_gather_text(nlohmann::json(findings).dump()).front();
    session.report_findings(nlohmann::json::parse(told).get<std::vector<std::string>>());
  }

 private:
  static constexpr std::int64_t kMostSeed = 1'000'000'000;

  IsolationSettings settings_{.plan = {.most_rounds = 12, .ports = 2}};
  std::string evidence_file_;
  std::vector<EarlierTest> imported_;
  std::vector<TestedNic> nics_;
  std::optional<IsolationRun> run_;
};

}  // namespace
}  // namespace railgauge::runner

int main(int argc, char** argv) {
  railgauge::runner::IsolateExperiment experiment;
  return railgauge::runner::run(experiment, argc, argv);
}
