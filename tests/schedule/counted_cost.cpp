#include "schedule/counted_cost.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

/// How many messages, one after the other, made each block what it is.
class Depths {
 public:
  explicit Depths(const Schedule& schedule)
      : schedule_(schedule),
        blocks_(schedule.all_blocks()),
        now_(std::size_t{schedule.ranks} * blocks_) {}

  std::uint64_t longest() {
    for (Step step = 0; step < schedule_.steps; ++step) advance(step);
    return std::ranges::max(now_);
  }

 private:
  using Writes = std::vector<std::pair<std::uint32_t*, std::uint32_t>>;

  std::uint32_t& at(Rank rank, Block block) { return now_[std::size_t{rank} * blocks_ + block]; }

  void advance(Step step) {
    Writes writes;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      ops_.clear();
      schedule_.rule(rank, step, ops_);
      for (const Op& op : ops_) {
        if (op.action == Action::copy) copy(writes, rank, op);
        if (op.action == Action::send) pass(writes, step, rank, op);
      }
    }
    for (const auto& [to, depth] : writes) *to = std::max(*to, depth);
  }

  /// Where a send arrives is for its peer to say.
  void pass(Writes& writes, Step step, Rank rank, const Op& sent) {
    theirs_.clear();
    schedule_.rule(sent.peer, step, theirs_);
    const Op* const arrival = counterpart(sent, ops_, rank, theirs_);
    if (arrival != nullptr) arrive(writes, sent.peer, *arrival, rank, sent.blocks.first);
  }

  /// A copy goes block by block; a message waits for all that is in it.
  void copy(Writes& writes, Rank rank, const Op& op) {
    for (Block i = 0; i < op.blocks.count; ++i) {
      writes.emplace_back(&at(rank, op.blocks.first + i), at(rank, op.read().first + i));
    }
  }
  void arrive(Writes& writes, Rank rank, const Op& op, Rank source, Block first) {
    const auto begin = now_.begin() + (&at(source, first) - now_.data());
    const std::uint32_t depth = *std::max_element(begin, begin + op.blocks.count) + 1;
    for (Block i = 0; i < op.blocks.count; ++i) {
      const std::uint32_t own = op.action == Action::reduce ? at(rank, op.read().first + i) : 0;
      writes.emplace_back(&at(rank, op.blocks.first + i), std::max(depth, own));
    }
  }

  const Schedule& schedule_;
  Block blocks_;
  std::vector<std::uint32_t> now_;  // [rank][block]
  Ops ops_;
  Ops theirs_;
};

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
  most.depth = Depths(schedule).longest();
  return most;
}

}  // namespace railgauge::schedule
