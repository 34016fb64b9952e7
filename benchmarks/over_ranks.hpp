#pragma once

#include <cstdint>

namespace railgauge::benchmarks {

/// Whose time an iteration's is: nccl-tests' -a, in its numbers.
enum class OverRanks : std::uint8_t { first, mean, fastest, slowest };

}  // namespace railgauge::benchmarks
