#include "pairs/speed.hpp"

#include <algorithm>
#include <iterator>

namespace railgauge::pairs {
namespace {

using results::PairFigures;
using results::PairRow;

/// As a pair was measured together with others, if it was: whichever attempt is the best, the
/// first.
const PairFigures& in_company(const PairRow& row) {
  const auto found = std::ranges::find(row.earlier, false, &PairFigures::alone);
  return found == row.earlier.end() ? row.figures : *found;
}

/// GB/s of the slower of its two links, as far as its bandwidth tells; 0: it does not.
double link_of(const PairFigures& figures) {
  constexpr double kWhole = 100;
  const auto& percent = figures.line_rate_percent;
  if (!figures.gigabytes_per_second || percent.value_or(0) <= 0) return 0;
  return kWhole * *figures.gigabytes_per_second / *percent;
}

}  // namespace

double speed_of(const PairFigures& figures) {
  if (!figures.reason.empty()) return 0;
  if (figures.gigabytes_per_second) return *figures.gigabytes_per_second;
  return figures.time && figures.time->p50_us > 0 ? 1 / figures.time->p50_us : 0;
}

double speed_of(const PairRow& row) {
  return speed_of(row.figures);
}

bool lacks_answers(const PairRow& row) {
  const auto is_lost = [](const PairFigures& one) { return !one.arrives.value_or(true); };
  return !row.figures.reason.empty() && row.figures.arrives.value_or(false) &&
         std::ranges::none_of(row.earlier, is_lost);
}

bool is_connect(const std::string& mode) {
  return mode == "connect";
}

bool is_bandwidth(const std::string& mode) {
  return mode == "bandwidth" || is_connect(mode);
}

normal::Sample sample_of(const PairRow& row) {
  const PairFigures& figures = in_company(row);
  return {.metric = row.mode,
          .same_rail = row.same_rail,
          .switches = row.switches,
          .speed = speed_of(figures),
          .link = link_of(figures),
          .adds_up = !is_bandwidth(row.mode)};
}

normal::Cohorts cohorts_of(const std::vector<PairRow>& rows) {
  std::vector<normal::Sample> samples;
  samples.reserve(rows.size());
  std::ranges::transform(rows, std::back_inserter(samples), sample_of);
  return normal::Cohorts(samples);
}

}  // namespace railgauge::pairs
