#include "experiments/job/job_display.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "finding/words.hpp"
#include "results/job.hpp"

namespace railgauge::runner {
namespace {

using results::JobBody;

constexpr int kFirst = 28;
constexpr int kOther = 14;

template <class... Cells>
void print_row(const std::string& first, const Cells&... cells) {
  std::cout << std::left << std::setw(kFirst) << first << std::right;
  ((std::cout << std::setw(kOther) << cells), ...);
  std::cout << std::endl;
}

std::string bytes_of(const results::JobOperation& operation) {
  return operation.instances > 0 ? std::to_string(operation.bytes) : "-";
}

void print_latencies(const std::vector<results::JobOperation>& operations) {
  bool is_first = true;
  for (const results::JobOperation& one : operations) {
    if (!one.latency) continue;
    const measure::Summary& time = one.latency->time;
    if (std::exchange(is_first, false))
      print_row("# latency since arrival", "n", "p50, us", "p90, us", "p99, us", "p99.9, us",
                "max, us", "in time, %");
    print_row("  " + one.name, time.n, finding::number(time.p50_us), finding::number(time.p90_us),
              finding::number(time.p99_us), finding::number(time.p999_us),
              finding::number(time.max_us),
              one.latency->within_deadline_percent
                  ? finding::number(*one.latency->within_deadline_percent)
                  : "-");
  }
}

void print_hottest(const std::vector<results::JobOperation>& operations) {
  bool is_first = true;
  for (const results::JobOperation& one : operations) {
    if (!one.hottest) continue;
    if (std::exchange(is_first, false))
      print_row("# hottest receiver", "rank", "bytes", "over mean", "time, us", "line rate, us");
    print_row("  " + one.name, one.hottest->rank, one.hottest->bytes,
              finding::number(one.hottest->over_mean), finding::number(one.fastest_us),
              one.line_rate_us ? finding::number(*one.line_rate_us) : "-");
  }
}

void print_rails(const std::vector<results::JobOperation>& operations) {
  bool is_first = true;
  for (const results::JobOperation& one : operations) {
    if (one.rails.empty()) continue;
    if (std::exchange(is_first, false))
      print_row("# rails", "first rail", "time, us", "last rail", "time, us");
    const auto [first, last] =
        std::ranges::minmax_element(one.rails, {}, &results::JobRail::time_us);
    print_row("  " + one.name, first->rail, finding::number(first->time_us), last->rail,
              finding::number(last->time_us));
  }
}

void print_factors(const std::vector<results::JobPart>& parts) {
  if (parts.empty()) return;
  print_row("# interference", "traffic class", "repetitions", "alone, us", "with, us", "factor",
            "with");
  for (const results::JobPart& part : parts) {
    std::vector<results::JobFactor> factors = part.with;
    factors.push_back(part.together);
    for (const results::JobFactor& one : factors)
      print_row("  " + part.name, part.traffic_class, part.repetitions,
                finding::number(part.alone_us), finding::number(one.time_us),
                finding::number(one.factor), "  " + one.with);
  }
}

/// "# 64 ranks folded onto 4: as ranks 0, 16, 32 and 48; members: tp 8 -> 0 and dp 8 -> 4".
void print_fold(const results::JobFold& fold) {
  std::vector<std::string> ranks;
  for (const std::int64_t rank : fold.ranks) ranks.push_back(std::to_string(rank));
  std::vector<std::string> groups;
  for (const results::JobFoldedGroup& one : fold.groups)
    groups.push_back(one.name + " " + std::to_string(one.of) + " -> " +
                     std::to_string(one.members));
  constexpr std::size_t kMostTold = 8;
  std::cout << "# " << fold.world << " ranks folded onto " << fold.ranks.size() << ": as ranks "
            << finding::first_of(std::move(ranks), kMostTold);
  if (!groups.empty())
    std::cout << "; members: " << finding::first_of(std::move(groups), kMostTold);
  std::cout << "\n# these ranks send " << finding::number(fold.sent_percent)
            << " % of what they send among all\n";
}

}  // namespace

void JobDisplay::begin(const results::Document& document) {
  const auto& body = std::get<JobBody>(document.body);
  std::vector<std::string> parameters;
  for (const auto& [name, value] : body.job.parameters)
    parameters.push_back(name + "=" + std::to_string(value));
  std::cout << "# " << body.job.workload << ", " << finding::counted(document.ranks.size(), "rank")
            << ": " << finding::joined(parameters, " ") << "\n";
  if (body.job.fold) print_fold(*body.job.fold);
  if (body.job.resumed)
    std::cout << "# Resumed after "
              << finding::counted(static_cast<std::uint64_t>(body.job.resumed->steps), "step")
              << "\n";
  if (software_) std::cout << "# SOFTWARE DEVICE: results do not represent hardware\n";
  std::cout << "# compute: waiting time of a rank, whose thread communicates meanwhile\n";
  print_row("# step", "steps", "time, us", "max, us", "slowest rank", "compute, us", "exposed, us",
            "waited, us", "for rank", "#wrong");
}

void JobDisplay::row(const results::Document& document) {
  const results::JobStep& row = std::get<JobBody>(document.body).rows.back();
  print_row("  " + std::to_string(row.step) + (row.running.empty() ? "" : " " + row.running),
            row.steps, finding::number(row.time_us), finding::number(row.max_us), row.slowest_rank,
            finding::number(row.compute_us), finding::number(row.exposed_us),
            finding::number(row.waited_us),
            row.waited_rank ? std::to_string(*row.waited_rank) : "-",
            row.wrong ? std::to_string(*row.wrong) : "N/A");
}

void JobDisplay::end(const results::Document& document) {
  const auto& body = std::get<JobBody>(document.body);
  if (!body.job.time) return;
  std::cout << "# step: p50 " << finding::number(body.job.time->p50_us, "us") << ", max "
            << finding::number(body.job.time->max_us, "us") << "; exposed communication "
            << finding::number(body.job.exposed_us.value_or(0), "us");
  if (body.job.over_compute)
    std::cout << "; " << finding::number(*body.job.over_compute) << " times the compute time";
  if (body.job.over_ideal)
    std::cout << ", " << finding::number(*body.job.over_ideal) << " times the ideal "
              << finding::number(*body.job.ideal_us, "us");
  if (body.job.over_line_rate)
    std::cout << ", " << finding::number(*body.job.over_line_rate)
              << " times compute and communication at line rate";
  if (body.job.overlap_percent)
    std::cout << "; overlap " << finding::number(*body.job.overlap_percent, "%")
              << " of communication";
  std::cout << "\n";
  print_row("# operation", "kind", "group", "instances", "bytes", "times", "slowest, us",
            "fastest, us", "slowest rank", "of ideal, us");
  for (const results::JobOperation& one : body.job.operations)
    print_row("  " + one.name, one.kind, one.group.empty() ? "-" : one.group, one.instances,
              bytes_of(one), one.times, finding::number(one.slowest_us),
              finding::number(one.fastest_us), one.slowest_rank, finding::number(one.ideal_us));
  print_rails(body.job.operations);
  print_hottest(body.job.operations);
  print_latencies(body.job.operations);
  print_factors(body.job.parts);
}

}  // namespace railgauge::runner
