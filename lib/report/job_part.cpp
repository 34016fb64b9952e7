#include <algorithm>

#include "finding/words.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {

using results::JobBody;

std::string what_ran(const JobBody& body) {
  std::int64_t steps = 0;
  for (const results::JobStep& row : body.rows) steps += row.steps;
  return body.job.workload + ", " + finding::counted(static_cast<std::uint64_t>(steps), "step") +
         (body.job.time ? ": " + finding::number(body.job.time->p50_us, "us") : "");
}

std::string latencies_of(const JobBody& body) {
  std::vector<Row> rows;
  for (const results::JobOperation& one : body.job.operations) {
    if (!one.latency) continue;
    const measure::Summary& time = one.latency->time;
    rows.push_back({one.name, static_cast<double>(time.n), time.p50_us, time.p90_us, time.p99_us,
                    time.p999_us, time.max_us, one.latency->deadline_us,
                    one.latency->within_deadline_percent});
  }
  if (rows.empty()) return "";
  return section("Latencies since arrival",
                 ranked_table({"operation", "n", "P50, µs", "P90, µs", "P99, µs", "P99.9, µs",
                               "longest, µs", "deadline, µs", "within it, %"},
                              rows, "operations"));
}

/// Of operations whose data are on several.
std::string rails_of(const JobBody& body) {
  std::vector<Row> rows;
  for (const results::JobOperation& one : body.job.operations) {
    for (const results::JobRail& rail : one.rails)
      rows.push_back({one.name, static_cast<double>(rail.rail), rail.time_us});
  }
  if (rows.empty()) return "";
  return section("Rails", ranked_table({"operation", "rail", "until its data were there, µs"}, rows,
                                       "operations on rails"));
}

/// A row for each part: how many times as long it takes with the others.
std::string interference_of(const std::vector<results::JobPart>& parts) {
  if (parts.empty()) return "";
  std::vector<std::string> head{"part", "traffic class", "repetitions", "alone, µs"};
  const bool has_pairs = !parts.front().with.empty();
  if (has_pairs) {
    for (const results::JobPart& part : parts) head.push_back("× with " + part.name);
  }
  head.emplace_back("all together, µs");
  head.emplace_back("× all together");
  std::vector<Row> rows;
  for (const results::JobPart& part : parts) {
    Row row{part.name, static_cast<double>(part.traffic_class),
            static_cast<double>(part.repetitions), part.alone_us};
    for (std::size_t at = 0; has_pairs && at < parts.size(); ++at) {
      const auto with = std::ranges::find(part.with, parts[at].name, &results::JobFactor::with);
      row.push_back(with == part.with.end() ? 1.0 : with->factor);
    }
    row.push_back(part.together.time_us);
    row.push_back(part.together.factor);
    rows.push_back(std::move(row));
  }
  return section("Interference", ranked_table(head, rows, "parts"));
}

/// Of a workload of more ranks than there were.
std::string fold_of(const results::JobFold& fold) {
  std::vector<Row> rows;
  for (const results::JobFoldedGroup& one : fold.groups)
    rows.push_back({one.name, static_cast<double>(one.of), static_cast<double>(one.members)});
  return section(
      "A larger world, folded",
      "<p>" + finding::counted(fold.ranks.size(), "rank") + " of " + std::to_string(fold.world) +
          " did their part. They sent " + finding::number(fold.sent_percent) +
          " % of what they send among all.</p>" +
          ranked_table({"group", "members in the workload", "members in the run"}, rows, "groups"));
}

std::string parts_of(const JobBody& body, const Ranks& /*ranks*/) {
  if (body.rows.empty()) return "";
  std::vector<Row> operations;
  for (const results::JobOperation& one : body.job.operations)
    operations.push_back({one.name, one.kind, one.group, static_cast<double>(one.times),
                          static_cast<double>(one.bytes), one.slowest_us, one.fastest_us,
                          static_cast<double>(one.slowest_rank), one.ideal_us, one.line_rate_us,
                          one.hottest ? std::optional(one.hottest->over_mean) : std::nullopt});
  std::vector<Row> steps;
  for (const results::JobStep& row : body.rows)
    steps.push_back({static_cast<double>(row.step), static_cast<double>(row.steps), row.time_us,
                     row.max_us, row.compute_us, row.exposed_us, row.overlap_percent,
                     static_cast<double>(row.slowest_rank), row.waited_us, row.waited_operation});
  return (body.job.fold ? fold_of(*body.job.fold) : "") +
         section("Operations",
                 ranked_table({"operation", "kind", "group", "times", "bytes", "slowest rank, µs",
                               "fastest rank, µs", "slowest rank", "of the ideal step, µs",
                               "at line rate, µs", "hottest receiver, × mean"},
                              operations, "operations")) +
         rails_of(body) + interference_of(body.job.parts) + latencies_of(body) +
         section("Steps", ranked_table({"step", "steps", "time, µs", "longest, µs", "compute, µs",
                                        "exposed, µs", "overlap, %", "slowest rank",
                                        "longest wait, µs", "in"},
                                       steps, "steps"));
}

}  // namespace railgauge::report
