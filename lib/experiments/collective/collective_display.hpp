#pragma once

#include <cstddef>
#include <memory>
#include <ostream>

#include "experiments/collective/collective_options.hpp"
#include "runner/experiment.hpp"

namespace railgauge::runner {

/// nccl-tests' table or the wide one on stdout, and on a terminal how much is left. For rank 0.
/// `table`: "nccl", "wide" or "none". `combinations`: how many there will be. `progress`: the
/// terminal, or null. `options` have to outlive it.
[[nodiscard]] std::unique_ptr<Display> collective_display(const CollectiveOptions& options,
                                                          const std::string& table,
                                                          std::size_t combinations,
                                                          std::ostream* progress);

}  // namespace railgauge::runner
