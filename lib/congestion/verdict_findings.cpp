#include "congestion/findings.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "congestion/class_changes.hpp"
#include "congestion/evidence.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Finding;
using finding::Scope;

struct Dropped {
  std::int64_t count = 0;
  bool of_every_class = false;
};

using Drops = std::map<std::pair<std::string, std::string>, std::map<std::string, Dropped>>;

/// Of packets that a switch put into another priority that is the reason.
Drops drops_of(Steps steps) {
  Drops drops;
  const std::vector<ClassChange> changes = class_changes(steps);
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      if (std::ranges::count(changes, link.priority, &ClassChange::to) > 0) continue;
      for (const auto& [reason, count] : link.drops) {
        if (count <= 0) continue;
        Dropped& dropped = drops[{link.from, link.to}][reason];
        dropped.count += count;
        dropped.of_every_class = link.priority == kEveryPriority;
      }
    }
  }
  return drops;
}

std::string remedy_of_drop(const std::string& reason, const std::string& from) {
  if (reason == "headroom_full")
    return "turn PFC on for this class at " + from +
           ", which does not stop, or give it more headroom";
  if (reason == "buffer_full")
    return "make the class lossless (PFC), or give it more buffer, and lower Kmin";
  if (reason == "too_large") return "set the MTU of this link to that of the hosts, or larger";
  if (reason == "watchdog") return "check for a receiver that pauses for too long";
  return "check the switch's counters of drops for this reason";
}

/// A switch's word for the reason, as far as it says more than that there was too much.
std::string what_was_dropped(const std::string& reason, std::int64_t count) {
  if (reason == "too_large")
    return frames(count, "packet") + " dropped: they are larger than the MTU of the link";
  return frames(count, "packet") + " dropped under congestion (" + reason + ")";
}

std::vector<Finding> of_drops(Steps steps) {
  std::vector<Finding> findings;
  for (const auto& [link, reasons] : drops_of(steps)) {
    for (const auto& [reason, dropped] : reasons) {
      Finding finding =
          found(reason == "too_large" ? Cause::mtu : Cause::packet_loss,
                {.scope = Scope::link, .switches = {link.first, link.second}},
                what_was_dropped(reason, dropped.count), remedy_of_drop(reason, link.first));
      finding.certainty = Certainty::confirmed;
      if (dropped.of_every_class) {
        finding.certainty = Certainty::possible;
        finding.excuses.emplace_back("the port counts drops of all classes together");
      }
      finding.evidence.push_back(observed_by(Observer::network_switch, "dropped packets", "packets",
                                             dropped.count, 0, "a lossless class"));
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

bool is_sure(const Finding& finding) {
  return finding.certainty != Certainty::possible;
}

/// Of the switches, if they counted what NICs did not.
Observer observer_of(const Events& events, Steps steps) {
  return events.first ? events.first->observer : observer_of(steps);
}

std::vector<Finding> of_dropping(Steps steps, const Seen& seen, const Judged& judged) {
  std::vector<Finding> by_link = of_drops(steps);
  if (std::ranges::any_of(by_link, is_sure) || !class_changes(steps).empty()) return by_link;
  Finding finding = found(Cause::packet_loss, receiver_of(steps),
                          "packets were dropped under congestion: " + judged.reason,
                          "make the class lossless (PFC) on all switches of the path, or check the "
                          "DSCP to priority map");
  finding.evidence.push_back(observed_by(observer_of(seen.losses, steps), "dropped packets",
                                         "packets", seen.losses.count, 0, "a lossless class"));
  by_link.push_back(std::move(finding));
  return by_link;
}

Finding of_pfc(Steps steps, const Seen& seen, const Judged& judged) {
  const bool only = judged.verdict == Verdict::pfc_only;
  Finding finding =
      found(Cause::roce_setting, receiver_of(steps),
            only ? "PFC pauses senders, and no packet is marked: " + judged.reason
                 : "PFC pauses senders before the first ECN mark: " + judged.reason,
            only ? "turn ECN on for this class on the switches of the path, or accept it with "
                   "--expect pfc"
                 : "lower Kmin and Kmax, or raise XOFF, on the switches of the path");
  finding.evidence.push_back(
      observed_by(observer_of(seen.pauses, steps), "pause frames", "frames", seen.pauses.count));
  finding.evidence.push_back(
      observed_by(observer_of(seen.marks, steps), "ECN marks", "packets", seen.marks.count));
  return finding;
}

}  // namespace

std::vector<Finding> of_verdict(Steps steps, const Judged& judged, const Policy& policy) {
  const Seen seen = seen_in(steps);
  if (judged.verdict == Verdict::dropping) return of_dropping(steps, seen, judged);
  if (!policy.expects_ecn) return {};
  if (std::vector<Finding> by_switch = of_unmarked(steps); !by_switch.empty()) return by_switch;
  const bool is_pfc = judged.verdict == Verdict::pfc_first || judged.verdict == Verdict::pfc_only;
  if (!is_pfc) return {};
  return {of_pfc(steps, seen, judged)};
}

}  // namespace railgauge::congestion
