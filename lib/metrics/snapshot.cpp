#include "metrics/snapshot.hpp"

#include <utility>

namespace railgauge::metrics {

Labels with(Labels labels, std::string name, std::string_view value) {
  labels.emplace_back(std::move(name), value);
  return labels;
}

std::size_t series_count(const Snapshot& snapshot) {
  std::size_t count = 0;
  for (const Family& family : snapshot) {
    const bool many = family.metric.kind == Kind::histogram;
    count += family.series.size() * (many ? TimeHistogram::kSeries : 1);
  }
  return count;
}

}  // namespace railgauge::metrics
