#pragma once

#include <cstddef>
#include <cstdint>

#include "reduce/element_type.hpp"

namespace railgauge::reduce {

/// out[i] = a[i] op b[i] for `count` elements. `out` may be `a` or `b`, and must not otherwise
/// overlap them. All three are aligned to the element. Averaging kernels divide by `ranks`, which
/// is not 0; others ignore it.
using Kernel = void (*)(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
                        std::uint32_t ranks) noexcept;

/// Kernels for this processor's vectors, one family of types each. For avg, the completing kernel.
/// Highway chooses at the time of the call (hwy::SupportedTargets).
[[nodiscard]] Kernel integer_kernel(ElementType type, Operator op);
[[nodiscard]] Kernel float_kernel(ElementType type, Operator op);
[[nodiscard]] Kernel narrow_float_kernel(ElementType type, Operator op);

}  // namespace railgauge::reduce
