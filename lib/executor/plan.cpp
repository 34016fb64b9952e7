#include "executor/plan.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "schedule/block_history.hpp"

namespace railgauge::executor {
namespace {

using schedule::Block;
using schedule::BlockHistory;
using schedule::BlockRange;
using schedule::Op;
using schedule::Ops;
using schedule::Step;

bool completes(const PlannedOp& op, const std::vector<bool>& more, const Layout& layout) {
  Block blocks = 0;
  Block complete = 0;
  for (Block b = op.blocks.first; b < op.blocks.end(); ++b) {
    if (layout.span({b, 1}).size() == 0) continue;
    ++blocks;
    complete += more[b] ? 0 : 1;
  }
  if (complete != 0 && complete != blocks) {
    throw std::logic_error("an op completes only some of its blocks");
  }
  return complete != 0;
}

/// Marks those reductions of the last stripe, whose ops begin at number `first`, that are the last
/// to combine anything into their blocks. Throws std::logic_error if that is true for only some of
/// an op's blocks.
///
/// Goes backwards: which blocks will still be combined, here or where they are sent. (Only barriers
/// copy what is combined, and their operators have no final step.)
void mark_complete(Plan& plan, std::size_t first, Block all_blocks) {
  std::vector<bool> more(all_blocks);
  const auto set = [&](const BlockRange& blocks, bool value) {
    for (Block b = blocks.first; b < blocks.end(); ++b) more[b] = value;
  };
  for (std::size_t i = plan.ops.size(); i-- > first;) {
    PlannedOp& op = plan.ops[i];
    if (op.action == Action::reduce) {
      op.completes = completes(op, more, plan.stripes.back());
      set(op.blocks, true);
    } else if (op.action == Action::send) {
      if (op.peer_reduces) set(op.blocks, true);
    } else if (op.action == Action::receive) {
      set(op.blocks, false);
    }
  }
}

/// Lists, for every op, the channels of the ops that wait for it: the reverse of the dependencies.
void list_waiting(Plan& plan) {
  std::vector<std::set<transport::Channel>> channels(plan.ops.size());
  for (const PlannedOp& op : plan.ops) {
    if (op.action == Action::copy) continue;
    for (const Dependency& before : plan.dependencies_of(op))
      channels[before.op].insert(op.channel);
  }
  for (const auto& waiting : channels) {
    plan.first_waiting.push_back(static_cast<std::uint32_t>(plan.waiting.size()));
    plan.waiting.insert(plan.waiting.end(), waiting.begin(), waiting.end());
  }
  plan.first_waiting.push_back(static_cast<std::uint32_t>(plan.waiting.size()));
}

/// Builds a plan's ops from a schedule, stripe by stripe.
class Builder {
 public:
  Builder(const Schedule& schedule, Rank rank, ChannelMap channels, std::size_t channel_count)
      : schedule_(schedule),
        rank_(rank),
        history_(schedule.all_blocks()),
        map_(std::move(channels)) {
    plan_.algorithm = schedule.name;
    plan_.steps = schedule.steps;
    plan_.one_hop = schedule.cost.depth <= 1 && !schedule::reduces(schedule.collective);
    plan_.sends.resize(channel_count);
    plan_.arrivals.resize(channel_count);
  }

  Plan build(const std::function<Layout(Rank)>& layout_of, std::size_t element_bytes,
             const Stripes& stripes, const RailShare& share) {
    layout_of_ = &layout_of;
    const Layout layout = layout_of(rank_);
    plan_.element_bytes = element_bytes;
    stripes_ = stripes.used(layout.elements() * element_bytes);
    for (stripe_ = 0; stripe_ < stripes_; ++stripe_) {
      if (!share.has(stripes.rail(stripe_))) continue;
      plan_.stripes.push_back(layout.stripe(stripe_, stripes_));
      history_ = BlockHistory(schedule_.all_blocks());
      const std::size_t first = plan_.ops.size();
      for (Step step = 0; step < schedule_.steps; ++step) add_step(step);
      mark_complete(plan_, first, schedule_.all_blocks());
    }
    list_waiting(plan_);
    return std::move(plan_);
  }

 private:
  void add_step(Step step) {
    const Ops ops = schedule_.ops(rank_, step);
    for (const Op& op : ops) {
      if (op.action == Action::copy) {
        add_copy(step, op);
      } else {
        add_message(step, op, ops);
      }
    }
  }

  void add_copy(Step step, const Op& op) {
    if (schedule::keeps(op)) return keep(step, op.blocks);
    PlannedOp planned = planned_for(step, op);
    planned.reads = bring_together(step, op.read());
    planned.own = place(op.read());
    append(planned, op.read());
  }

  /// Copies those blocks that are still in the input only.
  void keep(Step step, const BlockRange& blocks) {
    for (Block b = blocks.first; b < blocks.end();) {
      const bool stays = history_.written(b);
      Block end = b + 1;
      while (end < blocks.end() && history_.written(end) == stays) ++end;
      if (!stays) {
        const BlockRange range{b, end - b};
        PlannedOp planned = planned_for(step, {Action::copy, rank_, range});
        planned.reads = Buffer::input;
        planned.own = planned.at;
        append(planned, range);
      }
      b = end;
    }
  }

  void add_message(Step step, const Op& op, const Ops& ours) {
    PlannedOp planned = planned_for(step, op);
    if (op.action != Action::receive) planned.reads = bring_together(step, op.read());
    if (op.action == Action::reduce) planned.own = place(op.read());
    if (planned.span.size() == 0) return;
    const Op& theirs = counterpart_of(step, op, ours);
    const Layout peers = (*layout_of_)(op.peer).stripe(stripe_, stripes_);
    if (peers.span(theirs.blocks).size() != planned.span.size()) {
      throw std::logic_error("rank " + std::to_string(rank_) + " and rank " +
                             std::to_string(op.peer) + " disagree about the size of step " +
                             std::to_string(step));
    }
    planned.peer = place(theirs.blocks, peers);
    planned.peer_reduces = theirs.action == Action::reduce;
    if (op.action == Action::send) planned.writes = buffer_of(theirs.blocks.first);
    planned.channel = map_.channel(op.peer, stripe_number(), op.channel);
    append(planned, op.read());
  }

  const Op& counterpart_of(Step step, const Op& op, const Ops& ours) {
    const Op* const theirs = schedule::counterpart(op, ours, rank_, ops_of(op.peer, step));
    if (theirs != nullptr) return *theirs;
    throw std::logic_error("rank " + std::to_string(op.peer) + " has no part in step " +
                           std::to_string(step) + " of rank " + std::to_string(rank_));
  }

  [[nodiscard]] PlannedOp planned_for(Step step, const Op& op) const {
    PlannedOp planned;
    planned.action = op.action;
    planned.step = step;
    planned.blocks = op.blocks;
    planned.span = stripe().span(op.blocks);
    planned.at = place(op.blocks);
    planned.writes = buffer_of(op.blocks.first);
    planned.stripe = stripe_number();
    return planned;
  }

  /// Where a range is read from, which must be a single buffer: if some of its blocks are still in
  /// the input and others are not, copies the former first.
  Buffer bring_together(Step step, const BlockRange& blocks) {
    const Buffer buffer = buffer_of(blocks.first);
    if (buffer != Buffer::output || schedule::separate_buffers(schedule_.collective)) return buffer;
    bool any_written = false;
    for (Block b = blocks.first; b < blocks.end(); ++b) any_written |= history_.written(b);
    if (!any_written) return Buffer::input;
    keep(step, blocks);
    return Buffer::output;
  }

  [[nodiscard]] Buffer buffer_of(Block block) const {
    if (block >= schedule_.first_scratch()) return Buffer::scratch;
    return block < schedule_.blocks ? Buffer::output : Buffer::input;
  }
  [[nodiscard]] std::size_t place(const BlockRange& blocks) const {
    return place(blocks, stripe());
  }
  [[nodiscard]] std::size_t place(const BlockRange& blocks, const Layout& layout) const {
    Block first = 0;
    if (buffer_of(blocks.first) == Buffer::input) first = schedule_.blocks;
    std::size_t shift = 0;
    if (buffer_of(blocks.first) == Buffer::scratch) {
      first = schedule_.first_scratch();
      shift = layout.scratch_shift(schedule_.scratch);
    }
    return layout.span(blocks).begin - layout.span({first, 0}).begin + shift;
  }

  /// Cached, because a step asks for a peer's ops repeatedly.
  const Ops& ops_of(Rank peer, Step step) {
    if (peer != asked_peer_ || step != asked_step_ || asked_.empty()) {
      asked_.clear();
      schedule_.rule(peer, step, asked_);
      asked_peer_ = peer;
      asked_step_ = step;
    }
    return asked_;
  }

  void append(PlannedOp planned, const BlockRange& read) {
    if (planned.span.size() == 0) return;  // nothing to do, here or at the peer
    const auto number = static_cast<std::uint32_t>(plan_.ops.size());
    const bool keeps = planned.action == Action::copy && read == planned.blocks;
    std::set<Dependency> before;
    if (!keeps) add_dependencies(planned, read, before);
    planned.first_dependency = static_cast<std::uint32_t>(plan_.dependencies.size());
    planned.dependencies = static_cast<std::uint32_t>(before.size());
    plan_.dependencies.insert(plan_.dependencies.end(), before.begin(), before.end());
    note(number, planned, read, keeps);
    list(number, planned);
    plan_.ops.push_back(planned);
  }

  void add_dependencies(const PlannedOp& op, const BlockRange& read,
                        std::set<Dependency>& before) const {
    const auto shift = static_cast<std::ptrdiff_t>(stripe().span(read).begin) -
                       static_cast<std::ptrdiff_t>(op.span.begin);
    history_.for_writers(read, [&](std::uint32_t number) {
      before.insert({number, shift, false});
    });
    if (op.action == Action::send) return;
    const auto add = [&](std::uint32_t number) { before.insert({number, 0, false}); };
    history_.for_writers(op.blocks, add);
    history_.for_readers(op.blocks, [&](std::uint32_t number) { add_reader(number, op, before); });
  }

  /// A reader's span may cover other blocks than those it reads; then it must be settled entirely.
  void add_reader(std::uint32_t number, const PlannedOp& op, std::set<Dependency>& before) const {
    const PlannedOp& reader = plan_.ops[number];
    const bool by_position = reader.action == Action::send;
    const std::size_t begin = std::min(reader.span.end, op.span.begin);
    const auto all = static_cast<std::ptrdiff_t>(reader.span.end - begin);
    const bool in_place = reader.reads == Buffer::input && op.writes == Buffer::output;
    before.insert({number, by_position ? 0 : all, in_place});
  }

  void note(std::uint32_t number, const PlannedOp& op, const BlockRange& read, bool keeps) {
    if (keeps) return history_.note_keep(number, op.blocks);
    if (op.action == Action::send) return history_.note_read(number, read);
    history_.note_write(number, op.blocks);
    if (op.action != Action::receive && !(read == op.blocks)) history_.note_read(number, read);
  }

  void list(std::uint32_t number, const PlannedOp& op) {
    if (op.action == Action::copy) plan_.copies.push_back(number);
    if (op.action == Action::send) plan_.sends[op.channel].push_back(number);
    if (schedule::arrives(op.action)) plan_.arrivals[op.channel].push_back(number);
  }

  [[nodiscard]] const Layout& stripe() const { return plan_.stripes.back(); }
  /// Among those of the plan.
  [[nodiscard]] unsigned stripe_number() const {
    return static_cast<unsigned>(plan_.stripes.size() - 1);
  }

  const Schedule& schedule_;
  Rank rank_;
  BlockHistory history_;
  ChannelMap map_;
  const std::function<Layout(Rank)>* layout_of_ = nullptr;
  unsigned stripes_ = 1;  // of all rails
  unsigned stripe_ = 0;   // of these, the one that is being built
  Ops asked_;
  Rank asked_peer_ = 0;
  Step asked_step_ = 0;
  Plan plan_;
};

}  // namespace

std::size_t Plan::most_bytes() const {
  std::size_t most = 0;
  for (const Layout& stripe : stripes) most = std::max(most, stripe.elements() * element_bytes);
  return most;
}

std::size_t scratch_bytes(const Schedule& schedule, const Layout& layout,
                          std::size_t element_bytes) {
  return layout.span({schedule.first_scratch(), schedule.scratch}).size() * element_bytes;
}

Plan make_plan(const Schedule& schedule, Rank rank, const std::function<Layout(Rank)>& layout_of,
               std::size_t element_bytes, const Stripes& stripes,
               std::span<const transport::ChannelRequest> channels, const RailShare& share) {
  Builder builder(schedule, rank, ChannelMap(schedule, rank, share.part_of(stripes), channels),
                  channels.size());
  return builder.build(layout_of, element_bytes, stripes, share);
}

Plan make_plan(const Schedule& schedule, Rank rank, const Layout& layout, std::size_t element_bytes,
               const Stripes& stripes, std::span<const transport::ChannelRequest> channels,
               const RailShare& share) {
  const std::function<Layout(Rank)> same = [&layout](Rank) { return layout; };
  return make_plan(schedule, rank, same, element_bytes, stripes, channels, share);
}

}  // namespace railgauge::executor
