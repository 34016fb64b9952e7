#include <array>
#include <map>
#include <string>
#include <utility>

#include "congestion/evidence.hpp"
#include "congestion/findings.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Endpoint;
using finding::Finding;
using finding::Severity;

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

/// That a host sent: in steps below the line rate, and in others.
struct HostPauses {
  std::int64_t calm = 0;
  std::int64_t full = 0;
};

/// Without a load, flows are as fast as they can.
bool is_calm(const Step& step) {
  return step.load > 0 && step.load < 1;
}

Finding pausing(const Endpoint& host, std::int64_t pauses, bool calm, Observer observer) {
  Finding finding = found(Cause::pause, port(host, Direction::transmit),
                          calm ? "the NIC pauses its switch although its link is not full"
                               : "the NIC pauses its switch: the host is slower than its link",
                          calm ? "reset a NIC that never stops, and turn on the PFC watchdog of "
                                 "its switch port; else check "
                                 "PCIe link, IOMMU and memory"
                               : "check PCIe link, IOMMU and memory of the host");
  if (!calm) finding.severity = Severity::warning;
  finding.evidence.push_back(
      observed_by(observer, "pause frames of the host", "frames", pauses, 0,
                  calm ? "a load below the line rate" : "a host at line rate"));
  return finding;
}

}  // namespace

std::vector<Finding> of_pauses(Steps steps) {
  std::vector<Finding> findings;
  const auto links = links_of_hosts(steps);
  for (const Endpoint& sender : ends(steps, &Flow::from)) {
    const auto link = links.find(sender.host);
    const auto heard = total(steps, sender, Signal::pause_received);
    if (link == links.end() || heard != 0) continue;
    if (link->second.pauses < kLeastMarks) continue;
    Finding finding = found(
        Cause::roce_setting, port(sender, Direction::transmit),
        "the switch sends pause frames, and the NIC counts none: it does not pause this priority",
        "turn PFC on for the same priority on the NIC and its switch port");
    finding.certainty = link->second.overflows > 0 ? Certainty::confirmed : Certainty::likely;
    finding.evidence.push_back(observed_by(Observer::network_switch, "pause frames to the host",
                                           "frames", link->second.pauses));
    finding.evidence.push_back(observed_by(Observer::nic, "pause frames", "frames", 0,
                                           static_cast<double>(link->second.pauses),
                                           "pause frames of the switch"));
    findings.push_back(std::move(finding));
  }
  return findings;
}

/// Of void steps as well, unless a process was not there: a storm makes flows fail.
std::vector<Finding> of_host_pauses(std::span<const Step> steps) {
  std::map<Endpoint, HostPauses> all;
  Observer observer = Observer::nic;
  for (const Step& step : steps) {
    if (!step.void_because.empty()) continue;
    observer = observer_of(std::array{&step});
    for (const Endpoint& host : ends(std::array{&step}, &Flow::to))
      (is_calm(step) ? all[host].calm : all[host].full) += pauses_at(step, host, true);
  }
  std::vector<Finding> findings;
  for (const auto& [host, pauses] : all) {
    const bool calm = pauses.calm >= kLeastMarks;
    const std::int64_t count = calm ? pauses.calm : pauses.full;
    if (count >= kLeastMarks) findings.push_back(pausing(host, count, calm, observer));
  }
  return findings;
}

}  // namespace railgauge::congestion
