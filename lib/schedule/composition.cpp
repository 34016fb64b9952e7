#include "schedule/composition.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace railgauge::schedule {
namespace {

/// One op for every stretch of blocks that lie side by side in the whole. Both ends of a message
/// have the same stretches in the same order. (Parts have no scratch, and so copy from where it
/// is.)
void spread_out(const Op& op, const SubgroupRank& subgroup_rank, Rank rank, Ops& ops) {
  const Spread& spread = subgroup_rank.spread;
  const bool joined = spread.size == spread.pitch;
  const Block stretches = joined ? 1 : op.blocks.count;
  const Block size = joined ? op.blocks.count * spread.size : spread.size;
  for (Block k = 0; k < spread.times; ++k) {
    for (Block i = 0; i < stretches; ++i) {
      const Block first = spread.first + (op.blocks.first + i) * spread.pitch + k * spread.stride;
      const Rank peer = op.action == Action::copy ? rank : subgroup_rank.group.rank(op.peer);
      ops.push_back({op.action, peer, {first, size}, kSame, op.channel});
    }
  }
}

/// What a later part takes for its input the parts before have written.
void part_step(const Part& part, bool first, Rank rank, Step step, Ops& ops) {
  const SubgroupRank subgroup_rank = part.subgroup_rank(rank);
  for (const Op& op : part.schedule.ops(subgroup_rank.number, step)) {
    if (first || !keeps(op)) spread_out(op, subgroup_rank, rank, ops);
  }
}

void expect_no_room_of_its_own(const Schedule& part) {
  if (part.all_blocks() == part.blocks) return;
  throw std::invalid_argument(
      part.name + " " + std::string(name(part.collective)) +
      " cannot be a part of another schedule: it has blocks that not all parts share");
}

void add(Cost& sum, const Cost& part, const Spread& spread) {
  const std::uint64_t blocks = std::uint64_t{spread.size} * spread.times;
  const bool joined = spread.size == spread.pitch;
  sum.rounds += part.rounds;
  sum.messages += (joined ? part.messages : part.blocks_sent) * spread.times;
  sum.blocks_sent += part.blocks_sent * blocks;
  sum.blocks_received += part.blocks_received * blocks;
  sum.blocks_reduced += part.blocks_reduced * blocks;
  sum.depth += part.depth;
}

}  // namespace

Part all_ranks(Schedule schedule) {
  return {std::move(schedule), [](Rank rank) { return SubgroupRank{{}, rank, {}}; }};
}

Schedule compose(Schedule whole, std::vector<Part> parts) {
  for (const Part& part : parts) expect_no_room_of_its_own(part.schedule);
  while (parts.size() > 1) {
    const auto idle =
        std::ranges::find_if(parts, [](const Part& part) { return part.schedule.ranks == 1; });
    if (idle == parts.end()) break;
    parts.erase(idle);
  }
  whole.cost = {};
  whole.steps = 0;
  for (const Part& part : parts) {
    add(whole.cost, part.schedule.cost, part.subgroup_rank(0).spread);
    whole.steps += part.schedule.steps;
  }
  whole.rule = [parts = std::move(parts)](Rank rank, Step step, Ops& ops) {
    for (const Part& part : parts) {
      const bool first = &part == parts.data();
      if (step < part.schedule.steps) return part_step(part, first, rank, step, ops);
      step -= part.schedule.steps;
    }
  };
  return whole;
}

}  // namespace railgauge::schedule
