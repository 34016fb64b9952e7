#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "metrics/exporter.hpp"
#include "runner/metrics/metrics_style.hpp"

namespace railgauge::runner {

/// The metrics of a run while it goes on (--metrics): rank 0 has one, for the whole job. Nothing of
/// it happens while an iteration is timed, and a place that can no longer be written is said once
/// and ends nothing.
class RunExporter {
 public:
  /// Takes the file or the port. Throws as metrics::Exporter does.
  RunExporter(const metrics::Target& target, MetricsNames names);

  /// "http://127.0.0.1:9400/metrics", or the file.
  [[nodiscard]] std::string place() const { return exporter_.place(); }

  void begin(const results::Document& document);
  /// Published unless that would take more than a twentieth of the time.
  void row(const results::Document& document);
  /// All of them, which were not told one by one: of pairs, which change until the end.
  void rows(const results::Document& document);
  void end(const results::Document& document);

  /// Of a soak: each line of its record, as it is written or read again, and its verdict so far;
  /// then publish(), after every window.
  void take(const soak::Line& line) { style_->take(line); }
  void judge(const soak::Judgement& judgement) { style_->judge(judgement); }
  void publish();

 private:
  metrics::Exporter exporter_;
  std::unique_ptr<MetricsStyle> style_;
  bool complained_ = false;
  std::chrono::steady_clock::time_point published_{};
  std::chrono::steady_clock::duration publishing_took_{};
};

}  // namespace railgauge::runner
