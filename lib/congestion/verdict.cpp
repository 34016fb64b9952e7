#include "congestion/verdict.hpp"

#include <algorithm>
#include <array>

#include "congestion/rates.hpp"
#include "finding/words.hpp"
#include "measure/cpu_share.hpp"

namespace railgauge::congestion {
namespace {

using finding::counted;

void add(Events& events, std::int64_t count, Moment moment) {
  events.count += count;
  if (count > 0 && (!events.first || moment.end_s < events.first->end_s))
    events.first = std::move(moment);
}

double longest_message(const Step& step) {
  double longest = 0;
  for (const Flow& flow : step.flows) longest = std::max(longest, flow.longest_message_s);
  return longest;
}

void add(Events& events, const PortSeries& port, Signal signal, double seen_late_s) {
  if (!counts(port, signal)) return;
  events.counted = true;
  for (const Sample& sample : port.samples) {
    add(events, sample.counts[telemetry::index_of(signal)],
        {.begin_s = sample.begin_s - seen_late_s,
         .end_s = sample.end_s,
         .place = in_words(port.port)});
  }
}

void note_uncounted(Events& events, const Step& step, Signal signal,
                    const std::vector<finding::Endpoint>& any_of) {
  const bool counted = std::ranges::any_of(any_of, [&](const finding::Endpoint& end) {
    const PortSeries* const port = port_of(step, end);
    return port != nullptr && counts(*port, signal);
  });
  if (!counted && events.uncounted_at.empty()) events.uncounted_at = in_words(any_of.front());
}

/// A loss shows at either end of a flow.
void note_uncounted(Seen& seen, const Step& step) {
  for (const Flow& flow : step.flows) {
    note_uncounted(seen.marks, step, Signal::mark, {flow.to});
    note_uncounted(seen.pauses, step, Signal::pause_received, {flow.from});
    note_uncounted(seen.losses, step, Signal::loss, {flow.from, flow.to});
  }
}

void add_nics(Seen& seen, const Step& step) {
  for (const PortSeries& port : step.ports) {
    if (receives(step, port.port)) {
      add(seen.marks, port, Signal::mark, longest_message(step));
      seen.host_pauses += total(port, Signal::pause_sent);
    }
    if (sends(step, port.port)) add(seen.pauses, port, Signal::pause_received, 0);
    add(seen.losses, port, Signal::loss, 0);
  }
  note_uncounted(seen, step);
}

void add_links(Seen& seen, const Step& step) {
  for (Events* const events : {&seen.marks, &seen.pauses, &seen.losses}) events->counted = true;
  for (const LinkSeries& link : step.links) {
    // A host's end is not a switch's: softswitch knows it all the same.
    const bool only_sent = link.from_host && !step.every_switch;
    for (const LinkSeries::Sample& sample : link.samples) {
      const Moment moment{.begin_s = sample.begin_s,
                          .end_s = sample.end_s,
                          .observer = Observer::network_switch,
                          .place = link.from + " -> " + link.to};
      add(seen.marks, sample.marks, moment);
      if (link.to_host) {
        seen.host_pauses += sample.pauses_received;
      } else {
        add(seen.pauses, only_sent ? sample.pauses_sent : sample.pauses_received, moment);
      }
      if (link.priority != kEveryPriority) add(seen.losses, sample.drops, moment);
    }
  }
}

bool has_failed(const Step& step) {
  return std::ranges::any_of(step.flows, [](const Flow& flow) { return !flow.reason.empty(); });
}

/// Of switches of which some may be missing: their samples are seldom, so that what NICs saw comes
/// first. Drops may be those of others' packets, unless NICs do not count theirs, or a flow failed,
/// whose last packets never came.
void add_what_nics_miss(Seen& seen, Seen by_switches, bool failed) {
  const bool misses_marks = seen.marks.count == 0 && by_switches.marks.count > 0;
  const bool misses_pauses = seen.pauses.count == 0 && by_switches.pauses.count > 0;
  // Both by one clock, if it can be.
  const bool has_both = by_switches.marks.count > 0 && by_switches.pauses.count > 0;
  const bool takes_both = has_both && (misses_marks || misses_pauses);
  if (misses_marks || takes_both) seen.marks = std::move(by_switches.marks);
  if (misses_pauses || takes_both) seen.pauses = std::move(by_switches.pauses);
  const bool counts_losses = seen.losses.counted && seen.losses.uncounted_at.empty();
  if ((failed || !counts_losses) && seen.losses.count == 0 && by_switches.losses.count > 0)
    seen.losses = std::move(by_switches.losses);
  if (seen.host_pauses == 0) seen.host_pauses = by_switches.host_pauses;
}

std::string what_was_seen(const Seen& seen) {
  const auto text = [](const Events& events, const std::string& what) {
    if (!events.first) return "no " + what + "s";
    return counted(static_cast<std::uint64_t>(events.count), what) + " (" +
           std::string(word(events.first->observer)) + "), the first at " +
           finding::number(events.first->end_s, "s") + " by " + events.first->place;
  };
  return text(seen.marks, "ECN mark") + "; " + text(seen.pauses, "pause frame") + "; " +
         text(seen.losses, "drop");
}

Judged in_order(const Seen& seen) {
  const Moment& mark = *seen.marks.first;
  const Moment& pause = *seen.pauses.first;
  if (mark.observer != pause.observer)
    return {
        Verdict::unknown,
        "a NIC counted the first of one kind and a switch that of the other, by another clock (" +
            what_was_seen(seen) + ")"};
  if (mark.end_s <= pause.begin_s) return {Verdict::ecn_first, what_was_seen(seen)};
  if (pause.end_s <= mark.begin_s) return {Verdict::pfc_first, what_was_seen(seen)};
  return {Verdict::unknown,
          "the first mark and the first pause are too close to each other to tell which came first "
          "(" +
              what_was_seen(seen) + "); use smaller steps of load or counters of switches"};
}

/// Why an absence of these events says nothing; empty: all that should count them do.
std::string not_counted(const Events& events, const std::string& what, const Seen& seen) {
  if (events.counted && events.uncounted_at.empty()) return "";
  const std::string who =
      events.counted ? events.uncounted_at + " does not count " : "no port counts ";
  return who + what +
         (seen.by_some_switches
              ? "; not all switches tell: have all of them export these, or use NICs that do"
              : "; give counters of switches, or use NICs that do");
}

std::string sent_too_little(const Step& step) {
  double offered = 0;
  double arrived = 0;
  for (const Flow* const flow : rivals(step)) {
    offered += flow->offered_gbps;
    arrived += flow->gbps;
  }
  // Of flows without a rate the first is of the senders' links, which may be faster.
  const double most = std::min(offered / std::max(step.load, 1.0), step.line_gbps);
  constexpr double kEnough = 0.9;
  if (arrived >= kEnough * most) return "";
  return "the receiver got " + finding::number(arrived, "GB/s") + ", its link carries " +
         finding::number(most, "GB/s") + ": the senders did not send their load";
}

/// Of a flow that did not come to its end.
std::string failed_text(const Step& step) {
  for (const Flow& flow : step.flows) {
    if (!flow.reason.empty())
      return in_words(flow.from) + " to " + in_words(flow.to) + " failed: " + flow.reason;
  }
  return "";
}

/// Of one class: those of a port may be of packets that the test did not send.
bool a_switch_dropped(const Step& step) {
  return std::ranges::any_of(step.links, [](const LinkSeries& link) {
    return link.priority != kEveryPriority &&
           std::ranges::any_of(link.samples, [](const auto& one) { return one.drops > 0; });
  });
}

/// A software device that nobody serves loses packets that the fabric delivered.
std::string losses_are_the_hosts(const Step& step, const Seen& seen) {
  if (!step.software || seen.losses.count == 0) return "";
  if (switches_know_all(step) || a_switch_dropped(step)) return "";
  for (const Flow& flow : step.flows) {
    if (!measure::had_full_share(flow.cpu_share))
      return "software devices lost packets while " + measure::cpu_share_text(flow.cpu_share);
  }
  return "";
}

}  // namespace

std::string_view word(Verdict verdict) {
  constexpr std::array<std::string_view, 8> kWords{"UNKNOWN",  "NO_CONGESTION", "NOT_TESTED",
                                                   "ECN_ONLY", "ECN_FIRST",     "PFC_FIRST",
                                                   "PFC_ONLY", "DROPPING"};
  const auto number = static_cast<std::size_t>(verdict);
  return number < kWords.size() ? kWords.at(number) : "";
}

Seen seen_in(std::span<const Step* const> steps) {
  Seen seen;
  Seen by_some_switches;
  for (const Step* const step : steps) {
    switches_know_all(*step) ? add_links(seen, *step) : add_nics(seen, *step);
    if (!step->every_switch) add_links(by_some_switches, *step);
    seen.by_some_switches |= !step->every_switch && !step->links.empty();
  }
  const bool failed =
      std::ranges::any_of(steps, [](const Step* step) { return has_failed(*step); });
  add_what_nics_miss(seen, std::move(by_some_switches), failed);
  return seen;
}

Judged judge(const Seen& seen) {
  if (seen.losses.count > 0) return {Verdict::dropping, what_was_seen(seen)};
  if (seen.host_pauses > 0)
    return {Verdict::unknown,
            "the receiving host sent " +
                counted(static_cast<std::uint64_t>(seen.host_pauses), "pause frame") +
                ": it is slower than its link"};
  for (std::string why :
       {not_counted(seen.marks, "ECN marks", seen), not_counted(seen.pauses, "pause frames", seen),
        not_counted(seen.losses, "drops", seen)}) {
    if (!why.empty()) return {Verdict::unknown, std::move(why)};
  }
  if (seen.marks.count > 0 && seen.pauses.count > 0) return in_order(seen);
  if (seen.marks.count > 0) return {Verdict::ecn_only, what_was_seen(seen)};
  if (seen.pauses.count > 0) return {Verdict::pfc_only, what_was_seen(seen)};
  return {Verdict::no_congestion, what_was_seen(seen)};
}

std::string void_because(const Step& step) {
  if (!step.void_because.empty()) return step.void_because;
  const std::array all{&step};
  const Seen seen = seen_in(all);
  if (std::string why = losses_are_the_hosts(step, seen); !why.empty()) return why;
  if (std::string why = too_short(step); !why.empty()) return why;
  if (step.scenario == Scenario::failure) return "";  // flows that fail are what was asked for
  return seen.losses.count > 0 ? "" : failed_text(step);
}

Judged judge(const Step& step) {
  if (std::string why = void_because(step); !why.empty()) return {Verdict::unknown, std::move(why)};
  const std::array all{&step};
  if (!overloads(step.scenario)) return {Verdict::not_tested, what_was_seen(seen_in(all))};
  Judged judged = judge(seen_in(all));
  if (judged.verdict != Verdict::no_congestion) return judged;
  if (std::string why = sent_too_little(step); !why.empty()) judged.reason = std::move(why);
  return judged;
}

std::vector<const Step*> valid(std::span<const Step> steps, std::optional<Scenario> scenario) {
  std::vector<const Step*> all;
  for (const Step& step : steps) {
    if (scenario && step.scenario != *scenario) continue;
    if (void_because(step).empty()) all.push_back(&step);
  }
  return all;
}

std::vector<const Step*> congested(std::span<const Step> steps) {
  std::vector<const Step*> all;
  for (const Step& step : steps) {
    if (is_congested(step) && void_because(step).empty()) all.push_back(&step);
  }
  return all;
}

Judged judge(std::span<const Step> steps) {
  const std::vector<const Step*> all = congested(steps);
  if (!all.empty()) {
    Judged judged = judge(seen_in(all));
    return judged.verdict == Verdict::no_congestion ? judge(*all.back()) : judged;
  }
  if (std::ranges::none_of(steps, [](const Step& step) { return overloads(step.scenario); }))
    return {Verdict::not_tested, "no scenario overloaded a receiver"};
  std::vector<std::string> reasons;
  for (const Step& step : steps) {
    if (is_congested(step)) reasons.push_back(step.name + ": " + void_because(step));
  }
  if (reasons.empty())
    return {Verdict::no_congestion, "no step offered more than the link carries"};
  return {Verdict::unknown, finding::joined(reasons, "; ")};
}

}  // namespace railgauge::congestion
