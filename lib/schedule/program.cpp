#include "schedule/program.hpp"

#include <algorithm>

#include "schedule/block_history.hpp"
#include "schedule/layout.hpp"

namespace railgauge::schedule {

std::vector<ProgramOp> program_of(const Schedule& schedule, Rank rank) {
  BlockHistory history(schedule.all_blocks());
  std::vector<ProgramOp> program;
  for (Step step = 0; step < schedule.steps; ++step) {
    for (const Op& op : schedule.ops(rank, step)) {
      if (keeps(op)) continue;
      const auto number = static_cast<std::uint32_t>(program.size());
      std::vector<std::uint32_t> after;
      const auto add = [&](std::uint32_t earlier) { after.push_back(earlier); };
      history.for_writers(op.read(), add);
      history.note_read(number, op.read());
      if (op.action != Action::send) {
        history.for_writers(op.blocks, add);
        history.for_readers(op.blocks, add);
        history.note_write(number, op.blocks);
      }
      std::ranges::sort(after);
      after.erase(std::unique(after.begin(), after.end()), after.end());
      std::erase(after, number);
      program.push_back({op, step, std::move(after)});
    }
  }
  return program;
}

std::uint64_t bytes_of(const Schedule& schedule, const BlockRange& blocks, std::uint64_t bytes) {
  const SizeRule rule = traits(schedule.collective).size;
  if (rule == SizeRule::none) return 0;
  const bool even = rule == SizeRule::per_rank || rule == SizeRule::uneven;
  const Layout layout = even ? Layout::each(bytes / schedule.blocks, schedule.blocks)
                             : Layout::whole(bytes, schedule.blocks);
  return layout.span(blocks).size();
}

}  // namespace railgauge::schedule
