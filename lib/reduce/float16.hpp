#pragma once

#include <cstdint>

#include "reduce/narrow_float.hpp"

namespace railgauge::reduce {

/// IEEE 754's binary16, nccl-tests' half. Beyond 65,504, rounded, it is infinite.
using Float16 = NarrowFloat<
    std::uint16_t,
    NarrowFormat{.exponent_bits = 5, .mantissa_bits = 10, .largest = 65536, .has_infinity = true}>;

}  // namespace railgauge::reduce
