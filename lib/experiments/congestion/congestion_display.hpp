#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "runner/experiment.hpp"

namespace railgauge::runner {

/// A line for each step, then the verdict and what it means.
class CongestionDisplay final : public Display {
 public:
  struct Expected {
    std::size_t steps = 0;
    double seconds = 0;
    bool software = false;
    std::string counted_by = "NICs";
  };
  explicit CongestionDisplay(Expected expected) : expected_(std::move(expected)) {}

  void begin(const results::Document& document) override;
  void row(const results::Document& document) override;
  void end(const results::Document& document) override;
  [[nodiscard]] bool shows_findings() const override { return true; }

 private:
  Expected expected_;
};

}  // namespace railgauge::runner
