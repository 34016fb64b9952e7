#include "report/row_group.hpp"

#include <algorithm>

#include "report/label.hpp"
#include "results/fields.hpp"
#include "verdict/setting.hpp"

namespace railgauge::report {
namespace {

std::string op_of(const Json& row) {
  const std::string op = verdict::text_or_none(row, "op");
  return op.empty() || op == "none" ? "" : " " + op;
}

std::string title_of(const Json& row, const std::string& placement,
                     const std::vector<verdict::Setting>& settings) {
  const int cycle = verdict::maybe<int>(row, "cycle").value_or(0);
  return joined({verdict::text_or_none(row, "algorithm"),
                 verdict::wanted<std::string>(row, "type") + op_of(row),
                 in_words(verdict::setting_of(row), settings), plain(placement),
                 cycle > 0 ? "cycle " + std::to_string(cycle) : ""});
}

void add(std::vector<RowGroup>& groups, const std::string& title, const Measured& measured) {
  const auto same = std::ranges::find(groups, title, &RowGroup::title);
  if (same == groups.end()) {
    groups.push_back({title, {measured}});
  } else {
    same->sizes.push_back(measured);
  }
}

}  // namespace

std::vector<RowGroup> row_groups_of(const Json& document) {
  const Json& rows = verdict::list(document, "rows");
  std::vector<verdict::Setting> settings;
  for (const Json& row : rows) settings.push_back(verdict::setting_of(row));
  std::ranges::sort(settings);
  settings.erase(std::unique(settings.begin(), settings.end()), settings.end());
  std::vector<RowGroup> groups;
  for (const Json& row : rows) {
    for (const char* placement : {"out_of_place", "in_place"}) {
      const auto found = row.find(placement);
      if (found == row.end() || found->is_null()) continue;
      const auto size = verdict::wanted<std::uint64_t>(row, "size_bytes");
      add(groups, title_of(row, placement, settings), {size, &row, &*found});
    }
  }
  return groups;
}

}  // namespace railgauge::report
