#include "finding/words.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {

using results::JobBody;

std::string what_ran(const JobBody& body) {
  return body.job.workload + ", " + finding::counted(body.rows.size(), "step") +
         (body.job.time ? ": " + finding::number(body.job.time->p50_us, "us") : "");
}

std::string parts_of(const JobBody& body, const Ranks& /*ranks*/) {
  if (body.rows.empty()) return "";
  std::vector<Row> operations;
  for (const results::JobOperation& one : body.job.operations)
    operations.push_back({one.name, one.kind, one.group, static_cast<double>(one.times),
                          static_cast<double>(one.bytes), one.slowest_us, one.fastest_us,
                          static_cast<double>(one.slowest_rank)});
  std::vector<Row> steps;
  for (const results::JobStep& row : body.rows)
    steps.push_back({static_cast<double>(row.step), row.time_us, row.compute_us, row.exposed_us,
                     static_cast<double>(row.slowest_rank)});
  const std::size_t hidden = steps.size() - std::min(steps.size(), kMostFolded);
  steps.resize(steps.size() - hidden);
  return section("Operations",
                 ranked_table({"operation", "kind", "group", "times", "bytes", "slowest rank, µs",
                               "fastest rank, µs", "slowest rank"},
                              operations, "operations")) +
         section("Steps",
                 ranked_table({"step", "time, µs", "compute, µs", "exposed, µs", "slowest rank"},
                              steps, "steps") +
                     left_out(hidden, "steps"));
}

}  // namespace railgauge::report
