#include "isolation/findings.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "finding/words.hpp"
#include "isolation/known_paths.hpp"

namespace railgauge::isolation {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::counted;
using finding::Coverage;
using finding::Finding;
using finding::Location;

constexpr const char* kCheck = "isolation";

struct Symptom {
  std::size_t count = 0;
  Cause cause = Cause::other;
  const char* word = "";
};

/// The worst first.
std::array<Symptom, 4> symptoms_of(const Suspect& suspect) {
  const SymptomCounts& counts = suspect.symptoms;
  return {{{counts.dead, Cause::unreachable, "dead"},
           {counts.lossy, Cause::packet_loss, "lossy"},
           {counts.slow, Cause::bandwidth, "slow"},
           {counts.late, Cause::latency, "late"}}};
}

/// The worst that half of the bad tests have: a single one is perhaps of another cause.
Cause cause_of(const Suspect& suspect) {
  Symptom most;
  for (const Symptom& one : symptoms_of(suspect)) {
    if (one.count > 0 && 2 * one.count >= suspect.bad) return one.cause;
    if (one.count > most.count) most = one;
  }
  return most.cause;
}

/// "6 lossy, 2 slow"
std::string in_words(const std::array<Symptom, 4>& symptoms) {
  std::vector<std::string> parts;
  for (const Symptom& one : symptoms) {
    if (one.count > 0) parts.push_back(std::to_string(one.count) + " " + one.word);
  }
  return finding::joined(parts);
}

bool is_cleared(const Suspect& suspect) {
  return suspect.status == Status::withdrawn && !is_of_unknown_path(suspect.component);
}

Certainty certainty_of(const Suspect& suspect) {
  if (is_confirmed(suspect)) return Certainty::confirmed;
  return is_cleared(suspect) ? Certainty::cleared : Certainty::possible;
}

/// "12 : 1", "1e8 : 1".
std::string odds(double log_odds) {
  constexpr double kPlain = 9;  // below 10,000
  if (log_odds < kPlain) return std::to_string(std::lround(std::exp(log_odds))) + " : 1";
  return "1e" + std::to_string(std::lround(std::floor(log_odds / std::numbers::ln10))) + " : 1";
}

std::string excuse_of_retests(const Suspect& suspect) {
  if (suspect.tests_alone == 0) return "not retested alone";
  return "retested alone only in " + counted(suspect.tests_alone, "test");
}

std::string excuse_of_next(const Suspect& suspect, const Evidence& evidence) {
  std::string rival = in_words(location_of(*suspect.rival, evidence));
  if (suspect.rival_parts > 1)
    rival += " and " + std::to_string(suspect.rival_parts - 1) + " more at once";
  return "odds against " + rival + " are only " + odds(suspect.log_odds_to_rival);
}

/// Why it is only possible.
std::vector<std::string> excuses_of(const Suspect& suspect, const Evidence& evidence) {
  std::vector<std::string> excuses;
  if (is_of_unknown_path(suspect.component)) excuses.emplace_back("the path is not known");
  if (suspect.of_part) excuses.emplace_back("only a part of its tests failed");
  if (suspect.rival && suspect.log_odds_to_rival < kDecisiveLogOdds)
    excuses.push_back(excuse_of_next(suspect, evidence));
  if (suspect.tests_alone < 3) excuses.push_back(excuse_of_retests(suspect));
  if (suspect.status == Status::withdrawn)
    excuses.emplace_back("retests alone were good, perhaps on another path");
  if (excuses.empty()) excuses.emplace_back("the retests alone did not decide it");
  return excuses;
}

std::string remedy_of(const Suspect& suspect, const Evidence& evidence) {
  if (is_cleared(suspect)) return "check for congestion: it failed only while other tests ran";
  const std::string check = remedy_at(suspect.component, evidence);
  return suspect.tests_alone == 0 ? "retest it alone, then " + check : check;
}

std::vector<std::uint64_t> rows_of(const std::vector<std::size_t>& tests) {
  return {tests.begin(), tests.end()};
}

/// Where probes of tests that failed went no further.
std::string where_probes_end(const Suspect& suspect, const Evidence& evidence) {
  std::set<std::string> switches;
  const auto add = [&](const std::vector<int>& hops, std::size_t heard) {
    if (heard == 0 || heard > hops.size() || hops[heard - 1] == kUnknownSwitch) return;
    switches.insert(evidence.switches[static_cast<std::size_t>(hops[heard - 1])]);
  };
  for (const std::size_t test : suspect.speak_for) {
    const Observation& one = evidence.tests[test];
    if (one.outcome.failed && !one.outcome.arrives.value_or(false)) add(one.hops, one.heard);
    if (one.outcome.failed && one.outcome.arrives.value_or(true))
      add(one.hops_back, one.heard_back);
  }
  if (switches.empty()) return "";
  return ", probes end after " +
         finding::joined(std::vector<std::string>(switches.begin(), switches.end()));
}

std::vector<finding::Evidence> evidence_of(const Suspect& suspect, const Evidence& evidence) {
  std::vector<finding::Evidence> all{
      {.metric = "failed",
       .against = suspect.bad,
       .of = suspect.tests,
       .counted = "tests",
       .rows_for = rows_of(suspect.speak_for),
       .rows_against = rows_of(suspect.speak_against),
       .text = in_words(symptoms_of(suspect)) + where_probes_end(suspect, evidence)}};
  if (suspect.tests_alone > 0) {
    all.push_back({.metric = "failed",
                   .against = suspect.bad_alone,
                   .of = suspect.tests_alone,
                   .counted = "tests alone"});
  }
  return all;
}

Finding finding_of(const Suspect& suspect, const Evidence& evidence) {
  Finding made =
      finding::found(kCheck, cause_of(suspect), location_of(suspect.component, evidence));
  made.certainty = certainty_of(suspect);
  for (const Component& other : suspect.alike)
    made.alternatives.push_back(location_of(other, evidence));
  made.log10_odds = suspect.log_odds / std::numbers::ln10;
  if (suspect.rival) {
    made.next = location_of(*suspect.rival, evidence);
    made.log10_odds_to_next = suspect.log_odds_to_rival / std::numbers::ln10;
  }
  made.evidence = evidence_of(suspect, evidence);
  made.remedy = remedy_of(suspect, evidence);
  if (made.certainty == Certainty::possible) made.excuses = excuses_of(suspect, evidence);
  return made;
}

/// One failure is never noise; of other symptoms many are not.
Finding finding_of_unexplained(Cause cause, const std::string& what, std::size_t count,
                               const Verdict& verdict) {
  Finding made = finding::found(kCheck, cause, {});
  made.certainty = Certainty::possible;
  made.detail = what;
  made.evidence = {{.against = count, .of = verdict.tests, .counted = "tests"}};
  made.excuses = {"no component explains them"};
  return made;
}

void add_unexplained(const Verdict& verdict, std::vector<Finding>& findings) {
  if (verdict.unexplained_failures > 0) {
    findings.push_back(finding_of_unexplained(Cause::unreachable, "failed tests",
                                              verdict.unexplained_failures, verdict));
    findings.back().remedy = "repeat the run: a link may have changed state meanwhile";
  } else if (verdict.too_many_unexplained()) {
    findings.push_back(finding_of_unexplained(Cause::bandwidth, "slow, late or lossy tests",
                                              verdict.unexplained, verdict));
    findings.back().remedy = "repeat the run on an idle fabric and idle hosts";
  }
}

/// A switch that is down is on no path: only an earlier run or a description knows of it.
Finding missing_switch(const std::string& name, const std::string& why) {
  Finding made = finding::found(kCheck, Cause::not_tested,
                                {.scope = finding::Scope::node, .switches = {name}});
  made.severity = finding::Severity::error;
  made.certainty = Certainty::possible;
  made.detail = "on no path of this run";
  made.excuses = {why};
  made.remedy = "check whether the switch and its links are up";
  return made;
}

void add_missing_switches(const Evidence& evidence, const std::vector<std::string>& described,
                          std::vector<Finding>& findings) {
  const std::set<std::string> now = switches_of(evidence, false);
  std::set<std::string> missing(described.begin(), described.end());
  for (const std::string& one : missing)
    findings.push_back(missing_switch(one, "the description has links to it"));
  for (const std::string& one : switches_of(evidence, true)) {
    if (!now.empty() && !now.contains(one) && missing.insert(one).second)
      findings.push_back(missing_switch(one, "the earlier result has paths over it"));
  }
}

Coverage of_components(const Verdict& verdict) {
  Coverage made{.check = "components", .planned = verdict.components, .tested = verdict.covered};
  if (verdict.covered < verdict.components)
    made.skipped.emplace_back("the rest has too few tests; increase --rounds");
  return made;
}

Coverage of_paths(const Verdict& verdict) {
  Coverage made{.check = "paths of tests",
                .planned = verdict.tests,
                .tested = verdict.tests - verdict.unknown_paths};
  if (verdict.unknown_paths > 0)
    made.skipped.emplace_back("no switch answered on the paths of the rest");
  return made;
}

Coverage of_busy_ends(const Verdict& verdict) {
  return {.check = "components of busy hosts",
          .planned = verdict.busy ? verdict.components : verdict.untested,
          .skipped = {counted(verdict.starved, "slow test") +
                      " ignored: endpoint processes were descheduled"}};
}

}  // namespace

std::set<std::string> switches_of(const Evidence& evidence, bool earlier) {
  std::set<std::string> switches;
  for (const Observation& test : evidence.tests) {
    if (test.earlier != earlier) continue;
    for (const int hop : test.hops) {
      if (hop != kUnknownSwitch) switches.insert(evidence.switches[static_cast<std::size_t>(hop)]);
    }
  }
  return switches;
}

finding::Report report_of(const Verdict& verdict, const Evidence& evidence,
                          const std::vector<std::string>& described) {
  finding::Report report;
  const Evidence known = with_known_paths(evidence);
  for (const Suspect& one : verdict.suspects) report.findings.push_back(finding_of(one, known));
  add_unexplained(verdict, report.findings);
  add_missing_switches(evidence, described, report.findings);
  report.coverage = {of_components(verdict), of_paths(verdict)};
  if (verdict.untested > 0 || verdict.busy) report.coverage.push_back(of_busy_ends(verdict));
  return report;
}

}  // namespace railgauge::isolation
