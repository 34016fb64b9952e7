#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "schedule/exports.hpp"
#include "schedule/program.hpp"

namespace railgauge::schedule {
namespace {

/// What one rank sends to one peer in a step.
struct Flow {
  Rank from = 0;
  Rank to = 0;
  Step step = 0;
  std::uint64_t bytes = 0;
};

/// What begins the flows of a rank's step: so many flows have to end first.
struct Trigger {
  std::uint64_t id = 0;
  std::uint64_t count = 0;
};

using Triggers = std::vector<std::map<Step, Trigger>>;  // of every rank, by steps in which it sends

std::vector<Flow> flows_of(const Schedule& schedule, std::uint64_t bytes) {
  std::vector<Flow> flows;
  for (Step step = 0; step < schedule.steps; ++step) {
    for (Rank rank = 0; rank < schedule.ranks; ++rank) {
      std::map<Rank, std::uint64_t> sent;
      for (const Op& op : schedule.ops(rank, step)) {
        if (op.action == Action::send) sent[op.peer] += bytes_of(schedule, op.blocks, bytes);
      }
      for (const auto& [peer, size] : sent)
        flows.push_back({rank, peer, step, std::max<std::uint64_t>(1, size)});
    }
  }
  return flows;
}

/// That of the rank's next step with sends; null: it sends no more.
Trigger* next_of(Triggers& triggers, Rank rank, Step step) {
  const auto next = triggers[rank].upper_bound(step);
  return next == triggers[rank].end() ? nullptr : &next->second;
}

Triggers triggers_of(const Schedule& schedule, const std::vector<Flow>& flows) {
  Triggers triggers(schedule.ranks);
  for (const Flow& flow : flows) triggers[flow.from][flow.step];
  for (const Flow& flow : flows) {
    for (const Rank end : {flow.from, flow.to}) {
      if (Trigger* const next = next_of(triggers, end, flow.step)) ++next->count;
    }
  }
  std::uint64_t id = 0;
  for (auto& steps : triggers) {
    for (auto& [step, trigger] : steps) {
      if (trigger.count > 0) trigger.id = ++id;
    }
  }
  return triggers;
}

std::string line_of(const Flow& flow, std::uint64_t id, Triggers& triggers) {
  const Trigger& own = triggers[flow.from][flow.step];
  std::string line = std::to_string(flow.from) + "->" + std::to_string(flow.to) + " id " +
                     std::to_string(id) +
                     (own.count > 0 ? " trigger " + std::to_string(own.id) : " start 0") +
                     " size " + std::to_string(flow.bytes);
  const auto ends = [&](const char* word, Rank rank) {
    const Trigger* const next = next_of(triggers, rank, flow.step);
    if (next != nullptr) line.append(word).append(std::to_string(next->id));
  };
  ends(" send_done_trigger ", flow.from);
  ends(" recv_done_trigger ", flow.to);
  return line + "\n";
}

void check(const Schedule& schedule, std::uint64_t bytes) {
  if (schedule.ranks < 2)
    throw std::invalid_argument("one rank sends nothing, and htsim needs a flow");
  if (schedule.cost.messages * schedule.ranks > kMostExported)
    throw std::invalid_argument("the schedule has too many flows to list: use fewer ranks");
  if (bytes > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("htsim reads sizes below 2 GiB");
}

}  // namespace

std::string as_htsim(const Schedule& schedule, std::uint64_t bytes) {
  check(schedule, bytes);
  const std::vector<Flow> flows = flows_of(schedule, bytes);
  Triggers triggers = triggers_of(schedule, flows);
  std::string lines;
  for (std::size_t i = 0; i < flows.size(); ++i) lines += line_of(flows[i], i + 1, triggers);
  std::uint64_t count = 0;
  for (const auto& steps : triggers) {
    for (const auto& [step, trigger] : steps) {
      if (trigger.count == 0) continue;
      ++count;
      lines += "trigger id " + std::to_string(trigger.id) + " barrier count " +
               std::to_string(trigger.count) + "\n";
    }
  }
  return "Nodes " + std::to_string(schedule.ranks) + "\nConnections " +
         std::to_string(flows.size()) + "\nTriggers " + std::to_string(count) + "\n" + lines;
}

}  // namespace railgauge::schedule
