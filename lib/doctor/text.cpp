#include "doctor/text.hpp"

#include <algorithm>
#include <utility>

#include "draw/escape.hpp"
#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "manual/layout.hpp"

namespace railgauge::doctor {
namespace {

constexpr std::size_t kMostSentences = 12;  // of a section: all of them fit on a screen

std::size_t count_of(const Document& examination, Verdict verdict) {
  return static_cast<std::size_t>(
      std::ranges::count(examination.checks, verdict, &CheckSummary::verdict));
}

std::string section(const std::string& title, std::vector<std::string> sentences) {
  const std::size_t count = sentences.size();
  if (count > kMostSentences) {
    sentences.resize(kMostSentences);
    sentences.push_back(std::to_string(count - kMostSentences) + " more: see --json");
  }
  return manual::section_text(title, sentences);
}

/// Those that differ in their host alone are one.
std::vector<std::string> sentences_of(const std::vector<finding::FindingGroup>& groups,
                                      finding::Severity severity) {
  constexpr std::size_t kPlaces = 4;
  std::vector<std::pair<std::string, std::vector<std::string>>> all;  // words, places
  for (const finding::FindingGroup& group : groups) {
    if (group.first.severity != severity) continue;
    std::string words = words_behind(group.first);
    std::string place = group.first.check + ": " + sentence(group);
    if (!place.ends_with(words)) words.clear();  // there are alternatives
    place.resize(place.size() - words.size());
    const auto same = std::ranges::find_if(
        all, [&](const auto& one) { return !words.empty() && one.first == words; });
    if (same == all.end()) {
      all.push_back({words, {place}});
    } else {
      same->second.push_back(place.substr(group.first.check.size() + 2));
    }
  }
  std::vector<std::string> sentences;
  sentences.reserve(all.size());
  for (const auto& [words, places] : all)
    sentences.push_back(finding::first_of(places, kPlaces) + words);
  return sentences;
}

std::vector<std::string> unknown_of(const Document& examination) {
  std::vector<std::string> sentences;
  std::vector<std::string> unasked;
  for (const CheckSummary& one : examination.checks) {
    for (const Remark& remark : one.remarks) {
      if (remark.verdict != Verdict::unknown) continue;
      if (remark.text.starts_with(kNotRecorded) && one.waived.empty()) {
        unasked.push_back(one.name);
        continue;
      }
      sentences.push_back(one.name + ": " + remark.where() + ": " + remark.text +
                          (one.waived.empty() ? "" : " (waived: " + one.waived + ")"));
    }
  }
  if (!unasked.empty()) {
    sentences.push_back(finding::first_of(unasked, 4) +
                        ": not in the recording; record the host with railgauge doctor --record");
  }
  return sentences;
}

/// Checks that applied nowhere, by the reason.
std::vector<std::string> skipped_of(const Document& examination) {
  std::map<std::string, std::vector<std::string>> names;
  for (const CheckSummary& one : examination.checks) {
    if (one.verdict == Verdict::skip && !one.remarks.empty())
      names[one.remarks.front().text].push_back(one.name);
  }
  std::vector<std::string> sentences;
  sentences.reserve(names.size());
  for (const auto& [reason, checks] : names)
    sentences.push_back(finding::first_of(checks, 4) + ": " + reason);
  return sentences;
}

std::string outcome_text(const Document& examination) {
  const auto& [report, policy] = std::tie(examination.report, examination.policy);
  std::string text(word(outcome(report, policy)));
  if (!deciding(report, policy).empty()) return text + ": " + in_short(report, policy);
  if (outcome(report, policy) == finding::Outcome::pass) return text;
  const auto unknown = static_cast<std::size_t>(
      std::ranges::count_if(examination.checks, [](const CheckSummary& one) {
        return one.waived.empty() && one.counts.at(std::string(word(Verdict::unknown))) > 0;
      }));
  if (unknown == 0) return text + ": no check that was asked for applies here";
  return text + ": " + finding::counted(unknown, "check") +
         " could not be made; repair that, or waive by name (--waive)";
}

std::string head_of(const Document& examination) {
  std::string text = finding::counted(examination.hosts.size(), "host") + ", " +
                     finding::counted(examination.ports, "port") + ", " +
                     finding::counted(examination.checks.size(), "check") + ":";
  for (const Verdict verdict :
       {Verdict::fail, Verdict::warn, Verdict::unknown, Verdict::pass, Verdict::skip}) {
    text.append(" ").append(std::to_string(count_of(examination, verdict)));
    text.append(" ").append(word(verdict));
  }
  return text + "\n";
}

/// What a test case of JUnit holds.
std::string inner_of(const CheckSummary& one) {
  std::string text;
  for (const Remark& remark : one.remarks) {
    if (remark.verdict != one.verdict) continue;
    text.append(text.empty() ? "" : "; ").append(remark.where()).append(": ");
    text += remark.text;
  }
  const auto element = [&](const std::string& name, const std::string& message) {
    return "<" + name + " message=\"" + draw::escaped(message) + "\"/>";
  };
  if (one.verdict == Verdict::pass) return "";
  if (!one.waived.empty()) return element("skipped", "waived: " + one.waived + "; " + text);
  if (one.verdict == Verdict::fail) return element("failure", text);
  if (one.verdict == Verdict::unknown) return element("error", text);
  if (one.verdict == Verdict::skip) return element("skipped", text);
  return "<system-out>" + draw::escaped("warning: " + text) + "</system-out>";
}

std::string padded(std::string_view text, std::size_t width) {
  std::string all(text);
  all.resize(std::max(width, all.size()) + 2, ' ');
  return all;
}

}  // namespace

std::string as_text(const Document& examination) {
  const auto groups = grouped(examination.report.findings);
  return head_of(examination) + section("errors", sentences_of(groups, finding::Severity::error)) +
         section("warnings", sentences_of(groups, finding::Severity::warning)) +
         section("unknown", unknown_of(examination)) + section("skipped", skipped_of(examination)) +
         manual::section_text("outcome", {outcome_text(examination)});
}

std::string as_junit(const Document& examination) {
  std::string cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  for (const CheckSummary& one : examination.checks) {
    const std::string inner = inner_of(one);
    failures += inner.starts_with("<failure") ? 1 : 0;
    errors += inner.starts_with("<error") ? 1 : 0;
    skipped += inner.starts_with("<skipped") ? 1 : 0;
    cases.append("<testcase classname=\"").append(one.group).append("\" name=\"");
    cases.append(one.name).append("\">").append(inner).append("</testcase>\n");
  }
  const auto number = [](std::size_t count) { return std::to_string(count); };
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"doctor\" "
         "tests=\"" +
         number(examination.checks.size()) + "\" failures=\"" + number(failures) + "\" errors=\"" +
         number(errors) + "\" skipped=\"" + number(skipped) + "\">\n" + cases +
         "</testsuite>\n</testsuites>\n";
}

std::string listing() {
  constexpr std::size_t kName = 22;
  constexpr std::size_t kGroup = 10;
  constexpr std::size_t kWord = 6;
  std::string text = padded("check", kName) + padded("group", kGroup) + padded("level", kWord) +
                     padded("about", kWord) + "expects\n";
  for (const Check& check : all_checks()) {
    text.append(padded(check.name, kName)).append(padded(check.group, kGroup));
    text.append(padded(word(check.level), kWord)).append(padded(word(check.of), kWord));
    text.append(check.expects).append("\n");
  }
  return text;
}

std::string explanation(const Check& check) {
  std::string reads;
  for (const std::string_view path : check.reads) {
    reads.append(reads.empty() ? "" : ", ").append(source_of(std::string(path)));
  }
  if (check.level == Level::interval) reads = "counters of the port, in two recordings (--since)";
  if (check.level == Level::pair) reads = "paths of reachability_perf or pairs_perf (--pairs)";
  if (check.level == Level::fabric)
    reads = "findings of " + std::string(check.adopts_from) + "_perf (--findings)";
  if (reads.empty()) reads = "the device, its addresses and PCI links; or all hosts";
  std::string text(check.name);
  text.append(": ").append(check.title).append(" (").append(check.group);
  text.append(check.of == Kind::fabric ? ", of the " : ", of each ")
      .append(word(check.of))
      .append(", level ")
      .append(word(check.level))
      .append(")\n");
  text.append("  reads    ").append(reads).append("\n  expects  ").append(check.expects);
  if (!check.absent.empty()) text.append("\n  without  skipped: ").append(check.absent);
  if (!check.remedy.empty()) text.append("\n  remedy   ").append(check.remedy);
  return text.append("\n  source   ").append(check.source).append("\n");
}

}  // namespace railgauge::doctor
