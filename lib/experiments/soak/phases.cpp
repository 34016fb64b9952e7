#include "experiments/soak/phases.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "experiments/collective/window_choice.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

schedule::Collective collective_of(const soak::Phase& phase) {
  return schedule::collective(phase.collective).value();
}

CollectiveOptions options_of(const Session& session, const SoakOptions& options,
                             const soak::Phase& phase) {
  CollectiveOptions found = options.transport;
  found.collective = collective_of(phase);
  found.algorithms = {schedule::find_algorithm(found.collective, phase.algorithm)};
  found.min_bytes = found.max_bytes = phase.size_bytes;
  found.window = default_window(session, found.collective, found.chunks.front(),
                                options.memory == results::MemoryKind::gpu);
  return found;
}

Combination combination_of(const SoakOptions& options, const CollectiveOptions& found,
                           const soak::Phase& phase) {
  return {.point = {.rails = phase.rails,
                    .queue_pairs = options.queue_pairs,
                    .chunk_bytes = found.chunks.front(),
                    .traffic_class = options.traffic_class,
                    .memory = options.memory}};
}

soak::PhaseSample leader_of(std::size_t phase, const TurnTimes& times, const CollectiveRun& run,
                            std::uint64_t wrong) {
  soak::PhaseSample turn{.phase = phase,
                         .iterations = times.iterations,
                         .verified = times.verified,
                         .wrong = wrong,
                         .slowest = {.us = times.slowest_us, .when = times.slowest_when}};
  if (times.times.count() == 0) return turn;  // rank 0 has them
  turn.p50_us = times.times.quantile_us(500);
  turn.p99_us = times.times.quantile_us(990);
  turn.p999_us = times.times.quantile_us(999);
  turn.busbw_gigabytes_per_second = run.busbw_gigabytes_per_second(turn.p50_us);
  return turn;
}

}  // namespace

/// Phases that differ in their sizes only, on connections of their own.
struct Phases::Group {
  Group(Session& session, const SoakOptions& soak, const soak::Phase& phase)
      : like(phase),
        program{phase.collective, collective_of(phase)},
        options(options_of(session, soak, phase)),
        combination(combination_of(soak, options, phase)),
        collective(session, program, options, traffic) {}

  [[nodiscard]] bool takes(const soak::Phase& phase) const {
    soak::Phase same = phase;
    same.size_bytes = like.size_bytes;
    return same == like;
  }

  void connect() {
    try {
      run = std::make_unique<CollectiveRun>(
          collective, combination,
          std::vector{options.algorithms.front()->make(collective.team(combination.point.root))});
    } catch (const std::invalid_argument& cannot) {
      job::refuse_use(like.collective + " by " + like.algorithm + ": " + cannot.what());
    }
  }

  soak::Phase like;
  Program program;
  CollectiveOptions options;
  Traffic traffic;
  Combination combination;
  CollectiveSession collective;
  std::unique_ptr<CollectiveRun> run;
};

Phases::Phases(Session& session, const SoakOptions& options, const std::vector<soak::Phase>& plan)
    : session_(session) {
  for (const soak::Phase& phase : plan) {
    auto group = std::ranges::find_if(groups_, [&](const auto& one) { return one->takes(phase); });
    if (group == groups_.end()) {
      group = groups_.insert(group, std::make_unique<Group>(session, options, phase));
    }
    (*group)->options.max_bytes = std::max((*group)->options.max_bytes, phase.size_bytes);
    phases_.push_back({.group = group->get(), .size_bytes = phase.size_bytes});
  }
  for (const auto& group : groups_) group->connect();
}

Phases::~Phases() = default;

Phases::Result Phases::take_turn(std::size_t number, const TurnRule& rule) {
  Connected& phase = phases_.at(number);
  CollectiveRun& run = *phase.group->run;
  (void)run.load(0, phase.size_bytes);
  run.begin_turn();
  const TurnTimes times =
      run_turn(run.iteration(), rule, phase.verification, session_.communicator());
  CollectiveRun::Turn turn = run.end_turn();
  Result result{.leader = leader_of(number, times, run, turn.wrong), .load = turn.load};
  if (turn.finding) result.leader.findings.push_back(std::move(*turn.finding));
  result.own = {.own_us = times.own_us,
                .longest_us = times.longest_us,
                .data_error = std::move(turn.data_error),
                .rails = std::move(turn.rails),
                .edges = std::move(turn.edges)};
  return result;
}

void Phases::forget_verification() {
  for (Connected& phase : phases_) phase.verification = {};
}

void Phases::verify_placement() {
  for (const auto& group : groups_) group->run->verify_placement();
}

}  // namespace railgauge::runner
