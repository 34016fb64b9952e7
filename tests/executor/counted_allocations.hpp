#pragma once

#include <cstddef>

namespace railgauge {

/// How often this thread has called operator new. Programs that link counted_allocations.cpp have
/// one of their own, which counts; not with a sanitizer, which has its own too.
[[nodiscard]] std::size_t allocations();

/// The bytes that this thread has now, and the most that it had since the last call of
/// count_most().
[[nodiscard]] std::size_t allocated_bytes();
[[nodiscard]] std::size_t most_allocated_bytes();
void count_most();

}  // namespace railgauge
