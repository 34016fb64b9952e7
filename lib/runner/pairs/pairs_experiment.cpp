#include "runner/pairs/pairs_experiment.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "job/failure.hpp"
#include "job/start_up.hpp"
#include "pairs/map.hpp"
#include "reachability/heat_map.hpp"
#include "results/document_codec.hpp"
#include "results/output_file.hpp"
#include "runner/pairs/pairs_loop.hpp"
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
  if (!file) refuse_use("--resume: there is no result " + path + " to go on with");
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
  if (body == nullptr) refuse_use("--resume: " + path + " is no result of pairs_perf");
  for (const std::string& name : names_of_what_is_measured()) {
    const std::string before = results::option_text(earlier, name);
    const std::string now = results::option_text(own, name);
    if (before == now) continue;
    std::string why = "--resume: " + path;
    why.append(" was measured with --").append(name).append(" ").append(before);
    refuse_use(why.append(", not ").append(now));
  }
  EarlierRows rows{.rows = std::move(body->rows)};
  for (const reachability::Nic& nic : nics_of(earlier.ranks).nics)
    rows.nics.push_back(endpoint_of(nic));
  return rows;
}

results::OutputFile picture_file(const PairsOptions& options, const Session& session) {
  return {options.svg_file, session.options().overwrite};
}

}  // namespace

Experiment::Description PairsExperiment::description() const {
  const std::string mpirun = job::launcher("mpirun");
  return {
      .program = "pairs_perf",
      .about =
          "How fast every NIC of a fabric sends to every other: bandwidth or latency of each "
          "pair, and which pairs are slow. One rank per host, which drives all of its NICs: " +
          mpirun + " --map-by node",
      .tables = {"map"},
      .rails_have_to_match = false,
      .exit_status_1 = "a pair fails or is slow, or rails do not match",
      .examples = {{mpirun + " --ppn 1 --hostfile hosts pairs_perf -J pairs.json --svg pairs.svg",
                    "Bandwidth of all pairs of every rail"},
                   {mpirun + " --ppn 1 --hostfile hosts pairs_perf --mode bandwidth,write,read",
                    "And latency"},
                   {mpirun + " --ppn 1 --hostfile hosts pairs_perf --pairs skeleton:ring --time 1s",
                    "Only the pairs that a ring uses, for longer"},
                   {mpirun + " --ppn 1 --hostfile hosts pairs_perf -J pairs.json --resume",
                    "Go on after it was stopped"}}};
}

void PairsExperiment::add_options(OptionTable& table, RunOptions& run) {
  run.device.placement = "none";  // one thread drives all NICs
  add_pairs_options(table, options_);
}

void PairsExperiment::check_options(const OptionTable& table, const RunOptions& run) {
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
          .holds_line_rate = !software};
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
  std::vector<std::string> doubts = pairs::judge(body, limits(session));
  std::ranges::move(without_peer(nics_, options_), std::back_inserter(doubts));
  std::ranges::move(loop.left_out(), std::back_inserter(doubts));
  std::ranges::move(loop.unknown_paths(), std::back_inserter(doubts));
  if (display_ != nullptr) display_->clear();
  session.warn(std::move(doubts));
  std::vector<std::string> findings = session.mismatches();
  std::ranges::copy(body.findings, std::back_inserter(findings));
  body.findings = findings;
  session.report_findings(std::move(findings));
  draw(session, body.rows);
}

void PairsExperiment::draw(Session& session, const std::vector<PairRow>& rows) const {
  if (session.rank() != 0 || options_.svg_file.empty() || rows.empty()) return;
  const auto map = pairs::map_of(rows, rows.front().mode);
  try {
    picture_file(options_, session).write(reachability::picture(*map), std::cout);
  } catch (const std::exception& error) {
    session.report_unwritten(std::string("--svg: ") + error.what());
  }
}

}  // namespace railgauge::runner
