#pragma once

#include "metrics/registry.hpp"
#include "results/document.hpp"
#include "runner/metrics/port_metrics.hpp"
#include "runner/metrics/row_metrics.hpp"

namespace railgauge::runner {

/// What a run finds as metrics, as it finds it; of rank 0, for the whole job: the run and how it
/// ended, its findings and failures; ports and rows by the parts that are named after them.
/// Nothing is forgotten in between but what Registry says: counters go on growing when rows leave
/// the document. launchers/metrics/README.md lists them for users.
class RunMetrics {
 public:
  RunMetrics();
  RunMetrics(const RunMetrics&) = delete;
  RunMetrics& operator=(const RunMetrics&) = delete;
  ~RunMetrics() = default;

  /// Before the first row: ranks, rails and counters are known.
  void begin(const results::Document& document);
  /// The document's last row.
  void row(const results::Document& document);
  /// The document has ended.
  void end(const results::Document& document);

  /// Where an experiment that knows more than rows, such as a soak, adds series of its own.
  [[nodiscard]] metrics::Registry& registry() { return registry_; }
  [[nodiscard]] PortMetrics& ports() { return ports_; }

  [[nodiscard]] metrics::Snapshot snapshot() const;

 private:
  void set_status(const results::Document& document);
  void add_findings(const results::Document& document);
  void add_failures(const results::Document& document);

  metrics::Registry registry_;
  PortMetrics ports_;
  RowMetrics rows_;
};

}  // namespace railgauge::runner
