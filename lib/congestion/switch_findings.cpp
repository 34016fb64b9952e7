#include "congestion/findings.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "congestion/evidence.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Finding;
using finding::Scope;

/// What a switch does about a queue of one priority.
struct Reaction {
  std::int64_t pauses = 0;
  std::int64_t marks = 0;
  double paused_by_s = std::numeric_limits<double>::infinity();  // the first time
  double marked_from_s = std::numeric_limits<double>::infinity();
};

void add_pauses(Reaction& reaction, const LinkSeries::Sample& sample) {
  reaction.pauses += sample.pauses_sent;
  if (sample.pauses_sent > 0) reaction.paused_by_s = std::min(reaction.paused_by_s, sample.end_s);
}

void add_marks(Reaction& reaction, const LinkSeries::Sample& sample) {
  reaction.marks += sample.marks;
  if (sample.marks > 0) reaction.marked_from_s = std::min(reaction.marked_from_s, sample.begin_s);
}

using Reactions = std::map<std::pair<std::string, int>, Reaction>;

Reactions reactions(Steps steps) {
  Reactions all;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      for (const auto& sample : link.samples) {
        if (!link.to_host) add_pauses(all[{link.to, link.priority}], sample);
        if (!link.from_host) add_marks(all[{link.from, link.priority}], sample);
      }
    }
  }
  return all;
}

/// Those of ports that do not tell priorities apart may be of any.
void add_marks_of_every_priority(Reactions& all) {
  for (auto& [queue, reaction] : all) {
    const auto every = all.find({queue.first, kEveryPriority});
    if (every == all.end() || queue.second == kEveryPriority) continue;
    reaction.marks += every->second.marks;
    reaction.marked_from_s = std::min(reaction.marked_from_s, every->second.marked_from_s);
  }
}

/// Whether every port of the switch counts the marks of that priority.
bool counts_marks(const Step& step, const std::string& node, int priority) {
  if (step.every_switch) return true;
  std::map<std::string, bool> ports;
  for (const LinkSeries& link : step.links) {
    if (link.from != node) continue;
    const bool is_of_it = link.priority == priority || link.priority == kEveryPriority;
    bool& counts = ports[link.to];
    counts = counts || (is_of_it && link.counts_marks);
  }
  return !ports.empty() && std::ranges::all_of(ports, [](const auto& one) { return one.second; });
}

bool has_marked(Steps steps, const std::string& node) {
  return std::ranges::none_of(steps, [&](const Step* step) {
    return std::ranges::any_of(
        step->links, [&](const LinkSeries& link) { return link.from == node && !link.has_marked; });
  });
}

}  // namespace

std::vector<Finding> of_unmarked(Steps steps) {
  std::vector<Finding> findings;
  Reactions all = reactions(steps);
  add_marks_of_every_priority(all);
  for (const auto& [queue, reaction] : all) {
    if (reaction.pauses < kLeastMarks || reaction.paused_by_s > reaction.marked_from_s) continue;
    const auto& [node, priority] = queue;
    if (!std::ranges::all_of(steps, [&node = node, priority = priority](const Step* step) {
          return counts_marks(*step, node, priority);
        }))
      continue;
    Finding finding =
        found(Cause::roce_setting, {.scope = Scope::node, .switches = {node}},
              "the switch pauses senders of priority " + std::to_string(priority) +
                  (reaction.marks > 0 ? " before it marks a packet of it"
                                      : ", and marks no packet of it"),
              (reaction.marks > 0
                   ? "lower Kmin and Kmax below XOFF on " + node + ", or give it more buffer"
                   : "turn ECN on for this class on " + node + ", or lower its Kmin below XOFF") +
                  "; or accept it with --expect pfc");
    finding.certainty = Certainty::likely;  // all may have been marked by the switches before it
    if (!has_marked(steps, node)) {
      finding.certainty = Certainty::possible;
      finding.excuses.emplace_back("it has never counted an ECN mark: its counter may be off");
    }
    finding.evidence.push_back(
        observed_by(Observer::network_switch, "pause frames", "frames", reaction.pauses));
    finding.evidence.push_back(
        observed_by(Observer::network_switch, "ECN marks", "packets", reaction.marks));
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace railgauge::congestion
