#pragma once

#include <cstddef>
#include <cstdint>

namespace railgauge::reduce {

/// out[i] = a[i] op b[i] for `count` elements. `out` may be `a` or `b`, and must not otherwise
/// overlap them. All three are aligned to the element. Averaging kernels divide by `ranks`, which
/// is not 0; others do not look at it.
using Kernel = void (*)(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
                        std::uint32_t ranks) noexcept;

}  // namespace railgauge::reduce
