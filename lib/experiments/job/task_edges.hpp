#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executor/edge_samples.hpp"
#include "results/collective.hpp"
#include "results/edge_times.hpp"

namespace railgauge::runner {

/// How long single chunks of an operation took on one connection.
struct TaskEdge {
  std::uint32_t operation = 0;  // of the job
  results::EdgeTimes edge{};
};

/// A peer that begins its task late looks late for what has arrived: a chunk was there when it was
/// acknowledged, at the latest.
[[nodiscard]] std::vector<executor::EdgeSample> arrived_when_acknowledged(
    std::vector<executor::EdgeSample> samples);

/// A row for each operation and size of chunks, to powers of two: what is longer because it is
/// larger is not slow. `algorithms`: of each operation of the job.
[[nodiscard]] std::vector<results::CollectiveRow> rows_of(
    const std::vector<TaskEdge>& edges, const std::vector<std::string>& algorithms);

}  // namespace railgauge::runner
