#include "pairs/medians.hpp"

#include <algorithm>

namespace railgauge::pairs {
namespace {

using results::PairFigures;
using results::PairRow;

/// As a way was measured together with others, if it was: whichever attempt is the best, the first.
const PairFigures& in_company(const PairRow& row) {
  const auto found = std::ranges::find(row.earlier, false, &PairFigures::alone);
  return found == row.earlier.end() ? row.figures : *found;
}

void sort(auto& groups) {
  for (auto& [name, speeds] : groups) std::ranges::sort(speeds.sorted);
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

Medians::Medians(const std::vector<PairRow>& rows) {
  for (const PairRow& row : rows) {
    Speeds& kind = kinds_[{row.mode, row.same_rail}];
    const PairFigures& figures = in_company(row);
    if (!figures.reason.empty()) continue;
    kind.sorted.push_back(speed_of(figures));
    if (row.switches)
      over_switches_[{row.mode, row.same_rail, *row.switches}].sorted.push_back(speed_of(figures));
  }
  sort(kinds_);
  sort(over_switches_);
}

const Speeds& Medians::of(const PairRow& row) const {
  if (row.switches) {
    const auto found = over_switches_.find({row.mode, row.same_rail, *row.switches});
    if (found != over_switches_.end() && found->second.comparable()) return found->second;
  }
  return kinds_.at({row.mode, row.same_rail});
}

std::optional<int> Medians::switches_of(const PairRow& row) const {
  return &of(row) == &kinds_.at({row.mode, row.same_rail}) ? std::nullopt : row.switches;
}

}  // namespace railgauge::pairs
