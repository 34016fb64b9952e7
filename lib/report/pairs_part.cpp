#include "finding/words.hpp"
#include "pairs/heat_map.hpp"
#include "pairs/judgement.hpp"
#include "pairs/map.hpp"
#include "pairs/shared_paths.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::PairRow;
using results::PairsBody;
using results::PairsSummary;
using results::PairVerdict;

constexpr std::size_t kMostInPicture = 32;  // NICs, or hosts: a page of all modes is below 1 MB

/// Of paths over one number of switches.
Row line(const PairsSummary& kind, const results::PairsOverSwitches& ways) {
  return {kind.mode,
          (kind.same_rail ? "same rail over " : "different rails over ") +
              std::to_string(ways.switches) + (ways.switches == 1 ? " switch" : " switches"),
          ways.measured,
          "",
          "",
          "",
          ways.median_gigabytes_per_second,
          ways.slowest_gigabytes_per_second,
          ways.median_us,
          ways.slowest_us};
}

std::string kinds_of(const PairsBody& body) {
  std::vector<Row> rows;
  for (const PairsSummary& kind : body.summary) {
    rows.push_back({kind.mode,
                    kind.same_rail ? "same rail" : "different rails",
                    kind.measured,
                    {kind.finished, kind.finished == kind.measured ? "" : "bad"},
                    {kind.failed, kind.failed > 0 ? "bad" : ""},
                    {kind.unknown, kind.unknown > 0 ? "warn" : ""},
                    kind.median_gigabytes_per_second,
                    kind.slowest_gigabytes_per_second,
                    kind.median_us,
                    kind.slowest_us});
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
      "<p>Rows send, columns receive; blue is the median of comparable fast paths. Of more than " +
      std::to_string(kMostInPicture) +
      " NICs each pair of hosts is shown by its worst path, and of more hosts those with the worst "
      "paths.</p>\n";
  for (const std::string& mode : pairs::modes_of(body.rows)) {
    const auto map = pairs::map_of(body.rows, mode, kMostInPicture);
    text += element("h3", escaped(mode)) + "\n" + pairs::picture(*map);
  }
  return text;
}

std::string verdict_style(PairVerdict verdict) {
  if (verdict == PairVerdict::pass) return "good";
  return verdict == PairVerdict::fail ? "bad" : "warn";
}

std::string path_of(const PairRow& row) {
  const std::string shared = pairs::shared_path_text(row.paths);
  return results::path_text(row.paths) + (shared.empty() ? "" : "; " + shared);
}

Row line(const PairRow& row) {
  const auto& figures = row.figures;
  const auto time = [&](double measure::Summary::*which) {
    return figures.time ? Cell((*figures.time).*which) : Cell();
  };
  const std::string lost =
      figures.retransmissions ? std::to_string(*figures.retransmissions) : "not known";
  return {pairs::name_of(row.from),
          pairs::name_of(row.to),
          row.mode,
          {std::string(results::word(row.verdict)), verdict_style(row.verdict)},
          figures.gigabytes_per_second,
          figures.line_rate_percent,
          time(&measure::Summary::p50_us),
          time(&measure::Summary::p99_us),
          time(&measure::Summary::p999_us),
          time(&measure::Summary::max_us),
          lost,
          path_of(row),
          row.earlier.empty() ? "" : std::to_string(row.earlier.size()) + " earlier",
          row.remark};
}

std::string worst_of(const PairsBody& body) {
  std::vector<Row> rows;
  for (const PairRow* row : pairs::worst_of(body.rows, kMostFolded)) rows.push_back(line(*row));
  return "<p>Paths, worst first</p>\n" +
         ranked_table({"from", "to", "mode", "verdict", "GB/s", "% of line", "p50, µs", "p99, µs",
                       "p99.9, µs", "max, µs", "retransmissions", "path", "attempts", "remark"},
                      rows, "paths") +
         left_out(body.rows.size() - rows.size(), "paths");
}

}  // namespace

std::string what_ran(const PairsBody& body) {
  std::vector<std::string> modes;
  for (const PairsSummary& kind : body.summary) add_once(modes, kind.mode);
  return listed(modes) + " of " + finding::counted(body.rows.size(), "pair") + " of NICs" +
         (body.rows.size() < body.planned ? ", a part of " + std::to_string(body.planned) : "");
}

std::string plateau(const PairsBody& body, const verdict::RunSet& /*run_set*/) {
  for (const PairsSummary& kind : body.summary) {
    if (!kind.same_rail) continue;
    if (kind.median_gigabytes_per_second)
      return number_text(*kind.median_gigabytes_per_second) +
             " GB/s, the median of pairs on the same rail";
    if (kind.median_us)
      return number_text(*kind.median_us) + " µs, the median latency (" + kind.mode +
             ") of pairs on the same rail";
  }
  return "";
}

std::string parts_of(const PairsBody& body, const Ranks& /*ranks*/) {
  if (body.rows.empty()) return "";
  return section("Pairs", kinds_of(body) + maps_of(body) + worst_of(body));
}

}  // namespace railgauge::report
