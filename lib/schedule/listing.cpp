#include "schedule/rendering.hpp"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "schedule/cost.hpp"

namespace railgauge::schedule {
namespace {

std::string_view word(Action action) {
  switch (action) {
    case Action::send: return "send";
    case Action::receive: return "receive";
    case Action::reduce: return "reduce";
    case Action::copy: break;
  }
  return "copy";
}

/// "out 3", "in 0-4", "scratch 2": by buffer, each counted from 0.
std::string where(const Schedule& schedule, Block first, Block count) {
  std::string buffer;
  Block begin = first;
  if (first >= schedule.first_scratch()) {
    buffer = "scratch ";
    begin = first - schedule.first_scratch();
  } else if (separate_buffers(schedule.collective)) {
    buffer = first < schedule.blocks ? "out " : "in ";
    begin = first % schedule.blocks;
  }
  const std::string range = buffer + std::to_string(begin);
  return count == 1 ? range : range + "-" + std::to_string(begin + count - 1);
}

std::string text(const Schedule& schedule, const Op& op) {
  const std::string blocks = where(schedule, op.blocks.first, op.blocks.count);
  const std::string peer = std::to_string(op.peer);
  switch (op.action) {
    case Action::send: return "send " + blocks + " to " + peer;
    case Action::receive: return "receive " + blocks + " from " + peer;
    case Action::reduce:
      return "reduce " + blocks + " from " + peer +
             (op.from == kSame ? "" : " with " + where(schedule, op.from, op.blocks.count));
    case Action::copy: break;
  }
  if (keeps(op)) return "keep " + blocks;
  return "copy " + where(schedule, op.from, op.blocks.count) + " into " + blocks;
}

/// A line for every rank that does something.
std::string ops_of(const Schedule& schedule, Step step) {
  std::string lines;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    std::string line;
    for (const Op& op : schedule.ops(rank, step)) {
      line += (line.empty() ? "  rank " + std::to_string(rank) + ": " : ", ") + text(schedule, op);
    }
    if (!line.empty()) lines += line + "\n";
  }
  return lines;
}

nlohmann::ordered_json json(const Op& op) {
  nlohmann::ordered_json object{{"action", word(op.action)}};
  if (op.action != Action::copy) object["peer"] = op.peer;
  if (op.action == Action::copy || op.from != kSame) object["from"] = op.read().first;
  object["first"] = op.blocks.first;
  object["count"] = op.blocks.count;
  if (op.channel != 0) object["channel"] = op.channel;
  return object;
}

nlohmann::ordered_json json(const Cost& cost) {
  return {{"rounds", cost.rounds},
          {"depth", cost.depth},
          {"messages", cost.messages},
          {"blocks_sent", cost.blocks_sent},
          {"blocks_received", cost.blocks_received},
          {"blocks_reduced", cost.blocks_reduced}};
}

}  // namespace

std::string rounded(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::string as_table(const Schedule& schedule) {
  const Bounds least = lower_bounds(schedule.collective, schedule.ranks);
  std::ostringstream out;
  out << schedule.name << " " << name(schedule.collective) << ", " << schedule.ranks << " ranks, "
      << schedule.blocks << " blocks" << (rooted(schedule.collective) ? ", root " : "")
      << (rooted(schedule.collective) ? std::to_string(schedule.root) : "") << "\n"
      << "rounds   " << schedule.cost.rounds << " (no algorithm needs fewer than " << least.rounds
      << "), depth " << schedule.cost.depth << "\n"
      << "messages " << schedule.cost.messages << " from the busiest rank\n"
      << "data     " << rounded(data_moved(schedule))
      << " times a rank's data sent or received by the busiest rank (no algorithm needs less than "
      << rounded(least.data) << ")\n";
  for (Step step = 0; step < schedule.steps; ++step) {
    const std::string ops = ops_of(schedule, step);
    if (ops.empty()) continue;
    out << "\nstep " << step + 1 << " of " << schedule.steps << "\n" << ops;
  }
  return out.str();
}

std::string as_json(const Schedule& schedule) {
  const Bounds least = lower_bounds(schedule.collective, schedule.ranks);
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (Step step = 0; step < schedule.steps; ++step) {
    nlohmann::ordered_json ranks = nlohmann::ordered_json::array();
    for (Rank rank = 0; rank < schedule.ranks; ++rank) {
      nlohmann::ordered_json ops = nlohmann::ordered_json::array();
      for (const Op& op : schedule.ops(rank, step)) ops.push_back(json(op));
      ranks.push_back(std::move(ops));
    }
    steps.push_back(std::move(ranks));
  }
  const nlohmann::ordered_json document{
      {"schema", "railgauge/schedule/1"},
      {"algorithm", schedule.name},
      {"collective", name(schedule.collective)},
      {"ranks", schedule.ranks},
      {"root", schedule.root},
      {"blocks", schedule.blocks},
      {"input_apart", separate_buffers(schedule.collective)},
      {"scratch_blocks", schedule.scratch},
      {"cost", json(schedule.cost)},
      {"lower_bounds", {{"rounds", least.rounds}, {"data", least.data}}},
      {"steps", std::move(steps)}};
  return document.dump(1) + "\n";
}

}  // namespace railgauge::schedule
