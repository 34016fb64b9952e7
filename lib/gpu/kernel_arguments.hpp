#pragma once

// What the host tells kernels.cu: by value, laid out alike on both sides. No pointers of the host.

#include <cstddef>
#include <cstdint>

#include "measure/pattern_values.hpp"
#include "reduce/element_type.hpp"

namespace railgauge::gpu {

/// combine_TYPE(out, a, b, Combination): out[i] = a[i] op b[i], as reduce::combined. The vectors
/// may be in memory of the GPU or in registered memory of the host.
struct Combination {
  std::uint64_t count;
  reduce::Operator op;
  std::uint32_t ranks;
};

/// fill_TYPE(out, Filling): one rank's input, as measure::fill_input.
struct Filling {
  std::uint64_t count;
  measure::Pattern pattern;
  std::uint32_t rank;
};

/// check_TYPE(found, Check, wrong): as measure::verify_reduction, or else measure::verify_copy of
/// `rank`'s input, from element `first` on.
struct Check {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  measure::Pattern pattern{};
  std::uint32_t rank = 0;
  bool reduced = false;
};

/// Added to by a check, so that the checks of several blocks share one.
struct Wrong {
  std::uint64_t elements;
  std::uint64_t first;   // begins as the greatest number
  std::uint64_t looked;  // elements that were looked at: a kernel that did not run finds nothing
};

}  // namespace railgauge::gpu
