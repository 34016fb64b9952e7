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

/// GB/s of the slower of its two links, as far as its bandwidth tells; 0: it does not.
double link_of(const PairRow& row) {
  constexpr double kPercent = 100;
  const PairFigures& figures = in_company(row);
  const auto& percent = figures.line_rate_percent;
  if (!figures.gigabytes_per_second || percent.value_or(0) <= 0) return 0;
  return kPercent * *figures.gigabytes_per_second / *percent;
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
  for (const PairRow& row : rows) {
    double& fastest = fastest_links_[{row.mode, row.same_rail}];
    fastest = std::max(fastest, link_of(row));
  }
  std::map<Kind, std::optional<int>> switches;  // of the first
  for (const PairRow& row : rows) {
    const Kind name{row.mode, row.same_rail};
    const auto [first, is_new] = switches.emplace(name, row.switches);
    Speeds& kind = kinds_[name];
    const bool alike = is_known(row.switches) && row.switches == first->second;
    kind.of_fast = is_bandwidth(row) || (alike && (is_new || kind.of_fast));
    const PairFigures& figures = in_company(row);
    if (!figures.reason.empty()) continue;
    const double speed = link_scale(row) * speed_of(figures);
    kind.sorted.push_back(speed);
    if (!row.switches) continue;
    Speeds& like = over_switches_[{row.mode, row.same_rail, *row.switches}];
    like.of_fast = is_bandwidth(row) || is_known(row.switches);
    like.sorted.push_back(speed);
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

double Medians::median_for(const PairRow& row) const {
  const Speeds& like = of(row);
  return like.sorted.empty() ? 0 : like.median() / link_scale(row);
}

/// How many times as fast as the row's the fastest link of its kind is; 1 if that is not known.
double Medians::link_scale(const PairRow& row) const {
  constexpr double kSame = 1.01;  // links are known by figures that were rounded
  const double link = link_of(row);
  const double fastest = fastest_links_.at({row.mode, row.same_rail});
  return link > 0 && fastest > kSame * link ? fastest / link : 1;
}

std::optional<int> Medians::switches_of(const PairRow& row) const {
  return &of(row) == &kinds_.at({row.mode, row.same_rail}) ? std::nullopt : row.switches;
}

}  // namespace railgauge::pairs
