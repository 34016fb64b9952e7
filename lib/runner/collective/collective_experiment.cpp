#include "runner/collective/collective_experiment.hpp"

#include <algorithm>
#include <stdexcept>

#include "runner/collective/collective_display.hpp"
#include "runner/collective/collective_run.hpp"
#include "runner/collective/collective_session.hpp"
#include "runner/collective/cross_rail.hpp"
#include "runner/collective/selection.hpp"

namespace railgauge::runner {
namespace {

using schedule::Schedule;

/// Whether the schedule keeps to its rails, where it has to. If it was named it must: throws
/// job::RunFailure (usage). Collective.
bool keeps_to_rails(CollectiveSession& session, const Combination& combination,
                    const Schedule& schedule) {
  if (!combination.point.own_rails || session.options().cross_rail) return true;
  const auto peer =
      find_cross_rail_send(schedule, session.rank(), session.driven_rails(combination.point),
                           [&](schedule::Rank rank) { return session.shares_memory_with(rank); });
  if (peer && session.options().choice == CollectiveOptions::Choice::named) {
    throw job::RunFailure(results::Failure::Kind::usage,
                          "--rails own: " + schedule.name + " sends from " +
                              session.describe(session.rank()) + " to " + session.describe(*peer) +
                              ", across rails: use a hierarchical algorithm and --same-host "
                              "memory, or --cross-rail if that is intended");
  }
  return session.communicator().sum(peer ? 1 : 0, "the check for cross-rail sends") == 0;
}

/// The schedules asked for. Of all there are, those that cannot serve these ranks are left out,
/// those that are another's for this number of ranks, and those that would cross between rails.
std::vector<Schedule> schedules_of(CollectiveSession& session, const Combination& combination) {
  std::vector<Schedule> schedules;
  const bool named = session.options().choice == CollectiveOptions::Choice::named;
  for (const schedule::Algorithm* algorithm : session.options().algorithms) {
    try {
      Schedule made = algorithm->make(session.team(combination.point.root));
      const bool there = std::ranges::count(schedules, made.name, &Schedule::name) > 0;
      if (!keeps_to_rails(session, combination, made)) continue;
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
  if (run.takes_in_place()) row.in_place = run.measure(results::BufferMode::in_place);
  row.events = session.frame().port_events();
  session.frame().report<results::CollectiveBody>(std::move(row));
}

void run_all(CollectiveSession& session, CollectiveRun& run, std::uint64_t cycle) {
  for (const std::uint64_t bytes : session.options().sizes()) {
    for (std::size_t i = 0; i < run.schedules().size(); ++i) {
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

void run_combination(CollectiveSession& session, const Combination& combination) {
  CollectiveRun run(session, combination, schedules_of(session, combination));
  std::optional<Selection> selection;
  if (session.options().choice == CollectiveOptions::Choice::automatic)
    selection.emplace(session, run);
  const std::uint64_t cycles = session.options().cycles;
  for (std::uint64_t cycle = 0; cycles == 0 || cycle < cycles; ++cycle) {
    if (selection) {
      run_chosen(session, run, *selection, cycle);
    } else {
      run_all(session, run, cycle);
    }
    run.verify_placement();
  }
}

}  // namespace

Experiment::Description CollectiveExperiment::description() const {
  return {
      .program = program_.collective + "_perf",
      .about = "RDMA collective benchmark over RoCEv2: a row per size, in place and out of place",
      .tables = {"nccl", "wide"},
      .exit_status_1 = "verdict failed (rails do not match)"};
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
}

std::unique_ptr<Display> CollectiveExperiment::display(Session& session) {
  const CollectiveSession collective(session, program_, options_, traffic_);
  return std::make_unique<CollectiveDisplay>(options_, session.options().table,
                                             collective.combinations().size());
}

void CollectiveExperiment::run(Session& session) {
  CollectiveSession collective(session, program_, options_, traffic_);
  for (const Combination& combination : collective.combinations()) {
    run_combination(collective, combination);
  }
}

}  // namespace railgauge::runner
