#include "experiments/job/job_display.hpp"

#include <iomanip>
#include <iostream>
#include <string>

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

}  // namespace

void JobDisplay::begin(const results::Document& document) {
  const auto& body = std::get<JobBody>(document.body);
  std::vector<std::string> parameters;
  for (const auto& [name, value] : body.job.parameters)
    parameters.push_back(name + "=" + std::to_string(value));
  std::cout << "# " << body.job.workload << ", " << finding::counted(document.ranks.size(), "rank")
            << ": " << finding::joined(parameters, " ") << "\n";
  if (software_) std::cout << "# SOFTWARE DEVICE: results do not represent hardware\n";
  std::cout << "# compute: waiting time of a rank, whose thread communicates meanwhile\n";
  print_row("# step", "time, us", "slowest rank", "compute, us", "exposed, us", "#wrong");
}

void JobDisplay::row(const results::Document& document) {
  const results::JobStep& row = std::get<JobBody>(document.body).rows.back();
  print_row("  " + std::to_string(row.step), finding::number(row.time_us), row.slowest_rank,
            finding::number(row.compute_us), finding::number(row.exposed_us),
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
  std::cout << "\n";
  print_row("# operation", "kind", "group", "instances", "bytes", "times", "slowest, us",
            "fastest, us", "slowest rank");
  for (const results::JobOperation& one : body.job.operations)
    print_row("  " + one.name, one.kind, one.group.empty() ? "-" : one.group, one.instances,
              bytes_of(one), one.times, finding::number(one.slowest_us),
              finding::number(one.fastest_us), one.slowest_rank);
}

}  // namespace railgauge::runner
