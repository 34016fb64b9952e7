#include "soak/watcher.hpp"

#include <algorithm>

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::Finding;

void append(std::vector<Finding>& all, std::vector<Finding> more) {
  for (Finding& one : more) all.push_back(std::move(one));
}

/// Times of such a window say nothing of the level that they are on.
bool disturbs_times(const Finding& finding) {
  return finding.cause == Cause::link_down || finding.cause == Cause::descheduled;
}

Finding restarted(const Gap& gap, const std::string& host) {
  Window window{.number = gap.after_window, .start = gap.from};
  window.length_s = std::chrono::duration<double>(gap.to - gap.from).count();
  Finding finding = found_in(window, Cause::host_restarted,
                             {.scope = finding::Scope::host, .at = {.host = host}});
  finding.evidence = {
      {.text = "while the soak was interrupted" + (gap.why.empty() ? "" : " (" + gap.why + ")")}};
  return finding;
}

}  // namespace

std::vector<std::string> failing_causes() {
  std::vector<std::string> words;
  for (const Cause cause : kCauses) {
    if (finding::facts_of(cause).severity == finding::Severity::error && !is_of_own_past(cause))
      words.emplace_back(word(cause));
  }
  return words;
}

/// A rail out of service fails whatever the operator's choice.
std::vector<Finding> Watcher::settled(std::vector<Finding> findings) const {
  if (fail_on_.empty()) return findings;
  for (Finding& one : findings) {
    if (fail_on_.contains(std::string(word(one.cause)))) {
      one.severity = finding::Severity::error;
    } else if (!is_of_own_past(one.cause)) {
      one.severity = std::min(one.severity, finding::Severity::warning);
    }
  }
  return findings;
}

std::vector<Finding> Watcher::take(const Window& window) {
  return settled(found(window));
}

std::vector<Finding> Watcher::found(const Window& window) {
  std::vector<Finding> findings = counters_.take(window);
  append(findings, ranks_.stalls(window));
  if (std::ranges::any_of(findings, disturbs_times)) return findings;
  append(findings, ranks_.stragglers(window));
  if (!ranks_.is_any_slower()) append(findings, times_.take(window));
  return findings;
}

std::vector<Finding> Watcher::take(const Gap& gap) {
  std::vector<Finding> findings;
  for (const std::string& host : gap.rebooted) findings.push_back(restarted(gap, host));
  append(findings, counters_.take(gap));
  return settled(std::move(findings));
}

}  // namespace railgauge::soak
