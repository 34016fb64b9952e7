#pragma once

#include "metrics/registry.hpp"
#include "runner/metrics/metrics_style.hpp"
#include "runner/metrics/port_metrics.hpp"
#include "runner/metrics/row_metrics.hpp"
#include "runner/metrics/soak_metrics.hpp"

namespace railgauge::runner {

/// railgauge_...: the run and how it ended, its findings and failures; ports, rows and soaks by the
/// parts that are named after them. launchers/metrics/README.md lists them for users.
class OwnMetrics : public MetricsStyle {
 public:
  OwnMetrics();

  void begin(const results::Document& document) override;
  void row(const results::Document& document) override;
  void end(const results::Document& document) override;
  void take(const soak::Line& line) override { soak_.take(line); }
  void judge(const soak::Judgement& judgement) override { soak_.judge(judgement); }
  [[nodiscard]] metrics::Snapshot snapshot() const override;

 private:
  void set_status(const results::Document& document);
  void add_findings(const results::Document& document);
  void add_failures(const results::Document& document);

  metrics::Registry registry_;
  PortMetrics ports_;
  RowMetrics rows_;
  SoakMetrics soak_;
};

}  // namespace railgauge::runner
