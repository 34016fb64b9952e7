#pragma once

#include <memory>

#include "metrics/snapshot.hpp"
#include "results/document.hpp"
#include "runner/metrics/metrics_names.hpp"
#include "soak/record.hpp"

namespace railgauge::runner {

/// Turns what a run finds into metrics, as it finds it; of rank 0, for the whole job. Nothing is
/// forgotten in between but what Registry says: counters go on growing when rows leave the
/// document.
class MetricsStyle {
 public:
  MetricsStyle() = default;
  MetricsStyle(const MetricsStyle&) = delete;
  MetricsStyle& operator=(const MetricsStyle&) = delete;
  virtual ~MetricsStyle() = default;

  /// Before the first row: ranks, rails and counters are known.
  virtual void begin(const results::Document& document) = 0;
  /// The document's last row.
  virtual void row(const results::Document& document) = 0;
  /// The document has ended.
  virtual void end(const results::Document& document) = 0;

  /// A line of a soak's record, in its order. A soak that is resumed gives the lines of the runs
  /// before first, so that no counter begins anew.
  virtual void take(const soak::Line& line) = 0;
  /// What a soak is worth so far.
  virtual void judge(const soak::Judgement& judgement) = 0;

  [[nodiscard]] virtual metrics::Snapshot snapshot() const = 0;
};

[[nodiscard]] std::unique_ptr<MetricsStyle> make_metrics_style(MetricsNames names);

}  // namespace railgauge::runner
