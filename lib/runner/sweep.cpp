#include "runner/sweep.hpp"

#include <algorithm>
#include <stdexcept>

#include "runner/collective_run.hpp"
#include "runner/cross_rail.hpp"
#include "runner/selection.hpp"

namespace railgauge::runner {
namespace {

using schedule::Schedule;

/// Whether the schedule keeps to its rails, where it has to. If it was named it must: throws
/// job::RunFailure (usage). Collective.
bool keeps_to_rails(Session& session, const Setting& setting, const Schedule& schedule) {
  if (!setting.rails.own || session.options().cross_rail) return true;
  const auto found = find_cross_rail_send(session, setting.rails, schedule);
  if (found && session.options().choice == Options::Choice::named) {
    throw job::RunFailure(
        results::Failure::Kind::usage,
        "--rails own: " + *found +
            ", across rails: name a hierarchical algorithm and --same-host memory, or "
            "say --cross-rail if that is meant");
  }
  return session.communicator().sum(found ? 1 : 0, "the check for cross-rail sends") == 0;
}

/// The schedules asked for. Of all there are, those that cannot serve these ranks are left out,
/// those that are another's for this number of ranks, and those that would cross between rails.
std::vector<Schedule> schedules_of(Session& session, const Setting& setting) {
  std::vector<Schedule> schedules;
  const bool named = session.options().choice == Options::Choice::named;
  for (const schedule::Algorithm* algorithm : session.options().algorithms) {
    try {
      Schedule made = algorithm->make(session.team(setting.root));
      const bool there = std::ranges::count(schedules, made.name, &Schedule::name) > 0;
      if (!keeps_to_rails(session, setting, made)) continue;
      if (named || !there) schedules.push_back(std::move(made));
    } catch (const std::invalid_argument& cannot) {
      if (named) throw job::RunFailure(results::Failure::Kind::usage, cannot.what());
    }
  }
  if (!schedules.empty()) return schedules;
  throw job::RunFailure(results::Failure::Kind::usage,
                        setting.rails.own
                            ? "no algorithm keeps to --rails own: say --same-host memory, too, or "
                              "--cross-rail"
                            : "no algorithm serves these ranks: --root has to be one of them");
}

void report(Session& session, CollectiveRun& run, results::CollectiveRow row, std::uint64_t cycle) {
  row.cycle = cycle;
  row.out_of_place = run.measure(BufferMode::out_of_place);
  if (run.takes_in_place()) row.in_place = run.measure(BufferMode::in_place);
  session.report(row);
}

void run_all(Session& session, CollectiveRun& run, std::uint64_t cycle) {
  for (const std::uint64_t bytes : session.options().sizes()) {
    for (std::size_t i = 0; i < run.schedules().size(); ++i) {
      report(session, run, run.load(i, bytes), cycle);
    }
  }
}

void run_chosen(Session& session, CollectiveRun& run, const Selection& selection,
                std::uint64_t cycle) {
  for (const std::uint64_t bytes : session.options().sizes()) {
    const Selection::Chosen chosen = selection.choose(run, bytes);
    results::CollectiveRow row = run.load(chosen.schedule, bytes);
    row.predictions = chosen.predictions;
    report(session, run, std::move(row), cycle);
  }
}

void run_setting(Session& session, const Setting& setting) {
  CollectiveRun run(session, setting, schedules_of(session, setting));
  std::optional<Selection> selection;
  if (session.options().choice == Options::Choice::automatic) selection.emplace(session, run);
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

void sweep(Session& session) {
  for (const Setting& setting : session.settings()) run_setting(session, setting);
}

}  // namespace railgauge::runner
