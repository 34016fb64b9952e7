#include "congestion/findings.hpp"

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

using Drops = std::map<std::pair<std::string, std::string>, std::map<std::string, std::int64_t>>;

Drops drops_of(Steps steps) {
  Drops drops;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      for (const auto& [reason, count] : link.drops) {
        if (count > 0) drops[{link.from, link.to}][reason] += count;
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
  if (reason == "watchdog") return "check for a receiver that pauses for too long";
  return "check the switch's counters of drops for this reason";
}

std::vector<Finding> of_drops(Steps steps) {
  std::vector<Finding> findings;
  for (const auto& [link, reasons] : drops_of(steps)) {
    for (const auto& [reason, count] : reasons) {
      Finding finding =
          found(Cause::packet_loss, {.scope = Scope::link, .switches = {link.first, link.second}},
                frames(count, "packet") + " dropped under congestion (" + reason + ")",
                remedy_of_drop(reason, link.first));
      finding.certainty = Certainty::confirmed;
      finding.evidence.push_back(counted_by(Observer::network_switch, "dropped packets", "packets",
                                            count, 0, "a lossless class"));
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

std::vector<Finding> of_dropping(Steps steps, const Seen& seen, const Judged& judged) {
  if (std::vector<Finding> by_link = of_drops(steps); !by_link.empty()) return by_link;
  Finding finding = found(Cause::packet_loss, receiver_of(steps),
                          "packets were dropped under congestion: " + judged.reason,
                          "make the class lossless (PFC) on all switches of the path, or check the "
                          "DSCP to priority map");
  finding.evidence.push_back(counted_by(observer_of(steps), "dropped packets", "packets",
                                        seen.losses.count, 0, "a lossless class"));
  return {std::move(finding)};
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
  const Observer observer = observer_of(steps);
  finding.evidence.push_back(counted_by(observer, "pause frames", "frames", seen.pauses.count));
  finding.evidence.push_back(counted_by(observer, "ECN marks", "packets", seen.marks.count));
  return finding;
}

}  // namespace

std::vector<Finding> of_verdict(Steps steps, const Judged& judged, const Policy& policy) {
  const Seen seen = seen_in(steps);
  if (judged.verdict == Verdict::dropping) return of_dropping(steps, seen, judged);
  if (!policy.expects_ecn) return {};
  if (std::vector<Finding> by_switch = of_unmarked(steps, policy); !by_switch.empty())
    return by_switch;
  const bool is_pfc = judged.verdict == Verdict::pfc_first || judged.verdict == Verdict::pfc_only;
  if (!is_pfc) return {};
  return {of_pfc(steps, seen, judged)};
}

}  // namespace railgauge::congestion
