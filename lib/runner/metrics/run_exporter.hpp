#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "metrics/exporter.hpp"
#include "runner/metrics/inspector_metrics.hpp"
#include "runner/metrics/run_metrics.hpp"

namespace railgauge::runner {

/// Whose names and labels metrics have.
enum class MetricsNames { railgauge, nccl_inspector };

/// The metrics of a run while it goes on (--metrics): rank 0 has one, for the whole job. Nothing of
/// it happens while an iteration is timed, and a place that can no longer be written is said once
/// and ends nothing.
class RunExporter {
 public:
  /// Takes the file or the port. Throws as metrics::Exporter does.
  explicit RunExporter(const metrics::Target& target, MetricsNames names = MetricsNames::railgauge);

  /// "http://127.0.0.1:9400/metrics", or the file.
  [[nodiscard]] std::string place() const { return exporter_.place(); }

  void begin(const results::Document& document);
  /// Published unless that would take more than a twentieth of the time.
  void row(const results::Document& document);
  /// All of them, which were not told one by one: of pairs, which change until the end.
  void rows(const results::Document& document);
  void end(const results::Document& document);

  /// Where an experiment shows what it knows besides rows; then publish().
  [[nodiscard]] RunMetrics& metrics() { return metrics_; }
  /// For the NCCL Inspector's names, which have nothing but collectives.
  void operation(const Operation& operation);
  void publish();

 private:
  metrics::Exporter exporter_;
  RunMetrics metrics_;
  std::optional<InspectorMetrics> inspector_;  // published in place of these
  bool complained_ = false;
  std::chrono::steady_clock::time_point published_{};
  std::chrono::steady_clock::duration publishing_took_{};
};

}  // namespace railgauge::runner
