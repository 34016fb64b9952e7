#pragma once

#include <optional>

#include "verdict/counted_sizes.hpp"

namespace railgauge::verdict {

/// How two sides are compared.
struct Terms {
  double tolerance = 0.05;                // 0.05: what is up to 5 % worse passes
  bool interpolate = false;               // sizes that the other side lacks
  bool absolute = false;                  // compare GB/s, whatever the NICs
  std::optional<CountedSizes> counted{};  // empty: all decide
};

}  // namespace railgauge::verdict
