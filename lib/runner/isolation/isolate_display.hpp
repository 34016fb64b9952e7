#pragma once

#include <vector>

#include "runner/display.hpp"
#include "runner/isolation/tested_nics.hpp"

namespace railgauge::runner {

/// What is tested, then the verdict.
class IsolateDisplay final : public Display {
 public:
  /// `nics` has to outlive it.
  explicit IsolateDisplay(const std::vector<TestedNic>& nics) : nics_(nics) {}

  void begin(const results::Document& document) override;
  void row(const results::Document& /*document*/) override {}
  void end(const results::Document& document) override;

 private:
  const std::vector<TestedNic>& nics_;
};

}  // namespace railgauge::runner
