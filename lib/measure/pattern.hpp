#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "measure/pattern_values.hpp"

namespace railgauge::measure {

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
