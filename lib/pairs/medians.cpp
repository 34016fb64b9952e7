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

/// Not how many, on one subnet: its switches only bridge, and do not answer.
bool is_known(std::optional<int> switches) {
  return switches.value_or(0) > 0;
}

bool is_bandwidth(const PairRow& row) {
  return row.mode == "bandwidth";
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

double Speeds::median() const {
  const double fast = kFastShare * sorted[(sorted.size() - 1) * 9 / 10];
  const auto begin = of_fast ? std::ranges::lower_bound(sorted, fast) : sorted.begin();
  return begin[(sorted.end() - begin) / 2];
}

double speed_of(const PairRow& row) {
  return speed_of(row.figures);
}

Medians::Medians(const std::vector<PairRow>& rows) {
  std::map<Kind, std::optional<int>> switches;  // of the first
  for (const PairRow& row : rows) {
    const Kind name{row.mode, row.same_rail};
    const auto [first, is_new] = switches.emplace(name, row.switches);
    Speeds& kind = kinds_[name];
    const bool alike = is_known(row.switches) && row.switches == first->second;
    kind.of_fast = is_bandwidth(row) || (alike && (is_new || kind.of_fast));
    const PairFigures& figures = in_company(row);
    if (!figures.reason.empty()) continue;
    kind.sorted.push_back(speed_of(figures));
    if (!row.switches) continue;
    Speeds& like = over_switches_[{row.mode, row.same_rail, *row.switches}];
    like.of_fast = is_bandwidth(row) || is_known(row.switches);
    like.sorted.push_back(speed_of(figures));
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
