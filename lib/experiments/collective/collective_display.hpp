#pragma once

#include <cstddef>
#include <memory>
#include <ostream>

#include "experiments/collective/collective_options.hpp"
#include "runner/experiment.hpp"
#include "runner/progress.hpp"

namespace railgauge::runner {

/// Where progress is shown, or nowhere, and what of a row is.
struct Terminal {
  std::ostream* stream = nullptr;
  const IterationCount* iterations = nullptr;
};

/// nccl-tests' table or the wide one on stdout, and on a terminal how much is left. For rank 0.
/// `table`: "nccl", "wide" or "none". `combinations`: how many there will be. `options` and
/// `terminal` have to outlive it.
[[nodiscard]] std::unique_ptr<Display> collective_display(const CollectiveOptions& options,
                                                          const std::string& table,
                                                          std::size_t combinations,
                                                          const Terminal& terminal);

}  // namespace railgauge::runner
