#include "pairs/judgement.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "pairs/findings.hpp"

namespace railgauge::pairs {
namespace {

using normal::Cohorts;
using normal::Deviation;
using results::PairFigures;
using results::PairRow;
using results::PairVerdict;

PairVerdict verdict_of(Deviation deviation) {
  if (deviation == Deviation::none) return PairVerdict::pass;
  return deviation == Deviation::real ? PairVerdict::fail : PairVerdict::unknown;
}

const char* why_not_evaluated(const PairRow& row, const Scale& scale) {
  if (lacks_answers(row)) return kOtherDirectionDead;
  return scale.is_above_line(row) ? kSpeedUnknown : kNothingToCompare;
}

std::string remark_of(const PairRow& row, const Scale& scale, Deviation deviation) {
  if (scale.may_fail(row)) return "not required across rails";
  if (deviation == Deviation::none) return "";
  if (deviation == Deviation::unknown)
    return std::string("not evaluated: ") + why_not_evaluated(row, scale);
  std::string text = in_words(scale.evidence(row));
  if (deviation != Deviation::real) text += "; but " + scale.excuse(row);
  return text;
}

void set_verdict(PairRow& row, const Scale& scale) {
  const Deviation deviation = scale.deviation(row);
  row.verdict = verdict_of(deviation);
  row.remark = remark_of(row, scale, deviation);
  row.limit = scale.limit(row, scale.cohorts().expected(sample_of(row)).text);
}

/// That of its first row, whose cohort need not be that of all.
void set_limit(results::PairsSummary& kind, const std::vector<PairRow>& rows, const Scale& scale) {
  const auto first = std::ranges::find_if(rows, [&](const PairRow& row) {
    return row.mode == kind.mode && row.same_rail == kind.same_rail && !row.limit.empty();
  });
  if (first != rows.end()) kind.limit = scale.limit(*first, "median");
}

/// What nothing can be compared with was not tested.
finding::Coverage coverage_of(const std::vector<PairRow>& rows, const Scale& scale) {
  finding::Coverage coverage{.check = "pairs", .planned = rows.size(), .tested = rows.size()};
  std::set<std::string> reasons;
  for (const PairRow& row : rows) {
    if (scale.deviation(row) != Deviation::unknown) continue;
    --coverage.tested;
    reasons.insert(why_not_evaluated(row, scale));
  }
  coverage.skipped.assign(reasons.begin(), reasons.end());
  return coverage;
}

/// Their median, and the slowest, in the unit of their mode. The slowest is of the figures that
/// count; the median is what these are held to.
template <class Summary>
void set_figures(Summary& summary, const std::string& mode, const normal::Speeds& held_to,
                 double slowest) {
  if (held_to.sorted.empty()) return;
  if (is_bandwidth(mode)) {
    summary.median_gigabytes_per_second = held_to.median;
    summary.slowest_gigabytes_per_second = slowest;
  } else if (slowest > 0) {
    summary.median_us = 1 / held_to.median;
    summary.slowest_us = 1 / slowest;
  }
}

/// Of these, and how many they are.
struct Tally {
  void add(const PairRow& row) {
    ++measured;
    finished += row.figures.reason.empty() ? 1 : 0;
    failed += row.verdict == PairVerdict::fail ? 1 : 0;
    unknown += row.verdict == PairVerdict::unknown ? 1 : 0;
    if (!row.figures.reason.empty()) return;
    slowest = finished == 1 ? speed_of(row) : std::min(slowest, speed_of(row));
  }

  std::uint64_t measured = 0;
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
  std::uint64_t unknown = 0;
  double slowest = 0;
};

/// Of each number of switches that enough paths have to be compared with each other.
std::vector<results::PairsOverSwitches> by_switches(const Cohorts::Kind& kind,
                                                    const std::vector<PairRow>& rows,
                                                    const Cohorts& cohorts) {
  const auto& [mode, same_rail] = kind;
  std::map<int, std::pair<Tally, const normal::Speeds*>> groups;
  for (const PairRow& row : rows) {
    if (row.mode != mode || row.same_rail != same_rail) continue;
    const auto switches = cohorts.switches_of(sample_of(row));
    if (!switches) continue;
    auto& [tally, speeds] = groups[*switches];
    tally.add(row);
    speeds = &cohorts.of(sample_of(row));
  }
  std::vector<results::PairsOverSwitches> all;
  for (const auto& [switches, group] : groups) {
    all.push_back({.switches = switches, .measured = group.first.measured});
    set_figures(all.back(), mode, *group.second, group.first.slowest);
  }
  return all;
}

results::PairsSummary summary_of(const Cohorts::Kind& kind, const std::vector<PairRow>& rows,
                                 const Cohorts& cohorts) {
  const auto& [mode, same_rail] = kind;
  Tally tally;
  for (const PairRow& row : rows) {
    if (row.mode == mode && row.same_rail == same_rail) tally.add(row);
  }
  results::PairsSummary summary{.mode = mode,
                                .same_rail = same_rail,
                                .measured = tally.measured,
                                .finished = tally.finished,
                                .failed = tally.failed,
                                .unknown = tally.unknown};
  set_figures(summary, mode, cohorts.kinds().at(kind), tally.slowest);
  summary.by_switches = by_switches(kind, rows, cohorts);
  return summary;
}

/// Of each kind: how many there are, the median that they are held to, and the slowest.
std::vector<results::PairsSummary> summaries_of(const std::vector<PairRow>& rows,
                                                const Cohorts& cohorts) {
  std::vector<results::PairsSummary> all;
  for (const auto& [kind, speeds] : cohorts.kinds()) all.push_back(summary_of(kind, rows, cohorts));
  return all;
}

}  // namespace

std::string name_of(const results::Endpoint& end) {
  return end.host + " rail " + std::to_string(end.rail) +
         (end.plane > 0 ? " plane " + std::to_string(end.plane) : "") + " (" + end.device + ", " +
         end.address + ")";
}

std::vector<std::size_t> suspects(const std::vector<PairRow>& rows, const Limits& limits) {
  const Scale scale(rows, limits);
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const bool failed = !rows[at].figures.reason.empty();
    if (failed ? !scale.may_fail(rows[at]) : scale.missed(rows[at]).has_value())
      found.push_back(at);
  }
  std::ranges::stable_sort(found, {}, [&](std::size_t at) { return scale.share(rows[at]); });
  return found;
}

void add_attempt(PairRow& row, PairFigures figures, bool alone) {
  figures.alone = alone;
  if (speed_of(figures) >= speed_of(row.figures)) std::swap(row.figures, figures);
  row.earlier.push_back(std::move(figures));
  row.alone = row.alone || alone;
}

void set_repetitions(PairRow& row, std::vector<PairFigures> repetitions) {
  const auto speed = [](const PairFigures& one) { return speed_of(one); };
  if (repetitions.size() > 1) {
    for (const PairFigures& one : repetitions) {
      const double of_one = speed(one);
      row.repetitions.push_back(is_bandwidth(row.mode) || of_one == 0 ? of_one : 1 / of_one);
    }
  }
  std::ranges::stable_sort(repetitions, {}, speed);
  row.figures = std::move(repetitions[(repetitions.size() - 1) / 2]);
}

finding::Report judge(results::PairsBody& body, const Limits& limits) {
  const Scale scale(body.rows, limits);
  for (PairRow& row : body.rows) set_verdict(row, scale);
  body.summary = summaries_of(body.rows, scale.cohorts());
  for (results::PairsSummary& kind : body.summary) set_limit(kind, body.rows, scale);
  return {.findings = findings_of(body.rows, scale, body.summary),
          .coverage = {coverage_of(body.rows, scale)}};
}

}  // namespace railgauge::pairs
