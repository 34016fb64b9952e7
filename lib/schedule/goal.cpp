#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "schedule/exports.hpp"
#include "schedule/program.hpp"

namespace railgauge::schedule {
namespace {

constexpr std::uint32_t kChannels = 256;

/// The n-th message of a channel has the same tag at both ends.
class Tags {
 public:
  std::string next(const Op& op) {
    const std::uint32_t nth = next_[{op.peer, op.channel, arrives(op.action)}]++;
    return std::to_string(nth * kChannels + op.channel);
  }

 private:
  std::map<std::tuple<Rank, std::uint8_t, bool>, std::uint32_t> next_{};
};

std::string label(std::size_t number) {
  return "l" + std::to_string(number + 1);
}

std::string text_of(const Schedule& schedule, const Op& op, std::uint64_t bytes, Tags& tags) {
  if (op.action == Action::copy) return "calc 0";
  const std::uint64_t size = std::max<std::uint64_t>(1, bytes_of(schedule, op.blocks, bytes));
  const bool in = arrives(op.action);
  return (in ? "recv " : "send ") + std::to_string(size) + (in ? "b from " : "b to ") +
         std::to_string(op.peer) + " tag " + tags.next(op);
}

}  // namespace

std::string as_goal(const Schedule& schedule, std::uint64_t bytes) {
  if (schedule.cost.messages * schedule.ranks > kMostExported)
    throw std::invalid_argument("the schedule has too many messages to list: use fewer ranks");
  std::string text = "num_ranks " + std::to_string(schedule.ranks) + "\n";
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    const std::vector<ProgramOp> program = program_of(schedule, rank);
    text += "\nrank " + std::to_string(rank) + " {\n";
    if (program.empty()) text += label(0) + ": calc 0\n";
    Tags tags;
    for (std::size_t i = 0; i < program.size(); ++i) {
      text += label(i) + ": " + text_of(schedule, program[i].op, bytes, tags) + "\n";
      for (const std::uint32_t before : program[i].after)
        text += label(i) + " requires " + label(before) + "\n";
    }
    text += "}\n";
  }
  return text;
}

}  // namespace railgauge::schedule
