#include "runner/collective/collective_experiment.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "diagnosis/diagnosis.hpp"
#include "executor/channels.hpp"
#include "job/start_up.hpp"
#include "measure/sizes.hpp"
#include "runner/collective/algorithm_by_size.hpp"
#include "runner/collective/collective_display.hpp"
#include "runner/collective/collective_run.hpp"
#include "runner/collective/collective_session.hpp"
#include "runner/collective/cross_rail.hpp"
#include "runner/collective/selection.hpp"
#include "runner/collective/thread_choice.hpp"

namespace railgauge::runner {
namespace {

using schedule::Schedule;

/// Whether the schedule keeps to its rails, where it has to. If it `must`: throws job::RunFailure
/// (usage). Collective.
bool keeps_to_rails(CollectiveSession& session, const Combination& combination,
                    const Schedule& schedule, bool must) {
  if (!combination.point.own_rails || session.options().cross_rail) return true;
  const auto peer =
      find_cross_rail_send(schedule, session.rank(), session.driven_rails(combination.point),
                           [&](schedule::Rank rank) { return session.shares_memory_with(rank); });
  const bool all_keep =
      session.communicator().sum(peer ? 1 : 0, "the check for cross-rail sends") == 0;
  if (all_keep || !must) return all_keep;
  // Once all know their own: none is stopped by another's before it has said it.
  if (peer) {
    throw job::RunFailure(results::Failure::Kind::usage,
                          "--rails own: " + schedule.name + " sends from " +
                              session.describe(session.rank()) + " to " + session.describe(*peer) +
                              ", across rails: use a hierarchical algorithm and --same-host "
                              "memory, or --cross-rail if that is intended");
  }
  session.communicator().barrier();  // which ends as the others do
  return false;
}

/// Whether all of many ranks would have to connect to rank 0, which an all-reduce can do without.
bool has_crowded_hub(const Schedule& schedule) {
  constexpr std::size_t kMostPeers = 64;
  return schedule.collective == schedule::Collective::all_reduce &&
         executor::channels_of(schedule, 0, executor::Stripes{}).size() > kMostPeers;
}

/// Collective.
SmallData small_data_of(CollectiveSession& session) {
  const bool share = session.communicator().sum(session.frame().shares_processors() ? 1 : 0,
                                                "the check for ranks that share processors") > 0;
  bool one_host = true;
  for (transport::Rank rank = 1; rank < session.ranks(); ++rank) {
    one_host = one_host && session.host_of(rank) == session.host_of(0);
  }
  return small_data(session.ranks(), share, one_host);
}

/// For --algo by-size: first that of large data, last that of small ones. One only, if the sweep
/// has no size for the other, or if small data would have to cross between rails for it: then it is
/// the one of large data.
std::vector<Schedule> schedules_by_size(CollectiveSession& session, const Combination& combination,
                                        const SmallData& small) {
  const auto sizes = session.options().sizes();
  const auto [least, most] = std::ranges::minmax(sizes);
  const schedule::Team team = session.team(combination.point.root);
  std::vector<Schedule> schedules;
  if (least <= small.most_bytes) {
    Schedule made = find_algorithm(session.options().collective, small.algorithm)->make(team);
    if (keeps_to_rails(session, combination, made, false)) schedules.push_back(std::move(made));
  }
  if (most <= small.most_bytes && !schedules.empty()) return schedules;
  Schedule large = session.options().algorithms.front()->make(team);
  keeps_to_rails(session, combination, large, true);
  schedules.insert(schedules.begin(), std::move(large));
  return schedules;
}

/// The schedules asked for. Of all there are, those that cannot serve these ranks are left out,
/// those that are another's for this number of ranks, those that would cross between rails, and
/// those that connect one rank to too many.
std::vector<Schedule> schedules_of(CollectiveSession& session, const Combination& combination,
                                   const std::optional<SmallData>& small) {
  using Choice = CollectiveOptions::Choice;
  if (small) return schedules_by_size(session, combination, *small);
  std::vector<Schedule> schedules;
  const bool named = session.options().choice == Choice::named;
  for (const schedule::Algorithm* algorithm : session.options().algorithms) {
    try {
      Schedule made = algorithm->make(session.team(combination.point.root));
      const bool there = std::ranges::count(schedules, made.name, &Schedule::name) > 0;
      if (!keeps_to_rails(session, combination, made, named)) continue;
      if (!named && has_crowded_hub(made)) continue;
      if (named || !there) schedules.push_back(std::move(made));
    } catch (const std::invalid_argument& cannot) {
      if (named) throw job::RunFailure(results::Failure::Kind::usage, cannot.what());
    }
  }
  if (!schedules.empty()) return schedules;
  throw job::RunFailure(results::Failure::Kind::usage,
                        combination.point.own_rails
                            ? "no algorithm keeps to --rails own: add --same-host memory, or use "
                              "--cross-rail"
                            : "no algorithm serves these ranks: --root must be one of them");
}

void report(CollectiveSession& session, CollectiveRun& run, results::CollectiveRow row,
            std::uint64_t cycle) {
  row.cycle = cycle;
  session.frame().watch_ports();
  row.out_of_place = run.measure(results::BufferMode::out_of_place);
  try {
    if (run.takes_in_place()) row.in_place = run.measure(results::BufferMode::in_place);
    row.events = session.frame().port_events();
    run.add_evidence(row);
  } catch (const job::RunFailure&) {  // what was measured is kept
    session.frame().report<results::CollectiveBody>(std::move(row));
    throw;
  }
  session.frame().report<results::CollectiveBody>(std::move(row));
}

/// Of rank 0, which keeps the record.
void diagnose(Session& session) {
  if (!session.communicator().is_leader()) return;
  auto& body = session.body<results::CollectiveBody>();
  std::ranges::move(diagnosis::diagnose(session.document().ranks, body.rows),
                    std::back_inserter(body.findings));
}

/// One algorithm after the other: each has a table of its own.
void run_all(CollectiveSession& session, CollectiveRun& run, std::uint64_t cycle) {
  for (std::size_t i = 0; i < run.schedules().size(); ++i) {
    for (const std::uint64_t bytes : session.options().sizes()) {
      report(session, run, run.load(i, bytes), cycle);
    }
  }
}

void run_chosen(CollectiveSession& session, CollectiveRun& run, const Selection& selection,
                std::uint64_t cycle) {
  for (const std::uint64_t bytes : session.options().sizes()) {
    const Selection::Chosen chosen = selection.choose(run, bytes);
    results::CollectiveRow row = run.load(chosen.schedule, bytes);
    row.predictions = chosen.predictions;
    report(session, run, std::move(row), cycle);
  }
}

void run_by_size(CollectiveSession& session, CollectiveRun& run, std::uint64_t most_small,
                 std::uint64_t cycle) {
  for (const std::uint64_t bytes : session.options().sizes()) {
    const bool small = bytes <= most_small;
    report(session, run, run.load(small ? run.schedules().size() - 1 : 0, bytes), cycle);
  }
}

/// With -N 0 the oldest cycles go as new ones come; the files that grow by lines have all.
void forget_oldest(CollectiveSession& session, bool& told) {
  constexpr std::size_t kMost = 1000;
  auto& rows = session.frame().body<results::CollectiveBody>().rows;
  if (!results::forget_oldest_cycles(rows, kMost) || told) return;
  session.frame().warn({"note: -N 0: the document (-J) keeps about " + std::to_string(kMost) +
                        " rows, those of the last cycles; --jsonl and --csv have all"});
  told = true;
}

void run_combination(CollectiveSession& session, const Combination& combination) {
  std::optional<SmallData> small;
  if (session.options().choice == CollectiveOptions::Choice::by_size)
    small = small_data_of(session);
  CollectiveRun run(session, combination, schedules_of(session, combination, small));
  std::optional<Selection> selection;
  if (session.options().choice == CollectiveOptions::Choice::automatic)
    selection.emplace(session, run);
  const std::uint64_t cycles = session.options().cycles;
  bool told = false;  // that rows were forgotten
  for (std::uint64_t cycle = 0; cycles == 0 || cycle < cycles; ++cycle) {
    if (cycles == 0) forget_oldest(session, told);
    if (selection) {
      run_chosen(session, run, *selection, cycle);
    } else if (small) {
      run_by_size(session, run, small->most_bytes, cycle);
    } else {
      run_all(session, run, cycle);
    }
    run.verify_placement();
  }
}

std::vector<manual::Example> examples_of(const Program& program) {
  const std::string mpirun = job::launcher("mpirun");
  const std::string line = mpirun + " --hostfile hosts " + program.collective + "_perf";
  if (traits(program.kind).size == schedule::SizeRule::none) {
    return {{line + " -n 1000 -J result.json", "A thousand iterations, with a result document"}};
  }
  std::vector<manual::Example> examples{{line + " -b 8 -e 1G -f 2 -J result.json",
                                         "nccl-tests' usual sweep, with a result document"}};
  if (program.algorithm.empty()) {
    examples.push_back({line + " -b 1M -e 1G -f 4 --algo all --rails each,all",
                        "All algorithms, on each rail by itself and on all together"});
  }
  examples.push_back({line + " -b 64M -e 64M --ci 1% --duration 1m",
                      "Until the median is known to 1 %, a minute at most"});
  examples.push_back({mpirun + " -np 2 " + program.collective + "_perf --device soft:2",
                      "Without RDMA hardware: two software devices per rank"});
  return examples;
}

/// Blocks are of whole 16 bytes, as in nccl-tests; below that there is nothing to send.
std::optional<std::string> note_of_rounding(unsigned ranks, const CollectiveOptions& options) {
  constexpr std::uint64_t kBlock = 16;
  if (traits(options.collective).size != schedule::SizeRule::per_rank) return std::nullopt;
  if (options.min_bytes == 0 || options.min_bytes >= kBlock * ranks) return std::nullopt;
  return "sizes below " + measure::format_size(kBlock * ranks) +
         " are rounded down to 0 bytes, as in nccl-tests: each of " + std::to_string(ranks) +
         " ranks has a block of whole 16 bytes, and such rows measure the call alone";
}

}  // namespace

Experiment::Description CollectiveExperiment::description() const {
  return {
      .program = program_.collective + "_perf",
      .about = "RDMA collective benchmark over RoCEv2: a row per size, in place and out of place",
      .tables = {"nccl", "wide"},
      .exit_status_1 = "verdict failed (rails do not match)",
      .examples = examples_of(program_)};
}

void CollectiveExperiment::add_options(OptionTable& table, RunOptions&) {
  add_collective_options(table, program_, options_);
}

void CollectiveExperiment::check_options(const OptionTable& table, const RunOptions&) {
  check_collective_options(table, options_);
}

results::Body CollectiveExperiment::body() const {
  return results::CollectiveBody{.collective = program_.collective};
}

void CollectiveExperiment::prepare(Session& session) {
  if (traits(program_.kind).size != schedule::SizeRule::uneven) return;
  try {
    traffic_ = options_.matrix_file.empty() ? Traffic(session.ranks(), options_.spread_percent)
                                            : load_traffic(session.ranks(), options_.matrix_file);
  } catch (const std::invalid_argument& error) {
    throw job::RunFailure(results::Failure::Kind::usage, std::string("--matrix: ") + error.what());
  }
}

void CollectiveExperiment::begin(Session& session) {
  constexpr unsigned kOnHardware = 4;
  if (options_.window == 0) options_.window = session.on_software() ? 1 : kOnHardware;
  session.settle_option("window", options_.window);
  options_.progress_threads =
      settle_progress_threads(session, options_.progress_threads, options_.same_host);
  std::vector<std::string> notes = options_.notes;
  if (const auto rounded = note_of_rounding(session.ranks(), options_)) notes.push_back(*rounded);
  for (std::string& note : notes) note.insert(0, "note: ");
  session.warn(std::move(notes));
}

std::unique_ptr<Display> CollectiveExperiment::display(Session& session) {
  const CollectiveSession collective(session, program_, options_, traffic_);
  return std::make_unique<CollectiveDisplay>(options_, session.options().table,
                                             collective.combinations().size(),
                                             progress_stream(session.options().progress));
}

void CollectiveExperiment::run(Session& session) {
  CollectiveSession collective(session, program_, options_, traffic_);
  try {
    for (const Combination& combination : collective.combinations()) {
      run_combination(collective, combination);
    }
  } catch (const job::RunFailure&) {  // the rows before may tell why
    diagnose(session);
    throw;
  }
  diagnose(session);
}

}  // namespace railgauge::runner
