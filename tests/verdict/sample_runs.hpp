#pragma once

#include <cmath>
#include <string>

#include "verdict/reference.hpp"
#include "verdict/row.hpp"
#include "verdict/run.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::verdict {

/// An all-reduce of 4 ranks on 4 hosts with 2 NICs of 100 Gb/s each (25 GB/s), 8 bytes to 1 GiB,
/// which follows a straight line: `latency_us` and a bus bandwidth of `busbw` GB/s.
inline verdict::Run straight_run(double latency_us, double busbw) {
  constexpr double kBusFactor = 1.5;  // 2(n-1)/n
  verdict::Run run{.name = "straight",
                   .collective = "all_reduce",
                   .nodes = 4,
                   .ranks = 4,
                   .nics_per_node = 2,
                   .line_rate_gigabits_per_second = 100,
                   .beside_nics = std::vector<std::string>{}};
  for (std::uint64_t size = 8; size <= 1ULL << 30U; size *= 2) {
    Point point{.size_bytes = size, .type = "float", .op = "sum", .algorithm = "ring"};
    point.buffers = BufferMode::out_of_place;
    const auto bytes = static_cast<double>(size);
    point.time_us = latency_us + bytes * kBusFactor / busbw / 1e3;
    point.algbw_gigabytes_per_second = bytes / *point.time_us / 1e3;
    point.busbw_gigabytes_per_second = *point.algbw_gigabytes_per_second * kBusFactor;
    run.points.push_back(point);
  }
  return run;
}

inline RunSet measurement_with(const verdict::Run& run) {
  return {.name = "ours.json", .runs = {run}};
}

inline Reference reference_with(const verdict::Run& run) {
  return {.name = "theirs", .runs = {run}};
}

using finding::Outcome;

/// What rows come to by themselves.
inline Outcome outcome_of(const Rows& rows) {
  return outcome(report_of(rows));
}

inline Outcome outcome_of(Rows rows, const std::string& criterion) {
  std::erase_if(rows, [&](const Row& row) { return row.criterion != criterion; });
  return outcome_of(rows);
}

/// The only row of a subject, and of a size if one is given.
inline Row only(const Rows& rows, Subject subject, std::uint64_t size_bytes = 0) {
  Rows found;
  for (const Row& row : rows) {
    if (row.subject == subject && (size_bytes == 0 || row.size_bytes == size_bytes)) {
      found.push_back(row);
    }
  }
  return found.size() == 1 ? found[0] : Row{.remark = "there is not one of it"};
}

}  // namespace railgauge::verdict
