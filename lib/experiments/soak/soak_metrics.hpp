#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "runner/metrics/run_exporter.hpp"
#include "soak/record.hpp"

namespace railgauge::runner {

/// A soak among the metrics of its run: its last window, and everything it has counted.
class SoakMetrics {
 public:
  /// `run` has to outlive it.
  explicit SoakMetrics(RunExporter& run)
      : run_(run), registry_(run.metrics().registry()), ports_(run.metrics().ports()) {}

  /// A line of the record, in its order. A soak that is resumed gives the lines of earlier runs
  /// first, so that counters go on where they were.
  void take(const soak::Line& line);
  /// The outcome so far; everything is published.
  void publish(finding::Outcome outcome, const soak::Figures& figures);

 private:
  void add(const soak::Header& header);
  void add(const soak::Window& window);
  void add(const soak::PhaseSample& sample);
  void add(const soak::PortSample& sample);
  void add(const std::vector<soak::RankSample>& ranks);
  void add(const finding::Finding& finding);
  void add(const soak::Gap& gap);
  void add(const soak::End& /*end*/) {}
  [[nodiscard]] metrics::Labels labels_of_phase(std::size_t phase) const;
  [[nodiscard]] std::string host_of(int rank) const;

  RunExporter& run_;
  metrics::Registry& registry_;
  PortMetrics& ports_;
  soak::Header header_;
  std::chrono::system_clock::time_point window_end_{};  // of the last window
};

}  // namespace railgauge::runner
