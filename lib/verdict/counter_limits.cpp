#include "verdict/counter_limits.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "telemetry/meaning.hpp"

namespace railgauge::verdict {
namespace {

using telemetry::Counted;
using telemetry::Way;

constexpr double kMillion = 1e6;

/// Of a class, the counter that moved most.
struct Most {
  std::string name{};
  std::int64_t by = 0;
  Way way = Way::either;
};

/// Of every class of which a port has a counter. One that was reset says nothing.
std::map<Counted, Most> most_of(const CounterDeltas& port, bool software) {
  std::map<Counted, Most> all;
  for (const auto& [name, by] : port.deltas) {
    const auto meaning = telemetry::meaning_of(name);
    if (!meaning || meaning->microseconds || by < 0) continue;
    if (software && telemetry::is_of_busy_machine(*meaning)) continue;
    Most& most = all[meaning->counted];
    if (most.name.empty() || by > most.by) most = {name, by, meaning->way};
  }
  return all;
}

std::optional<double> packets(const CounterDeltas& port, Way way) {
  const auto found =
      telemetry::packets(port.deltas, way == Way::received ? Way::received : Way::sent);
  if (!found || *found <= 0) return std::nullopt;
  return static_cast<double>(*found);
}

std::string in_words(const CounterDeltas& port, Counted counted, const Most& most) {
  std::string text = port.port;
  text.append(" ").append(telemetry::word(counted));
  return text + ": " + most.name + " " + std::to_string(most.by);
}

/// Empty if the port keeps to the limit.
std::optional<Finding> finding_of(const CounterDeltas& port, Counted counted, const Most& most,
                                  double limit) {
  if (most.by == 0 || (limit > 0 && most.by <= kFewEvents)) return std::nullopt;
  Finding finding{.subject = Subject::counter,
                  .unit = "per million packets",
                  .theirs = limit,
                  .verdict = Verdict::fail,
                  .remark = in_words(port, counted, most)};
  const auto of = packets(port, most.way);
  if (of) {
    finding.ours = static_cast<double>(most.by) * kMillion / *of;
    if (*finding.ours <= limit) return std::nullopt;
    finding.remark += " of " + std::to_string(static_cast<std::int64_t>(*of)) + " packets";
  } else if (limit > 0) {
    finding.verdict = Verdict::no_reference;
    finding.remark += ": of how many packets is not counted";
  }
  return finding;
}

}  // namespace

Findings against_counter_limits(const RunSet& run_set, const Policy& policy) {
  if (policy.max_per_million_packets.empty()) return {};
  Findings all;
  int asked = 0;
  for (const CounterDeltas& port : run_set.ports) {
    const std::map<Counted, Most> most = most_of(port, run_set.software);
    for (const auto& [counted, limit] : policy.max_per_million_packets) {
      if (!most.contains(counted)) continue;
      ++asked;
      auto finding = finding_of(port, counted, most.at(counted), limit);
      if (finding) all.push_back(std::move(*finding));
    }
  }
  if (all.empty()) {
    all.push_back({.subject = Subject::counter,
                   .verdict = asked > 0 ? Verdict::pass : Verdict::no_reference,
                   .remark = asked > 0 ? "no port counted more than it may"
                                       : "no port has counters that are known"});
  }
  for (Finding& finding : all) finding.criterion = "policy " + policy.name;
  return all;
}

}  // namespace railgauge::verdict
