#include "congestion/findings.hpp"

#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "congestion/evidence.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Endpoint;
using finding::Finding;
using finding::Scope;

/// What switches count of a host's link: its port there, by the name of the host.
struct HostLink {
  std::int64_t pauses = 0;
  std::int64_t overflows = 0;
};

std::map<std::string, HostLink> links_of_hosts(Steps steps) {
  std::map<std::string, HostLink> hosts;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      if (!link.from_host) continue;
      HostLink& host = hosts[link.from];
      for (const auto& sample : link.samples) host.pauses += sample.pauses_sent;
      if (const auto drops = link.drops.find("headroom_full"); drops != link.drops.end())
        host.overflows += drops->second;
    }
  }
  return hosts;
}

/// Packets by priority that come into a switch, and that leave it.
struct Passage {
  std::map<int, std::int64_t> in{};
  std::map<int, std::int64_t> out{};
};

std::map<std::string, Passage> passages(Steps steps) {
  std::map<std::string, Passage> all;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      std::int64_t packets = 0;
      for (const auto& sample : link.samples) packets += sample.packets;
      if (!link.to_host) all[link.to].in[link.priority] += packets;
      if (!link.from_host) all[link.from].out[link.priority] += packets;
    }
  }
  return all;
}

/// The priority of which more packets leave than come, and by how many.
std::pair<int, std::int64_t> gained(const Passage& passage) {
  std::pair<int, std::int64_t> most{};
  for (const auto& [priority, out] : passage.out) {
    const auto in = passage.in.find(priority);
    const std::int64_t more = out - (in == passage.in.end() ? 0 : in->second);
    if (more > most.second) most = {priority, more};
  }
  return most;
}

std::int64_t sum_of(const std::map<int, std::int64_t>& packets) {
  return std::accumulate(packets.begin(), packets.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& one) { return sum + one.second; });
}

/// What a switch does about a queue of one priority.
struct Reaction {
  std::int64_t pauses = 0;
  std::int64_t marks = 0;
};

using Reactions = std::map<std::pair<std::string, int>, Reaction>;

Reactions reactions(Steps steps) {
  Reactions all;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      for (const auto& sample : link.samples) {
        if (!link.to_host) all[{link.to, link.priority}].pauses += sample.pauses_sent;
        if (!link.from_host) all[{link.from, link.priority}].marks += sample.marks;
      }
    }
  }
  return all;
}

}  // namespace

std::vector<Finding> of_unmarked(Steps steps, const Policy& policy) {
  std::vector<Finding> findings;
  for (const auto& [queue, reaction] : reactions(steps)) {
    if (reaction.marks > 0 || reaction.pauses < policy.least_marks) continue;
    const auto& [node, priority] = queue;
    Finding finding = found(Cause::roce_setting, {.scope = Scope::node, .switches = {node}},
                            "the switch pauses senders of priority " + std::to_string(priority) +
                                ", and marks no packet of it",
                            "turn ECN on for this class on " + node +
                                ", or lower its Kmin below XOFF; or accept it with --expect pfc");
    finding.certainty = Certainty::likely;  // all may have been marked by the switches before it
    finding.evidence.push_back(
        counted_by(Observer::network_switch, "pause frames", "frames", reaction.pauses));
    finding.evidence.push_back(
        counted_by(Observer::network_switch, "ECN marks", "packets", reaction.marks));
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> of_pauses(Steps steps, const Policy& policy) {
  std::vector<Finding> findings;
  const auto links = links_of_hosts(steps);
  for (const Endpoint& sender : ends(steps, &Flow::from)) {
    const auto link = links.find(sender.host);
    const auto heard = total(steps, sender, Signal::pause_received);
    if (link == links.end() || heard != 0) continue;
    if (link->second.pauses < policy.least_marks) continue;
    Finding finding = found(
        Cause::roce_setting, port(sender, Direction::transmit),
        "the switch sends pause frames, and the NIC counts none: it does not pause this priority",
        "turn PFC on for the same priority on the NIC and its switch port");
    finding.certainty = link->second.overflows > 0 ? Certainty::confirmed : Certainty::likely;
    finding.evidence.push_back(counted_by(Observer::network_switch, "pause frames to the host",
                                          "frames", link->second.pauses));
    finding.evidence.push_back(counted_by(Observer::nic, "pause frames", "frames", 0,
                                          static_cast<double>(link->second.pauses),
                                          "pause frames of the switch"));
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> of_classes(Steps steps, const Policy& policy) {
  std::vector<Finding> findings;
  for (const auto& [node, passage] : passages(steps)) {
    const auto [priority, more] = gained(passage);
    const double most = policy.most_reclassified_share * static_cast<double>(sum_of(passage.in));
    if (more < policy.least_marks || static_cast<double>(more) <= most) continue;
    Finding finding =
        found(Cause::roce_setting, {.scope = Scope::node, .switches = {node}},
              frames(more, "packet") + " came in another priority and left in priority " +
                  std::to_string(priority),
              "compare the DSCP to priority map of this switch with the others, and check whether "
              "DSCP is rewritten on the links to it");
    finding.certainty = Certainty::confirmed;
    finding.evidence.push_back(counted_by(Observer::network_switch,
                                          "packets that changed their priority", "packets", more, 0,
                                          "the same DSCP to priority map on all switches"));
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace railgauge::congestion
