#include "measure/pattern.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

#include "reduce/reduction.hpp"

namespace railgauge::measure {
namespace {

template <class T>
void fill(const Pattern& pattern, std::uint32_t rank, std::size_t first, T* elements,
          std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) elements[i] = input_value<T>(pattern, rank, first + i);
}

/// As something that is compared and printed as a number.
template <class T>
auto number(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return +value;
  } else {
    return static_cast<float>(value);
  }
}

/// The reduction of all ranks' inputs, worked out with the kernels that are under test elsewhere:
/// their own test compares them with plain arithmetic.
template <class T>
void expect(const Pattern& pattern, std::size_t first, std::vector<T>& expected) {
  const std::size_t count = expected.size();
  const reduce::Reduction reduction = reduce::reduction(pattern.type, pattern.op, pattern.ranks);
  std::vector<T> one(count);
  fill(pattern, 0, first, expected.data(), count);
  for (std::uint32_t rank = 1; rank < pattern.ranks; ++rank) {
    fill(pattern, rank, first, one.data(), count);
    auto* sum = reinterpret_cast<std::byte*>(expected.data());
    const auto* input = reinterpret_cast<const std::byte*>(one.data());
    if (rank + 1 < pattern.ranks) {
      reduction.combine(sum, sum, input, count);
    } else {
      reduction.complete(sum, sum, input, count);
    }
  }
}

template <class T>
std::string words(std::size_t at, T expected, T found) {
  std::ostringstream text;
  text.precision(17);
  text << "element " << at << " is " << number(found) << " but should be " << number(expected);
  return text.str();
}

template <class T>
Verdict compared(const std::vector<T>& expected, std::size_t first,
                 std::span<const std::byte> buffer) {
  const auto* found = reinterpret_cast<const T*>(buffer.data());
  Verdict verdict;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (same_number(found[i], expected[i])) continue;
    if (verdict.wrong++ > 0) continue;
    verdict.first_at = first + i;
    verdict.first = words(first + i, expected[i], found[i]);
  }
  return verdict;
}

/// Part by part, so that the expected values fit in a cache. `expected` computes them from an
/// element on.
template <class T, class Expected>
Verdict compared_in_parts(std::size_t first, std::span<const std::byte> buffer,
                          const Expected& expected) {
  constexpr std::size_t kPart = 16384;
  std::vector<T> part(std::min(kPart, buffer.size() / sizeof(T)));
  Verdict all;
  while (!buffer.empty()) {
    part.resize(std::min(part.size(), buffer.size() / sizeof(T)));
    expected(first, part);
    Verdict verdict = compared(part, first, buffer);
    if (all.wrong == 0) std::swap(all, verdict);
    all.wrong += verdict.wrong;
    first += part.size();
    buffer = buffer.subspan(part.size() * sizeof(T));
  }
  return all;
}

}  // namespace

void fill_input(const Pattern& pattern, std::uint32_t rank, std::span<std::byte> buffer) {
  reduce::visit(pattern.type, [&]<class T>(T) {
    fill(pattern, rank, 0, reinterpret_cast<T*>(buffer.data()), buffer.size() / sizeof(T));
  });
}

Verdict verify_reduction(const Pattern& pattern, std::size_t first,
                         std::span<const std::byte> buffer) {
  return reduce::visit(pattern.type, [&]<class T>(T) {
    return compared_in_parts<T>(first, buffer, [&](std::size_t from, std::vector<T>& expected) {
      expect(pattern, from, expected);
    });
  });
}

Verdict verify_copy(const Pattern& pattern, std::uint32_t rank, std::size_t first,
                    std::span<const std::byte> buffer) {
  return reduce::visit(pattern.type, [&]<class T>(T) {
    return compared_in_parts<T>(first, buffer, [&](std::size_t from, std::vector<T>& expected) {
      fill(pattern, rank, from, expected.data(), expected.size());
    });
  });
}

Pattern pattern_of_copies(std::size_t element_bytes, std::uint32_t ranks) {
  using reduce::ElementType;
  const bool wide = element_bytes == 4 || element_bytes == 8;
  const ElementType type = element_bytes == 4 ? ElementType::uint32 : ElementType::uint64;
  return {wide ? type : ElementType::uint8, reduce::Operator::sum, ranks, 0};
}

}  // namespace railgauge::measure
