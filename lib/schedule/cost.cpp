#include "schedule/cost.hpp"

#include <algorithm>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {
namespace {

void count(Cost& cost, const Op& op) {
  if (op.action == Action::send) {
    ++cost.messages;
    cost.blocks_sent += op.blocks.count;
  } else if (arrives(op.action)) {
    cost.blocks_received += op.blocks.count;
    if (op.action == Action::reduce) cost.blocks_reduced += op.blocks.count;
  }
}

bool anybody_sends(const Schedule& schedule, Step step) {
  Ops ops;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    ops.clear();
    schedule.rule(rank, step, ops);
    if (std::ranges::any_of(ops, [](const Op& op) { return op.action == Action::send; })) {
      return true;
    }
  }
  return false;
}

}  // namespace

Cost counted(const Schedule& schedule, Rank rank) {
  Cost cost;
  Ops ops;
  for (Step step = 0; step < schedule.steps; ++step) {
    ops.clear();
    schedule.rule(rank, step, ops);
    const std::uint64_t messages = cost.messages;
    for (const Op& op : ops) count(cost, op);
    if (cost.messages > messages) ++cost.rounds;
  }
  return cost;
}

Cost counted(const Schedule& schedule) {
  Cost most;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    const Cost cost = counted(schedule, rank);
    most.messages = std::max(most.messages, cost.messages);
    most.blocks_sent = std::max(most.blocks_sent, cost.blocks_sent);
    most.blocks_received = std::max(most.blocks_received, cost.blocks_received);
    most.blocks_reduced = std::max(most.blocks_reduced, cost.blocks_reduced);
  }
  for (Step step = 0; step < schedule.steps; ++step) {
    if (anybody_sends(schedule, step)) ++most.rounds;
  }
  return most;
}

}  // namespace railgauge::schedule
