#pragma once

#include <cstdint>

#include "reduce/narrow_float.hpp"

namespace railgauge::reduce {

/// FP8 E4M3 of the Open Compute Project's "OCP 8-bit Floating Point Specification (OFP8)": no
/// infinities, and one NaN of each sign. What is greater than 448, infinity too, becomes 448: this
/// is the specification's saturating mode, and __NV_SATFINITE, which CUDA's __nv_fp8_e4m3 converts
/// with (CUDA Math API, "__nv_fp8_e4m3"), so that NCCL does the same.
using Float8E4M3 =
    NarrowFloat<std::uint8_t,
                NarrowFormat{
                    .exponent_bits = 4, .mantissa_bits = 3, .largest = 448, .has_infinity = false}>;

}  // namespace railgauge::reduce
