#include "benchmarks/reachability/reachability_display.hpp"

#include <iostream>

#include "reachability/heat_map.hpp"

namespace railgauge::benchmarks {
namespace {

results::Endpoint endpoint(const reachability::Nic& nic) {
  return {nic.host, nic.rail, nic.device, nic.port, nic.address, nic.plane};
}

results::ReachabilityRow row_of(const reachability::Matrix& matrix, std::size_t from,
                                std::size_t to, const reachability::Reach& reach) {
  results::ReachabilityRow row{.from = endpoint(matrix.nics()[from]),
                               .to = endpoint(matrix.nics()[to]),
                               .same_rail = matrix.same_rail(from, to),
                               .reached = reach.reached,
                               .reason = reach.reason};
  if (!reach.reached) return row;
  row.latency_us = reach.latency_us;
  row.gigabytes_per_second = reach.gigabytes_per_second;
  row.ran_share = reach.ran_share;
  return row;
}

void print(const reachability::Kind& kind) {
  if (kind.asked == 0) return;
  std::cout << (kind.same_rail ? "same rail:   " : "other rails: ") << kind.reached << " of "
            << kind.asked << " pairs reachable, median " << kind.median_gigabytes_per_second
            << " GB/s\n";
}

}  // namespace

std::vector<results::ReachabilityRow> rows_of(const reachability::Matrix& matrix) {
  std::vector<results::ReachabilityRow> rows;
  for (std::size_t from = 0; from < matrix.nics().size(); ++from) {
    for (std::size_t to = 0; to < matrix.nics().size(); ++to) {
      const auto& reach = matrix.at(from, to);
      if (reach) rows.push_back(row_of(matrix, from, to, *reach));
    }
  }
  return rows;
}

std::vector<results::ReachabilitySummary> summary_of(const reachability::Matrix& matrix) {
  std::vector<results::ReachabilitySummary> summary;
  for (const bool same_rail : {true, false}) {
    const reachability::Kind kind = kind_of(matrix, same_rail);
    summary.push_back({same_rail, kind.asked, kind.reached, kind.median_gigabytes_per_second});
  }
  return summary;
}

void ReachabilityDisplay::begin(const results::Document& document) {
  std::cout << "# " << test_.matrix().nics().size() << " NICs of " << document.ranks.size()
            << " hosts in " << test_.rounds() << " rounds" << std::endl;
}

void ReachabilityDisplay::end(const results::Document&) {
  const reachability::Matrix& matrix = test_.matrix();
  if (matrix.nics().front().software) {
    std::cout << "SOFTWARE DEVICE: results do not represent hardware\n";
  }
  std::cout << "Rows send, columns receive. 9: as fast as the median of its kind, 4 and less: "
               "slow, X: unreachable, .: not tested\n\n"
            << reachability::heat_map(matrix, colours_) << "\n";
  for (const bool same_rail : {true, false}) print(kind_of(matrix, same_rail));
  std::cout << std::flush;
}

}  // namespace railgauge::benchmarks
