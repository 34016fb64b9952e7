#pragma once

#include "reduce/element_type.hpp"
#include "reduce/kernel.hpp"
#include "reduce/operator.hpp"

namespace railgauge::reduce {

/// Kernels for this processor's vectors, one family of types each. avg is the completing kernel.
/// Which is chosen is Highway's decision (hwy::SupportedTargets), at the time of the call.
[[nodiscard]] Kernel integer_kernel(ElementType type, Operator op);
[[nodiscard]] Kernel float_kernel(ElementType type, Operator op);
[[nodiscard]] Kernel narrow_float_kernel(ElementType type, Operator op);

}  // namespace railgauge::reduce
