#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "results/document.hpp"
#include "runner/experiment.hpp"
#include "runner/options/run_options.hpp"
#include "runner/progress.hpp"

namespace railgauge::runner {

/// The estimate above, how much is left meanwhile, and heat maps, the worst ways and a summary
/// below, on stdout.
class PairsDisplay final : public Display {
 public:
  struct Expected {
    std::size_t nics = 0;
    std::size_t rounds = 0;
    std::uint64_t rows = 0;  // still to be measured
    std::uint64_t kept = 0;  // of an earlier run
    double seconds = 0;
    double asking_seconds = 0;       // for paths, before
    double most_seconds = 0;         // --max-time; 0: none
    std::size_t rounds_in_time = 0;  // of these
    bool software = false;
  };

  PairsDisplay(const Expected& expected, RunOptions::Progress progress, bool colours);

  /// So many more rows are done.
  void advance(std::size_t rows);

  void begin(const results::Document& document) override;
  void row(const results::Document&) override {}
  void end(const results::Document& document) override;
  void clear() override;

 private:
  Expected expected_;
  std::ostream* terminal_;
  bool colours_;
  std::optional<Progress> progress_{};
};

}  // namespace railgauge::runner
