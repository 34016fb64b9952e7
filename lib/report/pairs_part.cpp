#include "pairs/judgement.hpp"
#include "pairs/map.hpp"
#include "reachability/heat_map.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::PairRow;
using results::PairsBody;
using results::PairsSummary;
using results::PairVerdict;

constexpr std::size_t kMostInPicture = 32;  // NICs, or hosts: a page of all modes is below 1 MB

Cell figure(const std::optional<double>& value) {
  return {value ? number_text(*value) : "", ""};
}

/// Of ways over one number of switches.
std::vector<Cell> line(const PairsSummary& kind, const results::PairsOverSwitches& ways) {
  return {{kind.mode, ""},
          {(kind.same_rail ? "same rail over " : "different rails over ") +
               std::to_string(ways.switches) + (ways.switches == 1 ? " switch" : " switches"),
           ""},
          {std::to_string(ways.measured), ""},
          {"", ""},
          {"", ""},
          {"", ""},
          figure(ways.median_gigabytes_per_second),
          figure(ways.slowest_gigabytes_per_second),
          figure(ways.median_us),
          figure(ways.slowest_us)};
}

std::string kinds_of(const PairsBody& body) {
  std::vector<std::vector<Cell>> rows;
  for (const PairsSummary& kind : body.summary) {
    rows.push_back({{kind.mode, ""},
                    {kind.same_rail ? "same rail" : "different rails", ""},
                    {std::to_string(kind.measured), ""},
                    {std::to_string(kind.finished), kind.finished == kind.measured ? "" : "bad"},
                    {std::to_string(kind.failed), kind.failed > 0 ? "bad" : ""},
                    {std::to_string(kind.unknown), kind.unknown > 0 ? "warn" : ""},
                    figure(kind.median_gigabytes_per_second),
                    figure(kind.slowest_gigabytes_per_second),
                    figure(kind.median_us),
                    figure(kind.slowest_us)});
    if (kind.by_switches.size() < 2) continue;  // one number is all of them
    for (const auto& ways : kind.by_switches) rows.push_back(line(kind, ways));
  }
  return table({"mode", "pairs", "measured", "work", "failed", "unknown", "median, GB/s",
                "slowest, GB/s", "median, µs", "slowest, µs"},
               rows);
}

/// A picture of few NICs, else of hosts.
std::string maps_of(const PairsBody& body) {
  std::string text =
      "<p>Rows send, columns receive; green is the median of fast ways like it. Of more than " +
      std::to_string(kMostInPicture) +
      " NICs two hosts are shown by their worst way, and of more hosts those with the worst "
      "ways.</p>\n";
  for (const std::string& mode : pairs::modes_of(body.rows)) {
    const auto map = pairs::map_of(body.rows, mode, kMostInPicture);
    text += element("h3", escaped(mode)) + "\n" + reachability::picture(*map);
  }
  return text;
}

std::string style_of(PairVerdict verdict) {
  if (verdict == PairVerdict::pass) return "good";
  return verdict == PairVerdict::fail ? "bad" : "warn";
}

std::vector<Cell> line(const PairRow& row) {
  const auto& figures = row.figures;
  const auto time = [&](double measure::Summary::*which) {
    return Cell{figures.time ? number_text((*figures.time).*which) : "", ""};
  };
  const std::string lost =
      figures.retransmissions ? std::to_string(*figures.retransmissions) : "not known";
  return {{pairs::name_of(row.from), ""},
          {pairs::name_of(row.to), ""},
          {row.mode, ""},
          {std::string(results::word(row.verdict)), style_of(row.verdict)},
          figure(figures.gigabytes_per_second),
          figure(figures.line_rate_percent),
          time(&measure::Summary::p50_us),
          time(&measure::Summary::p99_us),
          time(&measure::Summary::p999_us),
          time(&measure::Summary::max_us),
          {lost, ""},
          {results::path_text(row), ""},
          {row.earlier.empty() ? "" : std::to_string(row.earlier.size()) + " earlier", ""},
          {row.remark, ""}};
}

std::string worst_of(const PairsBody& body) {
  std::vector<std::vector<Cell>> rows;
  for (const PairRow* row : pairs::worst_of(body.rows, kMostFolded)) rows.push_back(line(*row));
  return "<p>Ways, worst first</p>\n" +
         ranked_table({"from", "to", "mode", "verdict", "GB/s", "% of line", "p50, µs", "p99, µs",
                       "p99.9, µs", "max, µs", "retransmissions", "path", "attempts", "remark"},
                      rows, "ways") +
         left_out(body.rows.size() - rows.size(), "ways");
}

}  // namespace

std::string pairs_part(const PairsBody& body) {
  if (body.rows.empty()) return "";
  return section("Pairs", kinds_of(body) + maps_of(body) + worst_of(body));
}

}  // namespace railgauge::report
