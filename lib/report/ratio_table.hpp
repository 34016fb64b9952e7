#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/rank.hpp"

namespace railgauge::report {

/// A line of ratios, each of which is 1 where all is as it should be, and more where it is slow;
/// empty where there is none.
struct RatioRow {
  std::string name{};  // "rank 3", "host17"
  std::vector<std::optional<double>> ratios{};
  std::string worst{};  // who has the highest of them, if the row stands for several
};

struct RatioTable {
  std::string corner{};
  std::vector<std::string> columns{};
  std::vector<RatioRow> rows{};
};

/// The same with a row for each host: of its ranks, the highest ratio of every column. Row i of
/// `ranks_table` is rank i.
RatioTable by_host(const RatioTable& ranks_table, const std::vector<results::Rank>& ranks);

/// Shaded by heat(). Sorts rows if there are more than fit on a screen, those first that are slow
/// in most columns. `all`: fold up those that are not shown, instead of only counting them.
std::string html_of(RatioTable ratios, const std::string& what, bool all);

}  // namespace railgauge::report
