// What ports counted between two recordings of their hosts.

#include <algorithm>
#include <map>

#include "doctor/judging.hpp"
#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;
using telemetry::Counted;

using Moved = std::map<std::string, std::int64_t>;

/// Counters of one class that moved. Several may count the same events.
struct Movement {
  Moved counters{};
  std::int64_t most = 0;  ///< of one of them
  std::string reset{};    ///< one that went back
  bool gaps_alone = true;
};

/// Of a software device, which waits where its machine is busy, not what only that may be.
bool is_asked(const telemetry::Meaning& meaning, const Subject& subject, Counted counted) {
  return meaning.counted == counted && !meaning.microseconds &&
         !(subject.device->software && is_of_busy_machine(meaning));
}

Movement movement_of(const Subject& subject, Counted counted) {
  Movement movement;
  for (const auto& [name, by] : subject.history->moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (!meaning || !is_asked(*meaning, subject, counted)) continue;
    if (by < 0) movement.reset = name;
    movement.counters.emplace(name, by);
    movement.most = std::max(movement.most, by);
    movement.gaps_alone = movement.gaps_alone && meaning->gap;
  }
  return movement;
}

/// "12 in 3600 s (0.00333 a second)"
std::string rate_text(std::int64_t count, double seconds) {
  return std::to_string(count) + " in " + finding::number(seconds, "s") + " (" +
         finding::number(static_cast<double>(count) / seconds) + " a second)";
}

/// Why nothing can be told of a class; PASS: it can.
Answer known(const Subject& subject, Counted counted) {
  if (!subject.history) return not_applicable("no earlier recording was given (--since)");
  if (!subject.history->unknown.empty())
    return {.verdict = Verdict::unknown, .remark = subject.history->unknown};
  if (!subject.history->counted.contains(counted))
    return not_applicable("its driver does not count them");
  return {};
}

/// Of any event of that class the verdict.
template <Counted counted, Verdict verdict>
Answer none_of(const Inputs& in) {
  if (Answer answer = known(in.subject, counted); answer.verdict != Verdict::pass) return answer;
  Movement movement = movement_of(in.subject, counted);
  if (!movement.reset.empty())
    return {.verdict = Verdict::unknown, .remark = movement.reset + " was reset in between"};
  const std::string text = rate_text(movement.most, in.subject.history->seconds);
  if (movement.most == 0) return passed(text);
  Answer answer{.verdict = verdict, .observed = text, .expected = "0"};
  answer.counters = std::move(movement.counters);
  return answer;
}

/// Packets that overtake each other make gaps, too; and a site without PFC accepts losses.
Answer loses_nothing(const Inputs& in) {
  Answer answer = none_of<Counted::loss, Verdict::fail>(in);
  if (answer.verdict != Verdict::fail) return answer;
  const bool gaps = movement_of(in.subject, Counted::loss).gaps_alone;
  const bool lossy = in.wanted.pfc == false;
  if (gaps) answer.remark = "or packets overtook each other, on several paths";
  if (lossy) answer.remark = "the policy is without PFC";
  if (gaps || lossy) answer.verdict = Verdict::warn;
  return answer;
}

/// The longest that one counter tells, as a share of the time.
Answer pauses_little(const Inputs& in) {
  constexpr double kMost = 0.01;
  constexpr double kMicro = 1e-6;
  if (Answer answer = known(in.subject, Counted::pause); answer.verdict != Verdict::pass)
    return answer;
  Moved counters;
  double longest = 0;
  for (const auto& [name, by] : in.subject.history->moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (!meaning || meaning->counted != Counted::pause) continue;
    if (by < 0) return {.verdict = Verdict::unknown, .remark = name + " was reset in between"};
    counters.emplace(name, by);
    if (meaning->microseconds) longest = std::max(longest, static_cast<double>(by) * kMicro);
  }
  const double share = longest / in.subject.history->seconds;
  if (share <= kMost) {
    const Movement frames = movement_of(in.subject, Counted::pause);
    return passed(finding::percent(share) +
                  ", frames: " + rate_text(frames.most, in.subject.history->seconds));
  }
  Answer answer =
      warned(finding::percent(share) + " of " + finding::number(in.subject.history->seconds, "s"),
             "at most 1 %");
  answer.counters = std::move(counters);
  return answer;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks counter_checks() {
  const std::string_view cable = "check cable, transceiver and switch port of {netdev}";
  Checks rows{
      {.name = "lost-packets",
       .title = "number of lost packets",
       .judge = loses_nothing,
       .cause = Cause::packet_loss,
       .remedy = "railgauge isolate_perf, or pairs_perf, tells the path; check PFC and discards of "
                 "its switch ports"},
      {.name = "exhausted-retries",
       .title = "number of queue pairs that failed",
       .judge = none_of<Counted::exhausted, Verdict::fail>,
       .cause = Cause::unreachable,
       .remedy = "look for the peer that was gone: link state and log of the program"},
      {.name = "corrupted-packets",
       .title = "number of packets with a wrong checksum",
       .judge = none_of<Counted::corruption, Verdict::fail>,
       .cause = Cause::corruption,
       .remedy = cable},
      {.name = "link-events",
       .title = "number of times the link went down or was retrained",
       .judge = none_of<Counted::link, Verdict::fail>,
       .cause = Cause::link_down,
       .remedy = cable},
      {.name = "symbol-errors",
       .title = "number of symbol and frame errors that were not corrected",
       .judge = none_of<Counted::physical, Verdict::fail>,
       .cause = Cause::corruption,
       .remedy = cable},
      {.name = "pause-time",
       .title = "share of the time paused",
       .expects = "at most 1 % of the time",
       .judge = pauses_little,
       .cause = Cause::pause,
       .remedy = "look for a slow receiver: PCIe, NUMA node and page size of the hosts that pause"},
      {.name = "ignored-cnps",
       .title = "number of CNPs that did not slow the sender",
       .judge = none_of<Counted::ignored_cnp, Verdict::warn>,
       .cause = Cause::roce_setting,
       .remedy = "echo 1 > /sys/class/net/{netdev}/ecn/roce_rp/enable/PRIORITY"},
      {.name = "host-stalls",
       .title = "number of times PCIe or memory held up the port",
       .judge = none_of<Counted::host, Verdict::warn>,
       .cause = Cause::pcie_link,
       .remedy = "lspci -vvs {pci}; compare its link, NUMA node and page size with other hosts"},
      {.name = "oversize-packets",
       .title = "number of packets larger than the MTU",
       .judge = none_of<Counted::oversize, Verdict::warn>,
       .cause = Cause::mtu,
       .remedy = "ip link set {netdev} mtu 9000, as on the other hosts and switch ports"},
      {.name = "receiver-not-ready",
       .title = "number of times a receiver had posted nothing",
       .judge = none_of<Counted::not_ready, Verdict::warn>,
       .cause = Cause::other,
       .remedy = "look at the program: it sends more than its peer has posted to receive"},
      {.name = "refused-requests",
       .title = "number of requests that were refused",
       .judge = none_of<Counted::protocol, Verdict::warn>,
       .cause = Cause::other,
       .remedy = "look at the program: keys, lengths and rights of its memory"},
  };
  for (Check& row : rows) {
    row.source = "kernel ABI sysfs-class-infiniband and mlx5 counters: what each counter counts";
    if (row.expects.empty()) row.expects = "0 since the earlier recording";
  }
  return rows;
}

}  // namespace railgauge::doctor
