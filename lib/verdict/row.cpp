#include "verdict/row.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "verdict/terms.hpp"

namespace railgauge::verdict {
namespace {

struct SubjectWords {
  Subject subject = Subject::run;
  std::string_view word{};  // in documents
  std::string_view one{};   // what is compared
  std::string_view many{};
  finding::Cause cause = finding::Cause::other;  // of a row that failed
};

using finding::Cause;

constexpr std::array kSubjects{
    SubjectWords{Subject::run, "run", "", ""},
    SubjectWords{Subject::plateau, "plateau", "bandwidth", "bandwidths", Cause::bandwidth},
    SubjectWords{Subject::latency, "latency", "latency", "latencies", Cause::latency},
    SubjectWords{Subject::size, "size", "size", "sizes", Cause::bandwidth},
    SubjectWords{Subject::dip, "dip", "dips", "dips", Cause::bandwidth},
    SubjectWords{Subject::missing, "missing", "", ""},
    SubjectWords{Subject::tail, "tail", "tail", "tails", Cause::jitter},
    SubjectWords{Subject::rail, "rail", "rails", "rails", Cause::bandwidth},
    SubjectWords{Subject::counter, "counter", "counters", "counters"},
    SubjectWords{Subject::path, "path", "path", "paths"},
};

const SubjectWords& subject_words(Subject subject) {
  return *std::ranges::find(kSubjects, subject, &SubjectWords::subject);
}

constexpr std::string_view kLineRate = "line rate";

bool is_answered(const Row& row) {
  return row.answer == Answer::passed || row.answer == Answer::failed;
}

/// A bandwidth that line rate or a policy asks for, or what was not measured again where that is no
/// mere note: that others have an answer is none to it.
bool is_demand(const Row& row) {
  if (row.subject == Subject::missing) return row.answer == Answer::open && row.missing > 0;
  return (row.subject == Subject::plateau || row.subject == Subject::size) &&
         (row.criterion == kLineRate || row.criterion.starts_with("policy "));
}

bool is_possible(const Row& row) {
  return row.answer == Answer::open && !row.excuse.empty() && row.subject != Subject::size;
}

bool is_failed_size(const Row& row) {
  return row.answer == Answer::failed && row.subject == Subject::size;
}

bool same_curve(const Row& one, const Row& other) {
  return one.criterion == other.criterion && one.setting == other.setting &&
         one.collective == other.collective && one.type == other.type && one.op == other.op &&
         one.buffers == other.buffers;
}

std::vector<std::string> curve_words(const Row& row) {
  std::vector<std::string> parts;
  for (const std::string& part : {row.collective, row.type, row.op, row.algorithm}) {
    if (!part.empty()) parts.push_back(part);
  }
  if (row.buffers != BufferMode::unstated) parts.emplace_back(word(row.buffers));
  if (!row.setting.empty()) parts.push_back(row.setting);
  return parts;
}

/// "all_reduce float sum ring in_place rails 0+1"
std::string curve_of(const Row& row) {
  return finding::joined(curve_words(row), " ");
}

Cause cause_of(const Row& row) {
  const bool small = row.subject == Subject::size && row.size_bytes.value_or(0) <= kSmallBytes;
  return row.cause.value_or(small ? Cause::latency : subject_words(row.subject).cause);
}

std::string slow_by(const Row& row) {
  return row.ratio ? "slow by " + finding::number(std::round(100 * (1 - *row.ratio)), 4) + " %"
                   : std::string("slow");
}

/// "bandwidth slow by 20 %"; of what has no words of its own the remark.
std::string what_of(const Row& row) {
  if (row.subject == Subject::plateau) return "bandwidth " + slow_by(row);
  if (row.subject == Subject::latency) return "latency " + slow_by(row);
  if (row.subject == Subject::size)
    return measure::format_size(row.size_bytes.value_or(0)) + " " + slow_by(row);
  return row.remark.empty() ? std::string(word(row.subject)) : row.remark;
}

/// Of NICs that differ the shares of line rate were compared, not the figures.
finding::Evidence evidence_of(const Row& row) {
  constexpr double kPercent = 100;
  finding::Evidence evidence{.unit = std::string(row.unit),
                             .observed = row.ours,
                             .expected = row.theirs,
                             .expected_from = row.criterion};
  evidence.metric = row.unit == "GB/s" ? "bandwidth"
                    : row.unit == "us" ? "time"
                                       : word(row.subject);
  if (row.unit == "GB/s" && row.ours_line_rate_fraction && row.theirs_line_rate_fraction) {
    evidence.unit = "% of line rate";
    evidence.observed = kPercent * *row.ours_line_rate_fraction;
    evidence.expected = kPercent * *row.theirs_line_rate_fraction;
  }
  if (row.subject == Subject::size && row.size_bytes)
    evidence.text = "at " + measure::format_size(*row.size_bytes);
  return evidence;
}

/// All failed sizes of the curve of one of them: "64K-1M slow by 20 %", by the worst.
finding::Finding finding_of_sizes(const Rows& rows, const Row& first) {
  std::vector<std::uint64_t> all;
  std::set<std::uint64_t> failed;
  const Row* worst = &first;
  for (const Row& row : rows) {
    if (row.subject != Subject::size || !row.size_bytes || !same_curve(row, first)) continue;
    all.push_back(*row.size_bytes);
    if (row.answer != Answer::failed) continue;
    failed.insert(*row.size_bytes);
    if (row.ratio.value_or(1) < worst->ratio.value_or(1)) worst = &row;
  }
  std::ranges::sort(all);
  finding::Finding found = finding_of(*worst);
  found.detail =
      curve_of(first) + ": " + measure::folded_sizes(failed, all) + " " + slow_by(*worst);
  found.evidence[0].against = failed.size();
  found.evidence[0].of = all.size();
  found.evidence[0].counted = "sizes";
  return found;
}

finding::Report findings_of(const Rows& rows) {
  finding::Report report;
  std::vector<const Row*> told;  // whose curve's sizes have a finding
  for (const Row& row : rows) {
    if (is_failed_size(row)) {
      const auto same = [&](const Row* other) { return same_curve(row, *other); };
      if (std::ranges::any_of(told, same)) continue;
      told.push_back(&row);
      report.findings.push_back(finding_of_sizes(rows, row));
    } else if (row.answer == Answer::failed || is_possible(row)) {
      report.findings.push_back(finding_of(row));
    }
  }
  return report;
}

void add_reason(std::vector<std::string>& reasons, const std::string& reason) {
  constexpr std::size_t kMost = 4;  // the rows have all
  const bool told = std::ranges::find(reasons, reason) != reasons.end();
  if (!reason.empty() && !told && reasons.size() < kMost) reasons.push_back(reason);
}

finding::Coverage coverage_of(const Rows& rows, const std::string& criterion) {
  finding::Coverage coverage{.check = criterion, .enough = 1};
  bool open_demand = false;
  for (const Row& row : rows) {
    if (row.criterion != criterion) continue;
    if (row.missing == 0 && row.answer == Answer::note) continue;
    coverage.planned += std::max<std::uint64_t>(1, row.missing);
    coverage.tested += is_answered(row) ? 1 : 0;
    if (is_answered(row)) continue;
    open_demand = open_demand || is_demand(row);
    add_reason(coverage.skipped, remark_of(row));
  }
  if (open_demand) coverage.enough = coverage.planned;
  return coverage;
}

struct Count {
  std::uint64_t of = 0;
  std::uint64_t answered = 0;
};

/// Sizes, or paths, of the other side that were not measured were not compared.
Count count_of(const Rows& rows, Subject subject) {
  const bool paths = std::ranges::count(rows, Subject::path, &Row::subject) > 0;
  Count count;
  for (const Row& row : rows) {
    if (subject == (paths ? Subject::path : Subject::size)) count.of += row.missing;
    if (row.subject != subject || row.answer == Answer::note) continue;
    ++count.of;
    count.answered += is_answered(row) ? 1 : 0;
  }
  return count;
}

/// "tail and counters": of what has no answer at all.
std::string open_text(const Rows& rows) {
  std::vector<std::string> parts;
  for (const SubjectWords& words : kSubjects) {
    const auto [of, answered] = count_of(rows, words.subject);
    if (of > 0 && answered == 0 && !words.one.empty())
      parts.emplace_back(of == 1 ? words.one : words.many);
  }
  return finding::listed(parts);
}

}  // namespace

void append(Rows& all, const Rows& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::string_view word(Answer answer) {
  switch (answer) {
    case Answer::passed: return word(finding::Outcome::pass);
    case Answer::failed: return word(finding::Outcome::fail);
    case Answer::open: return word(finding::Outcome::inconclusive);
    case Answer::note: break;
  }
  return "note";
}

std::string_view word(Subject subject) {
  return subject_words(subject).word;
}

std::vector<std::string> place_words(const Row& row) {
  std::vector<std::string> parts = curve_words(row);
  if (row.where != finding::Location{}) parts.push_back(in_words(row.where));
  return parts;
}

std::string remark_of(const Row& row) {
  return row.excuse.empty() ? row.remark : row.remark + ", but " + row.excuse;
}

finding::Finding finding_of(const Row& row) {
  finding::Finding found = finding::found(row.criterion, cause_of(row), row.where);
  found.severity = finding::Severity::error;
  if (is_possible(row)) {
    found.certainty = finding::Certainty::possible;
    found.excuses = {row.excuse};
  }
  const std::string curve = curve_of(row);
  found.detail = curve.empty() ? what_of(row) : curve + ": " + what_of(row);
  found.evidence = {evidence_of(row)};
  if (row.where == finding::Location{}) found.remedy = kLocate;
  return found;
}

finding::Report report_of(const Rows& rows) {
  finding::Report report = findings_of(rows);
  std::set<std::string> criteria;
  for (const Row& row : rows) {
    if (row.answer != Answer::note && criteria.insert(row.criterion).second)
      report.coverage.push_back(coverage_of(rows, row.criterion));
  }
  return report;
}

std::string compared_text(const Rows& rows) {
  std::vector<std::string> parts;
  for (const SubjectWords& words : kSubjects) {
    const auto [of, answered] = count_of(rows, words.subject);
    if (answered == 0 || words.one.empty()) continue;
    const std::string share =
        std::to_string(answered) + (answered < of ? " of " + std::to_string(of) : "");
    parts.push_back(of == 1 ? std::string(words.one) : share + " " + std::string(words.many));
  }
  return finding::listed(parts);
}

std::string told_of(const Rows& rows) {
  std::vector<std::string> parts;
  if (const std::string compared = compared_text(rows); !compared.empty()) {
    const std::string open = open_text(rows);
    parts.push_back(compared + " compared" + (open.empty() ? "" : ", " + open + " not compared"));
  }
  for (const Row& row : rows) {
    const bool told = std::ranges::find(parts, row.remark) != parts.end();
    if (row.limits && !told) parts.push_back(row.remark);
  }
  return finding::joined(parts, "; ");
}

}  // namespace railgauge::verdict
