// Which NIC of the fabric reaches which other: every NIC of every host towards every NIC of all
// other hosts, a few messages and a short time of large writes each. Start with launchers/mpirun,
// one process per host.

#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>

#include "benchmarks/reachability/reachability.hpp"
#include "benchmarks/reachability/reachability_display.hpp"
#include "job/start_up.hpp"
#include "reachability/heat_map.hpp"
#include "results/output_file.hpp"
#include "runner/experiment.hpp"
#include "runner/session.hpp"

namespace railgauge::benchmarks {
namespace {

using results::ReachabilityBody;

/// The first, and how many others: a host that is busy is at one end of many pairs.
std::vector<std::string> in_short(std::vector<std::string> doubts) {
  constexpr std::size_t kMost = 8;
  if (doubts.size() <= kMost) return doubts;
  const std::size_t others = doubts.size() - kMost + 1;
  doubts.resize(kMost - 1);
  doubts.push_back("not known of " + std::to_string(others) +
                   " more pairs whether they are slow: the result (-J) names them");
  return doubts;
}

class ReachabilityExperiment final : public runner::Experiment {
 public:
  [[nodiscard]] Description description() const override {
    return {.program = "reachability_perf",
            .about =
                "Which NIC of the fabric reaches which other, how fast, and which should. One "
                "rank per host, which drives all of its NICs: " +
                job::launcher("mpirun") + " --map-by node",
            .tables = {"map"},
            .rails_have_to_match = false,
            .exit_status_1 =
                "rails do not match, a NIC does not reach another of its rail, or a pair is slower "
                "than half the median of its kind",
            .examples = {
                {job::launcher("mpirun") + " --hosts node1,node2 reachability_perf --svg map.svg",
                 "Every NIC of two hosts to every other, with a picture"},
                {job::launcher("mpirun") +
                     " --ppn 1 --hostfile hosts reachability_perf --same-rail-only",
                 "Only along the rails, where they are separate networks"}}};
  }

  void add_options(runner::OptionTable& table, runner::RunOptions& run) override {
    run.device.placement = "none";  // one thread drives all NICs
    table.group("What is tested");
    table.flag(
        "--same-rail-only", same_rail_only_,
        "Test only NICs of one rail, and of one plane of it: quicker where they are separate "
        "networks");
    table.flag("--cross-rail", cross_rail_,
               "NICs of different rails, and planes, have to reach each other, too");
    table.scalar("--time", options_.time, runner::milliseconds(1, 1000),
                 "Time of writing, of each pair in each direction; without a unit in milliseconds");
    table.scalar("--retries", options_.retries, runner::whole<int>(0, 1000),
                 "Times that pairs that look slow are measured again; the best of each counts");
    table.scalar("--svg", svg_file_, runner::text("PATH"), "Draw the heat map into this file");
    table.flag("--colours", colours_,
               "A heat map in colours; " + job::launcher("mpirun") +
                   " asks for it on a terminal, which Open "
                   "MPI hides from the ranks");
  }

  void check_options(const runner::OptionTable&, const runner::RunOptions& run) override {
    if (same_rail_only_ && cross_rail_) {
      throw std::invalid_argument("--same-rail-only and --cross-rail exclude each other");
    }
    constexpr std::chrono::seconds kLeast{10};
    if (run.limit < kLeast)
      throw std::invalid_argument("-T must be at least 10 s: one test may take 8 s");
    runner::check_own_file(run, "--svg", svg_file_);
    if (run.allow_single)
      throw std::invalid_argument("--allow-single: at least two hosts are required");
    if (same_rail_only_) options_.scope = reachability::Scope::same_rail;
    if (cross_rail_) options_.cross_rail = reachability::CrossRail::has_to_work;
  }

  [[nodiscard]] results::Body body() const override { return ReachabilityBody{}; }

  void prepare(runner::Session& session) override {
    if (!session.communicator().is_leader()) return;
    try {
      picture_file(session).check();
    } catch (const std::invalid_argument& error) {
      throw job::RunFailure(results::Failure::Kind::usage, error.what());
    }
  }

  void begin(runner::Session& session) override {
    nics_ = runner::nics_of(session.document().ranks);
    test_.emplace(session.communicator(), options_, nics_, session.rails());
  }

  [[nodiscard]] std::unique_ptr<runner::Display> display(runner::Session& session) override {
    if (session.options().table == "none") return nullptr;
    return std::make_unique<ReachabilityDisplay>(*test_, colours_);
  }

  void run(runner::Session& session) override {
    const reachability::Matrix& matrix = test_->measure();
    std::vector<std::string> findings = session.mismatches();
    std::ranges::move(complaints(matrix, options_.cross_rail), std::back_inserter(findings));
    auto& body = session.body<ReachabilityBody>();
    body.summary = summary_of(matrix);
    body.findings = findings;
    body.doubts = doubts(matrix);
    session.warn(in_short(body.doubts));
    session.report_findings(std::move(findings));
    for (auto& row : rows_of(matrix)) session.report<ReachabilityBody>(std::move(row));
    if (session.communicator().is_leader() && !svg_file_.empty()) {
      picture_file(session).write(reachability::picture(matrix), std::cout);
    }
  }

 private:
  [[nodiscard]] results::OutputFile picture_file(const runner::Session& session) const {
    return {svg_file_, session.options().overwrite};
  }

  ReachabilityOptions options_;
  bool same_rail_only_ = false;
  bool cross_rail_ = false;
  bool colours_ = false;
  std::string svg_file_;
  AllNics nics_;
  std::optional<Reachability> test_;
};

}  // namespace
}  // namespace railgauge::benchmarks

int main(int argc, char** argv) {
  railgauge::benchmarks::ReachabilityExperiment experiment;
  return railgauge::runner::run(experiment, argc, argv);
}
