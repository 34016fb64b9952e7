#include <algorithm>
#include <map>

#include "finding/words.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using doctor::CheckSummary;
using doctor::Verdict;

constexpr std::size_t kMostColumns = 12;

std::string class_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "good";
    case Verdict::fail: return "bad";
    case Verdict::warn:
    case Verdict::unknown: return "warn";
    case Verdict::skip: break;
  }
  return "none";
}

Cell cell_of(Verdict verdict) {
  return {word(verdict), class_of(verdict)};
}

/// A check that does not say the same of all hosts.
struct Column {
  const CheckSummary* check = nullptr;
  std::vector<Verdict> verdicts{};  ///< [host]
};

/// The worst first.
std::vector<Column> columns_of(const doctor::Document& examination) {
  std::vector<Column> columns;
  for (const CheckSummary& check : examination.checks) {
    auto verdicts = verdicts_of(check, examination.hosts.size());
    const bool differ =
        std::ranges::adjacent_find(verdicts, std::ranges::not_equal_to()) != verdicts.end();
    if (differ) columns.push_back({&check, std::move(verdicts)});
  }
  std::ranges::stable_sort(columns, std::greater(),
                           [](const Column& one) { return std::ranges::max(one.verdicts); });
  return columns;
}

/// Hosts of which all checks say the same.
struct Alike {
  std::vector<Verdict> verdicts{};  ///< [column]
  std::vector<std::string> hosts{};
};

/// The worst first; of equally bad ones the fewest.
std::vector<Alike> alike_in(const doctor::Document& examination,
                            const std::vector<Column>& columns) {
  std::map<std::vector<Verdict>, std::vector<std::string>> hosts;
  for (std::size_t host = 0; host < examination.hosts.size(); ++host) {
    std::vector<Verdict> verdicts;
    verdicts.reserve(columns.size());
    for (const Column& column : columns) verdicts.push_back(column.verdicts[host]);
    hosts[std::move(verdicts)].push_back(examination.hosts[host]);
  }
  std::vector<Alike> all;
  all.reserve(hosts.size());
  for (auto& [verdicts, names] : hosts) all.push_back({verdicts, std::move(names)});
  std::ranges::stable_sort(all, [](const Alike& one, const Alike& other) {
    const auto worst = std::ranges::max(one.verdicts);
    const auto worst_of_other = std::ranges::max(other.verdicts);
    return worst != worst_of_other ? worst > worst_of_other : one.hosts.size() < other.hosts.size();
  });
  return all;
}

std::string matrix(const doctor::Document& examination) {
  std::vector<Column> columns = columns_of(examination);
  if (columns.empty()) return "";
  const std::size_t all = columns.size();
  columns.resize(std::min(all, kMostColumns));
  std::vector<std::string> head{"hosts", "number"};
  for (const Column& column : columns) head.push_back(column.check->name);
  const auto rows = rows_of(alike_in(examination, columns), [](const Alike& one) {
    Row row{listed(one.hosts), one.hosts.size()};
    for (const Verdict verdict : one.verdicts) row.push_back(cell_of(verdict));
    return row;
  });
  return ranked_table(head, rows, "kinds of hosts") + left_out(all - columns.size(), "checks");
}

Row row_of(const CheckSummary& check, const doctor::Remark& remark) {
  const std::string waived = check.waived.empty() ? "" : " (waived: " + check.waived + ")";
  return {cell_of(remark.verdict), check.name, check.expects, remark.where(), remark.text + waived};
}

std::string table_of_checks(const std::vector<Row>& rows) {
  return rows.empty() ? "" : table({"verdict", "check", "expects", "where", "observed"}, rows);
}

/// What nobody knows is no success: it is not folded up.
std::string unknown(const doctor::Document& examination) {
  std::vector<Row> rows;
  for (const CheckSummary& check : examination.checks) {
    for (const doctor::Remark& remark : check.remarks) {
      if (remark.verdict == Verdict::unknown) rows.push_back(row_of(check, remark));
    }
  }
  return table_of_checks(rows);
}

/// A line for each remark; a check without one passed everywhere.
std::string all_checks(const doctor::Document& examination) {
  std::vector<Row> rows;
  for (const CheckSummary& check : examination.checks) {
    if (check.remarks.empty())
      rows.push_back({cell_of(check.verdict), check.name, check.expects, "", ""});
    for (const doctor::Remark& remark : check.remarks) rows.push_back(row_of(check, remark));
  }
  return rows.empty() ? "" : folded("All checks", table_of_checks(rows));
}

}  // namespace

std::string examination_part(const doctor::Document& examination) {
  return section("Hosts that differ", matrix(examination)) +
         section("Unknown", unknown(examination)) + section("Checks", all_checks(examination));
}

}  // namespace railgauge::report
