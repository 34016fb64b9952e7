#include "experiments/job/task_edges.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <utility>

namespace railgauge::runner {
namespace {

using executor::EdgeSample;

double microseconds(EdgeSample::Time from, EdgeSample::Time to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

}  // namespace

bool fill(results::EdgeTimes& edge, std::span<const EdgeSample> samples) {
  std::vector<double> round_us;
  std::vector<double> there_us;
  std::vector<double> back_us;
  std::vector<std::uint64_t> bytes;
  for (const EdgeSample& sample : samples) {
    if (sample.completed <= sample.posted) continue;
    bytes.push_back(sample.bytes);
    round_us.push_back(microseconds(sample.posted, sample.completed));
    if (sample.arrived <= sample.posted) continue;
    const EdgeSample::Time arrived = std::min(sample.arrived, sample.completed);
    there_us.push_back(microseconds(sample.posted, arrived));
    back_us.push_back(microseconds(arrived, sample.completed));
  }
  if (bytes.empty()) return false;
  std::ranges::sort(bytes);
  edge.samples = bytes.size();
  edge.bytes = bytes[bytes.size() / 2];
  edge.most_bytes = bytes.back();
  edge.round = *results::quantiles_of(std::move(round_us));
  edge.there = results::quantiles_of(std::move(there_us));
  edge.back = results::quantiles_of(std::move(back_us));
  return true;
}

std::vector<results::CollectiveRow> rows_of(const std::vector<TaskEdge>& edges,
                                            const std::vector<std::string>& algorithms) {
  std::map<std::pair<std::uint32_t, int>, results::CollectiveRow> rows;
  for (const TaskEdge& one : edges) {
    results::CollectiveRow& row = rows[{one.operation, std::bit_width(one.edge.bytes)}];
    row.size_bytes = std::max(row.size_bytes, one.edge.most_bytes);
    row.algorithm = algorithms[one.operation];
    row.edges.push_back(one.edge);
  }
  std::vector<results::CollectiveRow> all;
  all.reserve(rows.size());
  for (auto& [key, row] : rows) all.push_back(std::move(row));
  return all;
}

}  // namespace railgauge::runner
