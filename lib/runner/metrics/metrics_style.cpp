#include "runner/metrics/metrics_style.hpp"

#include "runner/metrics/inspector_metrics.hpp"
#include "runner/metrics/own_metrics.hpp"

namespace railgauge::runner {

std::unique_ptr<MetricsStyle> make_metrics_style(MetricsNames names) {
  if (names == MetricsNames::nccl_inspector) return std::make_unique<InspectorMetrics>();
  return std::make_unique<OwnMetrics>();
}

}  // namespace railgauge::runner
