#include "runner/isolation/conclusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "isolation/symptoms.hpp"

namespace railgauge::runner {
namespace {

using isolation::Certainty;
using isolation::Component;
using isolation::Evidence;
using isolation::Finding;
using isolation::State;
using results::IsolateSuspect;
using results::IsolateVerdict;

std::string word_of(Certainty certainty) {
  switch (certainty) {
    case Certainty::named: return "named";
    case Certainty::suspect: return "suspect";
    case Certainty::withdrawn: return "withdrawn";
  }
  return "";
}

std::vector<std::uint64_t> rows_of(const std::vector<std::size_t>& tests, const IsolationRun& run) {
  std::vector<std::uint64_t> rows;
  for (const std::size_t test : tests) {
    if (const auto row = run.row_of(test)) rows.push_back(*row);
  }
  return rows;
}

IsolateSuspect suspect_of(const Finding& finding, const IsolationRun& run) {
  const Evidence& evidence = run.evidence();
  IsolateSuspect suspect;
  suspect.kind = isolation::word(finding.component.kind);
  suspect.where = in_words(finding.component, evidence);
  suspect.certainty = word_of(finding.certainty);
  suspect.alike.reserve(finding.alike.size());
  for (const Component& other : finding.alike) suspect.alike.push_back(in_words(other, evidence));
  if (finding.rival) suspect.rival = in_words(*finding.rival, evidence);
  suspect.log10_odds = finding.log_odds / std::numbers::ln10;
  suspect.log10_odds_to_rival = finding.log_odds_to_rival / std::numbers::ln10;
  suspect.bad = finding.bad;
  suspect.tests = finding.tests;
  suspect.bad_alone = finding.bad_alone;
  suspect.tests_alone = finding.tests_alone;
  suspect.rows_for = rows_of(finding.speak_for, run);
  suspect.rows_against = rows_of(finding.speak_against, run);
  suspect.advice = advice(finding.component, evidence);
  return suspect;
}

std::string in_words(const isolation::Symptoms& symptoms) {
  std::string text;
  const auto add = [&](bool is_so, const char* word) {
    if (is_so) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(symptoms.dead, "dead");
  add(symptoms.lossy, "lossy");
  add(symptoms.slow, "slow");
  add(symptoms.late, "late");
  return text;
}

std::string starved_text(const results::IsolateRow& row) {
  constexpr double kPercent = 100;
  return "a process at its ends waited for processors for " +
         std::to_string(std::lround(kPercent * row.waited_share.value_or(0))) +
         " % of the time, longer than in nine of ten fast tests";
}

/// The share of packets of which a test loses none with a probability of 10 %: as often as tests
/// are taken to seem good that pass something bad. Empty if packets were not counted.
std::string loss_that_shows(const results::IsolateBody& body) {
  std::vector<std::int64_t> packets;
  packets.reserve(body.rows.size());
  for (const results::IsolateRow& row : body.rows) {
    if (row.packets && *row.packets > 0 && !row.failed) packets.push_back(*row.packets);
  }
  if (packets.empty()) return "";
  std::ranges::sort(packets);
  const std::int64_t median = packets[packets.size() / 2];
  constexpr double kPercent = 100;
  std::array<char, 32> share{};
  std::snprintf(share.data(), share.size(), "%.2g %%",
                kPercent * std::numbers::ln10 / static_cast<double>(median));
  return "tests had " + std::to_string(median) + " packets at the median: loss of less than " +
         share.data() + " may not have been seen (--time)";
}

}  // namespace

IsolateVerdict verdict_of(const isolation::Verdict& verdict) {
  if (std::ranges::any_of(verdict.findings, isolation::is_confirmed)) return IsolateVerdict::fail;
  return verdict.state == State::healthy ? IsolateVerdict::pass : IsolateVerdict::inconclusive;
}

void conclude(const IsolationRun& run, results::IsolateBody& body) {
  const isolation::Verdict& verdict = run.verdict();
  body.isolate_verdict = verdict_of(verdict);
  body.sentences = in_words(verdict, run.evidence());
  const std::string limit = loss_that_shows(body);
  if (body.isolate_verdict != IsolateVerdict::fail && !limit.empty())
    body.sentences.push_back(limit);
  for (const Finding& finding : verdict.findings) body.suspects.push_back(suspect_of(finding, run));
  body.rounds = run.rounds();
  body.coverage = verdict.coverage;
  body.noise = verdict.false_positive;
  body.imported_tests = run.imported();
  const auto symptoms = isolation::symptoms_of(run.evidence(), {});
  for (std::size_t test = 0; test < symptoms.size(); ++test) {
    const auto row = run.row_of(test);
    if (!row || *row >= body.rows.size()) continue;
    body.rows[*row].symptoms = in_words(symptoms[test]);
    if (symptoms[test].says_nothing()) body.rows[*row].void_because = starved_text(body.rows[*row]);
  }
}

}  // namespace railgauge::runner
