#include "finding/finding.hpp"

#include <utility>

#include "finding/words.hpp"

namespace railgauge::finding {
namespace {

std::string observed_text(const Evidence& evidence) {
  std::string text = evidence.metric;
  if (evidence.observed) text += " " + number(*evidence.observed, evidence.unit);
  if (evidence.expected) text += ", expected " + number(*evidence.expected, evidence.unit);
  if (!evidence.expected_from.empty()) text += " (" + evidence.expected_from + ")";
  return text;
}

/// "in 5 of 6 tests"
std::string share_of(const Evidence& evidence) {
  const std::string text =
      "in " + std::to_string(evidence.against) + " of " + std::to_string(evidence.of);
  return evidence.counted.empty() ? text : text + " " + evidence.counted;
}

/// "failed in 5 of 6 tests", but "bandwidth 4.1 GB/s, in 5 of 6 tests".
std::string separator_of(const Evidence& evidence) {
  const bool bare = !evidence.observed && !evidence.expected && evidence.expected_from.empty();
  return bare && !evidence.counted.empty() ? " " : ", ";
}

/// "out_of_sequence 3, packet_seq_err 2"
std::string counters_text(const Evidence& evidence) {
  std::vector<std::string> moved;
  for (const auto& [name, by] : evidence.counters) moved.push_back(name + " " + std::to_string(by));
  return joined(moved);
}

/// " in window 5", " in 3 windows from 5 on"; empty if it is not of a soak.
std::string window_text(const std::optional<TimeWindow>& when) {
  if (!when || !when->window) return "";
  const std::string first = std::to_string(*when->window);
  return when->count == 1 ? " in window " + first
                          : " in " + counted(when->count, "window") + " from " + first + " on";
}

std::string doubt_of(const Finding& finding) {
  if (!finding.waived.empty()) return " (waived: " + finding.waived + ")";
  switch (finding.certainty) {
    case Certainty::cleared: return " (not confirmed)";
    case Certainty::possible: return " (possible)";
    case Certainty::likely:
    case Certainty::confirmed: break;
  }
  return "";
}

std::string places_of(const Finding& finding) {
  std::vector<std::string> places{in_words(finding.where)};
  for (const Location& other : finding.alternatives) places.push_back(in_words(other));
  return listed(places, " or ");
}

}  // namespace

std::string_view word(Certainty certainty) {
  return json::word_of<Certainty::confirmed>(certainty,
                                             {"cleared", "possible", "likely", "confirmed"});
}

Finding found(std::string check, Cause cause, Location where) {
  Finding finding;
  finding.check = std::move(check);
  finding.cause = cause;
  finding.severity = facts_of(cause).severity;
  finding.where = std::move(where);
  return finding;
}

std::string id_of(const Finding& finding) {
  return finding.check + "." + std::string(word(finding.cause)) + ":" + key_of(finding.where);
}

std::string headline(const Finding& finding) {
  const std::string_view what =
      finding.detail.empty() ? facts_of(finding.cause).headline : std::string_view(finding.detail);
  return places_of(finding).append(": ").append(what) + doubt_of(finding);
}

std::string in_words(const Evidence& evidence) {
  std::string text = observed_text(evidence);
  if (const std::string counters = counters_text(evidence); !counters.empty())
    text += text.empty() ? counters : " (" + counters + ")";
  if (evidence.of > 0) text += (text.empty() ? "" : separator_of(evidence)) + share_of(evidence);
  if (!evidence.text.empty()) text += (text.empty() ? "" : ", ") + evidence.text;
  return text;
}

std::string remedy_of(const Finding& finding) {
  return finding.remedy.empty() ? std::string(facts_of(finding.cause).remedy) : finding.remedy;
}

std::string sentence(const Finding& finding) {
  std::string text = headline(finding) + window_text(finding.when);
  const char* separator = ": ";
  for (const Evidence& one : finding.evidence) {
    const std::string words = in_words(one);
    if (words.empty()) continue;
    text += separator + words;
    separator = "; ";
  }
  if (!finding.excuses.empty()) text += "; but " + joined(finding.excuses, "; ");
  if (const std::string remedy = remedy_of(finding); !remedy.empty()) text += "; " + remedy;
  return text;
}

}  // namespace railgauge::finding
