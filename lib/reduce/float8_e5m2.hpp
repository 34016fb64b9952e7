#pragma once

#include <cstdint>

#include "reduce/narrow_float.hpp"

namespace railgauge::reduce {

/// FP8 E5M2 of the Open Compute Project's OFP8: binary16's upper byte, infinities included. As with
/// Float8E4M3, conversion saturates: what is greater than 57,344, infinity too, becomes 57,344. So
/// an infinity is read as one, and never the result of an operation.
using Float8E5M2 = NarrowFloat<
    std::uint8_t,
    NarrowFormat{.exponent_bits = 5, .mantissa_bits = 2, .largest = 57344, .has_infinity = true}>;

}  // namespace railgauge::reduce
