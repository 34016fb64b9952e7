#include "finding/words.hpp"
#include "report/congestion_pictures.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::CongestionBody;
using results::CongestionEvents;
using results::CongestionFlow;
using results::CongestionRow;

/// "32 (switch), first at 1.20 s"
std::string in_words(const CongestionEvents& events) {
  if (!events.counted) return "not counted";
  if (!events.first_until_s) return "0";
  return std::to_string(events.count) + " (" + events.observer + "), first at " +
         finding::number(*events.first_until_s, "s");
}

Row cells_of(const CongestionRow& row) {
  return {
      row.scenario,         row.step,       row.verdict, in_words(row.marks), in_words(row.pauses),
      in_words(row.losses), row.jain_index, row.reason};
}

std::string of_flow(const CongestionRow& row, const CongestionFlow& flow) {
  return row.scenario + ", " + row.step + (flow.victim ? " (victim)" : "");
}

}  // namespace

std::string what_ran(const CongestionBody& body) {
  return "congestion, " + finding::counted(body.rows.size(), "step") +
         (body.verdict.empty() ? "" : ": " + body.verdict);
}

std::string parts_of(const CongestionBody& body, const Ranks& /*ranks*/) {
  if (body.rows.empty()) return "";
  std::vector<Row> steps;
  std::vector<Row> flows;
  for (const CongestionRow& row : body.rows) {
    steps.push_back(cells_of(row));
    for (const CongestionFlow& flow : row.flows) {
      flows.push_back({of_flow(row, flow), end_in_words(flow.from), end_in_words(flow.to),
                       flow.offered_gigabytes_per_second, flow.gigabytes_per_second,
                       flow.time ? std::optional(flow.time->p50_us) : std::nullopt,
                       flow.time ? std::optional(flow.time->p99_us) : std::nullopt, flow.reason});
    }
  }
  return congestion_time_lines(body) +
         section("Steps", ranked_table({"scenario", "step", "verdict", "ECN marks", "PFC pauses",
                                        "drops", "Jain index", "reason"},
                                       steps, "steps")) +
         congestion_shares(body) + congestion_interference(body) +
         section("Flows", ranked_table({"step", "from", "to", "offered, GB/s", "GB/s", "p50, µs",
                                        "p99, µs", "remark"},
                                       flows, "flows"));
}

}  // namespace railgauge::report
