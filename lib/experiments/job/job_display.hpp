#pragma once

#include "runner/experiment.hpp"

namespace railgauge::runner {

/// A line for each step, then one for each operation.
class JobDisplay final : public Display {
 public:
  explicit JobDisplay(bool software) : software_(software) {}
  void begin(const results::Document& document) override;
  void row(const results::Document& document) override;
  void end(const results::Document& document) override;

 private:
  bool software_;
};

}  // namespace railgauge::runner
