#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "metrics/registry.hpp"
#include "runner/metrics/port_metrics.hpp"
#include "soak/record.hpp"

namespace railgauge::runner {

/// A soak as metrics: its last window, and everything it has counted.
class SoakMetrics {
 public:
  /// Both have to outlive it.
  SoakMetrics(metrics::Registry& registry, PortMetrics& ports)
      : registry_(registry), ports_(ports) {}

  void take(const soak::Line& line);
  void judge(const soak::Judgement& judgement);

 private:
  void add(const soak::Header& header);
  void add(const soak::Window& window);
  void add(const soak::PhaseSample& sample);
  void add(const std::vector<soak::RankSample>& ranks);
  void add(const soak::Event& event);
  void add(const soak::Gap& gap);
  void add(const soak::End& end);
  [[nodiscard]] metrics::Labels labels_of(std::size_t phase) const;
  [[nodiscard]] std::string host_of(int rank) const;

  metrics::Registry& registry_;
  PortMetrics& ports_;
  soak::Header header_;
  bool any_wrong_ = false;
  bool any_verified_ = false;
  std::chrono::system_clock::time_point window_end_{};  // of the last window
};

}  // namespace railgauge::runner
