#include "executor/plan_dependencies.hpp"

#include <set>
#include <stdexcept>
#include <vector>

namespace railgauge::executor {
namespace {

using schedule::Block;
using schedule::BlockRange;

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

}  // namespace

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

/// The reverse of the dependencies, by channel.
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

}  // namespace railgauge::executor
