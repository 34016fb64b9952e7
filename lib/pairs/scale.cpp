#include "pairs/scale.hpp"

#include "finding/words.hpp"
#include "measure/cpu_share.hpp"

namespace railgauge::pairs {
namespace {

using finding::Evidence;
using normal::Attempt;
using normal::Deviation;
using normal::Expectation;
using results::PairFigures;
using results::PairRow;

constexpr double kPercent = 100;

/// GB/s, or microseconds.
std::optional<double> figure_of(const PairRow& row, double speed) {
  if (speed <= 0) return std::nullopt;
  return is_bandwidth(row.mode) ? speed : 1 / speed;
}

double running_share(const PairFigures& attempt) {
  return measure::share_beside_stall(attempt.cpu_share, attempt.descheduled_ms, attempt.seconds);
}

/// The bandwidth that it would have had with a CPU all the time.
PairRow undisturbed(const PairRow& row, const PairFigures& attempt) {
  PairRow made = row;
  made.figures = attempt;
  for (auto* rate : {&made.figures.gigabytes_per_second, &made.figures.line_rate_percent}) {
    if (*rate) **rate = measure::rate_at_full_share(**rate, running_share(attempt));
  }
  return made;
}

/// The attempts at a row, the one that counts first.
template <class Each>
void for_attempts(const PairRow& row, Each each) {
  each(row.figures);
  for (const PairFigures& one : row.earlier) each(one);
}

}  // namespace

Scale::Scale(const std::vector<PairRow>& rows, const Limits& limits)
    : limits_(limits), cohorts_(cohorts_of(rows)) {
  for (const PairRow& row : rows) {
    if (is_above_line(row)) of_unknown_speed_.insert({row.from, row.to});
  }
}

bool Scale::is_above_line(const PairRow& row) const {
  constexpr double kMostPercent = 102;  // some of it is rounding
  return limits_.holds_line_rate && !is_connect(row.mode) &&
         row.figures.line_rate_percent.value_or(0) > kMostPercent;
}

std::optional<Expectation> Scale::missed(const PairRow& row) const {
  const auto& percent = row.figures.line_rate_percent;
  const double speed = speed_of(row);
  if (holds_line_rate(row) && *percent < limits_.line_rate_percent) {
    return normal::of_line_rate(*percent > 0 ? kPercent * speed / *percent : 0,
                                limits_.line_rate_percent / kPercent);
  }
  if (!has_cohort(row)) return std::nullopt;
  const Expectation expected = cohorts_.expected(sample_of(row));
  const bool slow = compare(speed, 1, expected, least_share(row.mode)) == Deviation::real;
  return slow ? std::optional(expected) : std::nullopt;
}

/// A latency may be as much longer as a bandwidth may be lower.
std::string Scale::limit(const PairRow& row, const std::string& median) const {
  std::vector<std::string> parts;
  if (holds_line_rate(row))
    parts.push_back(finding::number(limits_.line_rate_percent, "%") + " of line rate");
  if (has_cohort(row)) {
    const double share = least_share(row.mode);
    parts.push_back(finding::number(kPercent * (is_bandwidth(row.mode) ? share : 1 / share), "%") +
                    " of the " + median);
  }
  return finding::joined(parts);
}

bool Scale::may_fail(const PairRow& row) const {
  return limits_.cross_rail_may_fail && !row.same_rail && !row.figures.reason.empty();
}

bool Scale::holds_line_rate(const PairRow& row) const {
  return limits_.holds_line_rate && row.figures.line_rate_percent && !is_connect(row.mode) &&
         !of_unknown_speed_.contains(row.from) && !of_unknown_speed_.contains(row.to);
}

/// What is no more than half as fast is slow, compared with a single other one, too.
bool Scale::has_cohort(const PairRow& row) const {
  const std::size_t least = is_connect(row.mode) ? 2 : normal::kLeastOfCohort;
  return cohorts_.of(sample_of(row)).sorted.size() >= least;
}

/// That a pair works is what mode connect asks.
bool Scale::is_comparable(const PairRow& row) const {
  return is_connect(row.mode) || holds_line_rate(row) || has_cohort(row);
}

/// How long a stall was says whether it explains a rate; a failure or a latency it may explain
/// anyway.
Attempt Scale::attempt(const PairFigures& figures, const PairRow& row) const {
  const double share = running_share(figures);
  const bool has_rate = figures.reason.empty() && figures.gigabytes_per_second.has_value();
  const bool is_known = has_rate && figures.descheduled_ms > 0;
  const bool explained =
      has_rate && !measure::had_full_share(share) && !missed(undisturbed(row, figures));
  return {.failed = !figures.reason.empty(),
          .alone = figures.alone,
          .descheduled = !figures.descheduled.empty() && !is_known,
          .explained = explained,
          .cpu_share = share};
}

Deviation Scale::deviation(const PairRow& row) const {
  if (may_fail(row)) return Deviation::none;
  if (lacks_answers(row)) return Deviation::unknown;
  if (row.figures.reason.empty() && !missed(row))
    return is_comparable(row) && !is_above_line(row) ? Deviation::none : Deviation::unknown;
  std::vector<Attempt> attempts;
  for_attempts(row, [&](const PairFigures& one) { attempts.push_back(attempt(one, row)); });
  return deviation_of(attempts, row.alone);
}

std::string Scale::excuse(const PairRow& row) const {
  std::string text = "not retested";
  for_attempts(row, [&](const PairFigures& one) {
    if (!one.alone && row.figures.reason.empty()) return;
    const Attempt it = attempt(one, row);
    if (!it.descheduled && !it.explained) return;
    text = one.descheduled.empty() ? measure::cpu_share_text(one.cpu_share) : one.descheduled;
  });
  return text;
}

Evidence Scale::evidence(const PairRow& row) const {
  const PairFigures& figures = row.figures;
  if (!figures.reason.empty()) return {.text = figures.reason};
  Evidence evidence{.metric = is_bandwidth(row.mode) ? "bandwidth" : row.mode + " latency",
                    .unit = is_bandwidth(row.mode) ? "GB/s" : "us",
                    .observed = figure_of(row, speed_of(row))};
  if (const auto expected = missed(row)) {
    evidence.expected = figure_of(row, expected->value);
    evidence.expected_from = expected->text;
  }
  return evidence;
}

double Scale::share(const PairRow& row) const {
  const double median = cohorts_.median_for(sample_of(row));
  return median > 0 ? speed_of(row) / median : 0;
}

}  // namespace railgauge::pairs
