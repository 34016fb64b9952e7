#pragma once

#include <vector>

#include "benchmarks/isolation/tested_nics.hpp"
#include "runner/display.hpp"

namespace railgauge::benchmarks {

/// What is tested, then the verdict.
class IsolateDisplay final : public runner::Display {
 public:
  /// `nics` has to outlive it.
  explicit IsolateDisplay(const std::vector<TestedNic>& nics) : nics_(nics) {}

  void begin(const results::Document& document) override;
  void row(const results::Document& /*document*/) override {}
  void end(const results::Document& document) override;

 private:
  const std::vector<TestedNic>& nics_;
};

}  // namespace railgauge::benchmarks
