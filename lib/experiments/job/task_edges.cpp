#include "experiments/job/task_edges.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace railgauge::runner {

std::vector<executor::EdgeSample> arrived_when_acknowledged(
    std::vector<executor::EdgeSample> samples) {
  for (executor::EdgeSample& one : samples) one.arrived = std::min(one.arrived, one.completed);
  return samples;
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
