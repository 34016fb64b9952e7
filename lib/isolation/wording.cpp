#include <cmath>
#include <cstdio>

#include "isolation/verdict.hpp"

namespace railgauge::isolation {
namespace {

std::string printed(const char* format, double value) {
  char text[64];  // NOLINT: a number
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string count_of(std::size_t count, std::size_t of) {
  return std::to_string(count) + " of " + std::to_string(of);
}

/// "400 : 1", "1e12 : 1".
std::string odds(double log_odds) {
  constexpr double kDecade = 2.302585092994046;
  constexpr double kPlain = 9;  // below 10,000
  if (log_odds < kPlain) return printed("%.0f : 1", std::exp(log_odds));
  return printed("1e%.0f : 1", std::floor(log_odds / kDecade));
}

std::string symptoms_of(const Finding& finding) {
  std::string text;
  const auto add = [&](std::size_t count, const char* word) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + word;
  };
  add(finding.symptoms.dead, "dead");
  add(finding.symptoms.lossy, "lossy");
  add(finding.symptoms.slow, "slow");
  add(finding.symptoms.late, "late");
  return text;
}

std::string confidence_of(const Finding& finding, const Evidence& evidence) {
  std::string text;
  if (finding.rival) {
    text += "; " + odds(finding.log_odds_to_rival) + " against the next in question, " +
            in_words(*finding.rival, evidence);
  }
  if (finding.tests_alone > 0)
    text += "; alone, bad in " + count_of(finding.bad_alone, finding.tests_alone);
  return text;
}

std::string next_step(const Finding& finding, const Evidence& evidence) {
  std::string look = advice(finding.component, evidence);
  switch (finding.certainty) {
    case Certainty::named: return finding.tests_alone > 0 ? look : "test it alone; then " + look;
    case Certainty::suspect: return "test it alone before anything is changed; then " + look;
    case Certainty::withdrawn:
      return "it was bad only while other tests ran: look for congestion or collisions";
  }
  return look;
}

const char* word(Certainty certainty) {
  switch (certainty) {
    case Certainty::named: return "BAD";
    case Certainty::suspect: return "SUSPECT";
    case Certainty::withdrawn: return "NOT CONFIRMED";
  }
  return "";
}

std::string sentence(const Finding& finding, const Evidence& evidence) {
  const bool unknown = is_of_unknown_path(finding.component);
  std::string text = unknown ? "PATH-UNKNOWN" : word(finding.certainty);
  text += ": " + in_words(finding.component, evidence);
  for (const Component& other : finding.alike)
    text += ", or " + in_words(other, evidence) + ", which no test tells from it";
  text += ": " + count_of(finding.bad, finding.tests) + " tests through it are bad (" +
          symptoms_of(finding) + ")";
  text += confidence_of(finding, evidence);
  return text + "; " +
         (unknown ? advice(finding.component, evidence) : next_step(finding, evidence));
}

/// What it takes until everything was tested often enough.
std::string missing(const Verdict& verdict) {
  if (verdict.unknown_paths > 0) {
    return "the paths of " + count_of(verdict.unknown_paths, verdict.tests) +
           " tests are not known, so of links nothing can be said";
  }
  if (verdict.untested > 0)
    return std::to_string(verdict.untested) + " of them only by tests that do not count";
  return "test more rounds";
}

std::string of_all(const Verdict& verdict) {
  constexpr double kPercent = 100;
  const std::string coverage = printed("%.1f %%", kPercent * verdict.coverage);
  const std::string bad = count_of(verdict.bad, verdict.tests) + " tests are bad";
  switch (verdict.state) {
    case State::undecided:
      if (verdict.unexplained_failures > 0) {
        return "UNKNOWN: " + count_of(verdict.unexplained_failures, verdict.tests) +
               " tests failed, and no component explains them; something may have gone down or "
               "come back meanwhile: test once more";
      }
      return "UNKNOWN: nothing stands out (" + bad + "), but only " + coverage +
             " of the components were tested often enough to be found if bad; " + missing(verdict);
    case State::healthy:
      return "nothing stands out: " + bad + ", nowhere more than elsewhere; " + coverage +
             " of the components were tested often enough to be found if bad";
    case State::suspected: return "something is wrong, and cannot be named yet: " + bad;
    case State::path_unknown:
      return "something is wrong where the paths of tests are not known: no link is named";
    case State::found:
      return bad + "; elsewhere " + printed("%.2g %%", kPercent * verdict.false_positive) +
             " of tests at most are";
  }
  return "";
}

}  // namespace

std::vector<std::string> in_words(const Verdict& verdict, const Evidence& evidence) {
  std::vector<std::string> sentences;
  sentences.reserve(verdict.findings.size() + 2);
  for (const Finding& one : verdict.findings) sentences.push_back(sentence(one, evidence));
  sentences.push_back(of_all(verdict));
  if (verdict.starved > 0) {
    sentences.push_back(
        count_of(verdict.starved, verdict.starved + verdict.tests) +
        " tests were slow and do not count: at their ends processes waited for "
        "processors, for longer than in nine of ten that were fast; test again when "
        "nothing else runs there");
  }
  return sentences;
}

}  // namespace railgauge::isolation
