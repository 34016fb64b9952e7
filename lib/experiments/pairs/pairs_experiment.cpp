#include "experiments/pairs/pairs_experiment.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "experiments/pairs/pairs_loop.hpp"
#include "job/failure.hpp"
#include "job/start_up.hpp"
#include "pairs/findings.hpp"
#include "pairs/heat_map.hpp"
#include "pairs/map.hpp"
#include "results/document_codec.hpp"
#include "results/output_file.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using results::Failure;
using results::PairRow;
using results::PairsBody;

[[noreturn]] void refuse_use(const std::string& why) {
  throw job::RunFailure(Failure::Kind::usage, why);
}

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

}  // namespace

Experiment::Description PairsExperiment::description() const {
  const bool reaches = options_.program == PairsProgram::reachability_perf;
  Description description = reaches ? of_reachability_perf() : of_pairs_perf();
  description.rails_have_to_match = false;
  return description;
}

void PairsExperiment::add_options(options::OptionTable& table, RunOptions& run) {
  run.device.placement = "none";  // one thread drives all NICs
  add_pairs_options(table, options_);
}

void PairsExperiment::check_options(const options::OptionTable& table, const RunOptions& run) {
  check_pairs_options(table, run, options_);
}

void PairsExperiment::prepare(Session& session) {
  std::string told;
  if (session.communicator().is_leader()) {
    try {
      picture_file(options_, session).check();
    } catch (const std::invalid_argument& error) {
      refuse_use(error.what());
    }
    if (options_.resume)
      told =
          results::encode(earlier_rows(session.options().output_file, session.document())).dump();
  }
  if (!options_.resume) return;
  const auto all = session.communicator().all_gather_text(told);
  results::decode(results::Json::parse(all.front()), earlier_);
}

void PairsExperiment::begin(Session& session) {
  nics_ = nics_of(session.document().ranks);
  auto& body = session.body<PairsBody>();
  if (options_.resume) body.rows = rows_of_same_nics(std::exchange(earlier_, {}), nics_);
  steps_ = steps_of(nics_, options_, body.rows);
  body.planned = rows_of(steps_) + body.rows.size();
}

std::unique_ptr<Display> PairsExperiment::display(Session& session) {
  if (session.options().table == "none") return nullptr;
  const PairsDisplay::Expected expected{
      .nics = nics_.nics.size(),
      .rounds = steps_.size() * static_cast<std::size_t>(options_.repetitions),
      .rows = rows_of(steps_),
      .kept = session.body<PairsBody>().rows.size(),
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

pairs::Limits PairsExperiment::limits(const Session& session) const {
  constexpr double kPercent = 100;
  const bool software = session.on_software();
  const double share = software ? kSoftwareMedianShare : kMedianShare;
  return {.line_rate_percent = kPercent * options_.line_rate_share,
          .median_share = options_.median_share.value_or(share),
          .connect_share = options_.median_share.value_or(std::min(share, kConnectShare)),
          .holds_line_rate = !software,
          .cross_rail_may_fail = !options_.cross_rail};
}

void PairsExperiment::run(Session& session) {
  auto& body = session.body<PairsBody>();
  if (steps_.empty() && body.rows.empty())
    refuse_use("there is no pair to measure: all NICs are of one host, or no two are on one rail");
  PairsLoop loop(session, options_, nics_, body.rows);
  if (options_.resume) session.take_over_files();
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
  finding::Report report = pairs::judge(body, limits(session));
  if (display_ != nullptr) display_->clear();
  session.warn(loop.notes());
  session.report(std::move(report.findings));
  session.report(without_peer(nics_, options_));
  if (std::ranges::count(options_.modes, flow::Mode::connect) > 0)
    session.report(pairs::findings_of_hosts(nics_.nics));
  session.report(loop.given_up());
  for (finding::Coverage& one : report.coverage) session.cover(std::move(one));
  draw(session, body.rows);
}

void PairsExperiment::draw(Session& session, const std::vector<PairRow>& rows) const {
  if (session.rank() != 0 || options_.svg_file.empty() || rows.empty()) return;
  const auto map = pairs::map_of(rows, rows.front().mode);
  try {
    picture_file(options_, session).write(pairs::picture(*map), std::cout);
  } catch (const std::exception& error) {
    session.report_unwritten(std::string("--svg: ") + error.what());
  }
}

}  // namespace railgauge::runner
