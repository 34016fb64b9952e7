#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "reduce/reduction.hpp"

namespace railgauge::measure {

/// What a rank contributes to a reduction: values that depend on position, rank and `seed`, chosen
/// so that the reduction is exact in any order and grouping, in floating point too. A result is
/// therefore right or wrong to the last bit, and a byte in the wrong place shows, as does an input
/// that is missing, counted twice or left over from another seed.
///
/// float and double sums stay below 2^24; products are of 1 and -1, except for one rank's small
/// integers; integers wrap, and those of a product are odd, so that it is never 0. (nccl-tests'
/// verifiable.h has the same aim.) An average is the exact sum, divided once, at the end.
///
/// The minimum and maximum of many values would be the same at most positions, and hardly any sum
/// of many ranks is exact in a narrow float, which holds every integer only up to 2,048 (float16),
/// 256 (bfloat16), 16 (f8e4m3) or 8 (f8e5m2). There only four ranks, different ones from position
/// to position, have values that count. Narrow floats of one position are all multiplied by the
/// same power of two, 1 to 8, so that more results differ, and each is still exact. One rank's
/// fault then shows at 4 of `ranks` positions.
///
/// What cannot show: the average of 8-bit integers over more than 255 ranks is 0, whatever the
/// inputs.
struct Pattern {
  reduce::ElementType type = reduce::ElementType::float32;
  reduce::Operator op = reduce::Operator::sum;
  std::uint32_t ranks = 1;
  std::uint64_t seed = 0;
};

/// Writes one rank's input over all of `buffer`, which holds whole elements, from the first on.
void fill_input(const Pattern& pattern, std::uint32_t rank, std::span<std::byte> buffer);

struct Verdict {
  std::uint64_t wrong = 0;   // elements
  std::size_t first_at = 0;  // which element is the first of them
  std::string first;         // in words: which element, what was expected, what was there
};

/// Compares a buffer with the reduction of all ranks' inputs from element `first` on. Costs ranks x
/// elements.
[[nodiscard]] Verdict verify_reduction(const Pattern& pattern, std::size_t first,
                                       std::span<const std::byte> buffer);

/// Compares a buffer with one rank's input from element `first` on.
[[nodiscard]] Verdict verify_copy(const Pattern& pattern, std::uint32_t rank, std::size_t first,
                                  std::span<const std::byte> buffer);

/// For data that are only moved: every element is random, as an integer of the element's size, or
/// byte by byte if there is none of that size.
[[nodiscard]] Pattern pattern_of_copies(std::size_t element_bytes, std::uint32_t ranks);

}  // namespace railgauge::measure
