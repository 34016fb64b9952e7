#include "executor/plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace railgauge::executor {
namespace {

using schedule::Block;
using schedule::BlockRange;
using schedule::Op;
using schedule::Ops;
using schedule::Step;

/// The op at the peer that meets the `nth` op of `rank` with it in this step: an arrival for a
/// send, a send for an arrival.
Op counterpart(const Schedule& schedule, Rank rank, Step step, const Op& ours, std::size_t nth) {
  for (const Op& theirs : schedule.ops(ours.peer, step)) {
    const bool meets = theirs.peer == rank && theirs.action != Action::copy &&
                       schedule::arrives(theirs.action) != schedule::arrives(ours.action);
    if (meets && nth-- == 0) return theirs;
  }
  throw std::logic_error("rank " + std::to_string(ours.peer) + " has no part in step " +
                         std::to_string(step) + " of rank " + std::to_string(rank));
}

/// Which ops have touched each block of a stripe so far: where an op has to wait, and where its
/// data lie.
class BlockHistory {
 public:
  explicit BlockHistory(Block blocks) : last_(blocks) {}

  [[nodiscard]] bool written(Block block) const { return last_[block].written; }

  /// The ops that `op` has to wait for, without repetition.
  [[nodiscard]] std::set<std::uint32_t> before(const BlockRange& blocks, bool writes) const {
    std::set<std::uint32_t> ops;
    for (Block b = blocks.first; b < blocks.end(); ++b) {
      if (last_[b].written) ops.insert(last_[b].writer);
      if (writes) ops.insert(last_[b].readers.begin(), last_[b].readers.end());
    }
    return ops;
  }

  void note(std::uint32_t op, const BlockRange& blocks, bool writes) {
    for (Block b = blocks.first; b < blocks.end(); ++b) {
      if (writes) {
        last_[b] = {true, op, {}};
      } else {
        last_[b].readers.push_back(op);
      }
    }
  }

 private:
  struct Touch {
    bool written = false;
    std::uint32_t writer = 0;
    std::vector<std::uint32_t> readers;  // since it was written
  };
  std::vector<Touch> last_;
};

class Builder {
 public:
  Builder(const Schedule& schedule, Rank rank, std::span<const transport::LaneRequest> lanes)
      : schedule_(schedule), rank_(rank), history_(schedule.blocks) {
    for (transport::Lane lane = 0; lane < lanes.size(); ++lane) {
      lanes_.try_emplace({lanes[lane].peer, lanes[lane].rail}, lane);
    }
    plan_.algorithm = schedule.name;
    plan_.steps = schedule.steps;
    plan_.sends.resize(lanes.size());
    plan_.arrivals.resize(lanes.size());
  }

  Plan build(const Layout& layout, std::size_t element_bytes, unsigned rails) {
    plan_.element_bytes = element_bytes;
    for (unsigned rail = 0; rail < rails; ++rail) {
      plan_.stripes.push_back(layout.stripe(rail, rails));
      history_ = BlockHistory(schedule_.blocks);
      for (Step step = 0; step < schedule_.steps; ++step) add_step(step);
    }
    return std::move(plan_);
  }

 private:
  void add_step(Step step) {
    const Ops ops = schedule_.ops(rank_, step);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const auto same_way = [&](const Op& op) {
        return op.peer == ops[i].peer &&
               schedule::arrives(op.action) == schedule::arrives(ops[i].action);
      };
      const auto nth =
          std::count_if(ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(i), same_way);
      add(step, ops[i], static_cast<std::size_t>(nth));
    }
  }

  void add(Step step, const Op& op, std::size_t nth) {
    const bool reads_ours = op.action == Action::send || op.action == Action::reduce;
    const std::vector<Block> unwritten = blocks_in_the_input(op.blocks);
    const bool all_unwritten = unwritten.size() == blocks_with_data(op.blocks);
    // A range has to come from one place: what of it still lies in the input is copied first.
    if (reads_ours && !all_unwritten) {
      for (const Block block : unwritten) add(step, {Action::copy, rank_, {block, 1}}, 0);
    }
    PlannedOp planned;
    planned.action = op.action;
    planned.from_input = op.action == Action::copy || all_unwritten;
    planned.step = step;
    planned.blocks = op.blocks;
    planned.span = stripe().span(op.blocks);
    if (op.action != Action::copy) meet(planned, counterpart(schedule_, rank_, step, op, nth), op);
    append(planned);
  }

  void meet(PlannedOp& planned, const Op& theirs, const Op& ours) {
    const Layout::Span span = stripe().span(theirs.blocks);
    if (span.size() != planned.span.size()) {
      throw std::logic_error("rank " + std::to_string(rank_) + " and rank " +
                             std::to_string(ours.peer) + " disagree about the size of step " +
                             std::to_string(planned.step));
    }
    planned.peer_begin = span.begin;
    planned.peer_reduces = theirs.action == Action::reduce;
    planned.lane = lanes_.at({ours.peer, static_cast<unsigned>(plan_.stripes.size() - 1)});
  }

  [[nodiscard]] bool has_data(Block block) const { return stripe().span({block, 1}).size() > 0; }

  [[nodiscard]] std::size_t blocks_with_data(const BlockRange& blocks) const {
    std::size_t count = 0;
    for (Block b = blocks.first; b < blocks.end(); ++b) count += has_data(b) ? 1 : 0;
    return count;
  }

  [[nodiscard]] std::vector<Block> blocks_in_the_input(const BlockRange& blocks) const {
    std::vector<Block> found;
    for (Block b = blocks.first; b < blocks.end(); ++b) {
      if (has_data(b) && !history_.written(b)) found.push_back(b);
    }
    return found;
  }

  void append(PlannedOp planned) {
    if (planned.span.size() == 0) return;  // nobody's business, neither here nor at the peer
    const auto number = static_cast<std::uint32_t>(plan_.ops.size());
    const bool writes = planned.action != Action::send;
    planned.stripe = static_cast<std::uint32_t>(plan_.stripes.size() - 1);
    planned.first_dependency = static_cast<std::uint32_t>(plan_.dependencies.size());
    for (const std::uint32_t op : history_.before(planned.blocks, writes)) {
      plan_.dependencies.push_back(op);
      ++planned.dependencies;
    }
    history_.note(number, planned.blocks, writes);
    plan_.ops.push_back(planned);
    if (planned.action == Action::copy) plan_.copies.push_back(number);
    if (planned.action == Action::send) plan_.sends[planned.lane].push_back(number);
    if (schedule::arrives(planned.action)) plan_.arrivals[planned.lane].push_back(number);
  }

  [[nodiscard]] const Layout& stripe() const { return plan_.stripes.back(); }

  const Schedule& schedule_;
  Rank rank_;
  BlockHistory history_;
  std::map<std::pair<Rank, unsigned>, transport::Lane> lanes_;
  Plan plan_;
};

}  // namespace

std::vector<transport::LaneRequest> lanes_of(const Schedule& schedule, Rank rank, unsigned rails) {
  std::set<Rank> peers;
  for (Step step = 0; step < schedule.steps; ++step) {
    for (const Op& op : schedule.ops(rank, step)) {
      if (op.action != Action::copy) peers.insert(op.peer);
    }
  }
  std::vector<transport::LaneRequest> lanes;
  for (const Rank peer : peers) {
    for (unsigned rail = 0; rail < rails; ++rail) lanes.push_back({peer, rail});
  }
  return lanes;
}

Plan make_plan(const Schedule& schedule, Rank rank, const Layout& layout, std::size_t element_bytes,
               unsigned rails, std::span<const transport::LaneRequest> lanes) {
  return Builder(schedule, rank, lanes).build(layout, element_bytes, rails);
}

}  // namespace railgauge::executor
