#include "benchmarks/sweep.hpp"

#include <algorithm>
#include <stdexcept>

#include "benchmarks/selection.hpp"
#include "benchmarks/trial.hpp"

namespace railgauge::benchmarks {
namespace {

using schedule::Schedule;

/// The schedules asked for. Of all there are, those that cannot serve these ranks are left out, and
/// those that are another's for this number of ranks.
std::vector<Schedule> schedules_of(const Session& session) {
  std::vector<Schedule> schedules;
  const bool named = session.options().choice == Options::Choice::named;
  for (const schedule::Algorithm* algorithm : session.options().algorithms) {
    try {
      Schedule made = algorithm->make(session.team());
      const bool there = std::ranges::count(schedules, made.name, &Schedule::name) > 0;
      if (named || !there) schedules.push_back(std::move(made));
    } catch (const std::invalid_argument& cannot) {
      if (named) throw RunFailure(results::Failure::Kind::usage, cannot.what());
    }
  }
  if (!schedules.empty()) return schedules;
  throw RunFailure(results::Failure::Kind::usage,
                   "no algorithm serves these ranks: --root has to be one of them");
}

void report(Session& session, Trial& trial, results::Row row) {
  row.out_of_place = trial.measure(Placement::out_of_place);
  if (trial.takes_in_place()) row.in_place = trial.measure(Placement::in_place);
  session.report(row);
}

}  // namespace

void sweep(Session& session) {
  Trial trial(session, schedules_of(session));
  if (session.options().choice == Options::Choice::automatic) {
    const Selection selection(session, trial);
    for (const std::uint64_t bytes : session.options().sizes()) {
      const Selection::Chosen chosen = selection.choose(trial, bytes);
      results::Row row = trial.load(chosen.schedule, bytes);
      row.predictions = chosen.predictions;
      report(session, trial, std::move(row));
    }
    return;
  }
  for (const std::uint64_t bytes : session.options().sizes()) {
    for (std::size_t i = 0; i < trial.schedules().size(); ++i) {
      report(session, trial, trial.load(i, bytes));
    }
  }
}

}  // namespace railgauge::benchmarks
