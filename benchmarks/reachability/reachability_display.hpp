#pragma once

#include <vector>

#include "benchmarks/reachability/reachability.hpp"
#include "results/reachability.hpp"
#include "runner/display.hpp"

namespace railgauge::benchmarks {

/// A matrix as the record has it.
[[nodiscard]] std::vector<results::ReachabilityRow> rows_of(const reachability::Matrix& matrix);
[[nodiscard]] std::vector<results::ReachabilitySummary> summary_of(
    const reachability::Matrix& matrix);

/// The heat map on stdout.
class ReachabilityDisplay final : public runner::Display {
 public:
  /// `test` has to outlive it.
  ReachabilityDisplay(const Reachability& test, bool colours) : test_(test), colours_(colours) {}

  void begin(const results::Document& document) override;
  void row(const results::Document&) override {}
  void end(const results::Document& document) override;

 private:
  const Reachability& test_;
  bool colours_;
};

}  // namespace railgauge::benchmarks
