#pragma once

#include <cstddef>

namespace railgauge {

/// How often this thread has called operator new. Programs that link counted_allocations.cpp have
/// one of their own, which counts; not with a sanitizer, which has its own too.
[[nodiscard]] std::size_t allocations();

}  // namespace railgauge
