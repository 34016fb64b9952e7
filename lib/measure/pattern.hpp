#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "reduce/reduction.hpp"

namespace railgauge::measure {

/// What a rank puts into a reduction: values that depend on position, rank and `seed`, chosen so
/// that the reduction is exact whatever the order and grouping, in floating point too. So a result
/// is right or wrong to the last bit, and a byte in the wrong place, an input left out, taken twice
/// or left over from another seed shows.
///
/// float and double sums stay below 2^24; products are of 1 and -1, but for one rank's small
/// integers; integers wrap, and those of a product are odd, so that it is never 0. (nccl-tests'
/// verifiable.h has the same aim.)
struct Pattern {
  reduce::ElementType type = reduce::ElementType::float32;
  reduce::Operator op = reduce::Operator::sum;
  std::uint32_t ranks = 1;
  std::uint64_t seed = 0;
};

/// Writes one rank's input over all of `buffer`, which holds whole elements.
void fill_input(const Pattern& pattern, std::uint32_t rank, std::span<std::byte> buffer);

struct Verdict {
  std::uint64_t wrong = 0;  // elements
  std::string first;        // in words: which element, what was expected, what was there
};

/// Compares a buffer with the reduction of all ranks' inputs. Costs ranks x elements.
[[nodiscard]] Verdict verify_reduction(const Pattern& pattern, std::span<const std::byte> buffer);

}  // namespace railgauge::measure
