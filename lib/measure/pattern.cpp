#include "measure/pattern.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

namespace railgauge::measure {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every input bit reaches every
/// output bit.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t random_at(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
  return mixed((pattern.seed * 0x10001 + rank + 1) * kGolden + at);
}

/// The same for all ranks: what they have to agree on at a position.
std::uint64_t common_random_at(const Pattern& pattern, std::size_t at) {
  constexpr std::uint64_t kOther = 0xd1b54a32d192ed03;
  return mixed((pattern.seed * 0x10001 + 1) * kOther + at);
}

/// All partial sums of `ranks` values below this are whole numbers that a float holds exactly.
std::uint64_t summable(std::uint32_t ranks) {
  return std::max<std::uint64_t>(2, (std::uint64_t{1} << 24) / ranks);
}

/// How many ranks have values that count at a position, where not all can: few, so that each has
/// more than one value to choose from even if the sum has to stay below 8.
constexpr std::uint32_t kCounting = 4;

/// Whether a rank's value counts at a position; different ranks' do along the positions.
bool counts(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
  const std::uint64_t first = common_random_at(pattern, at) % pattern.ranks;
  return (rank + pattern.ranks - first) % pattern.ranks < kCounting;
}

bool is_extreme(reduce::Operator op) {
  return op == reduce::Operator::min || op == reduce::Operator::max;
}

template <class T>
T whole_value(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
  const std::uint64_t random = random_at(pattern, rank, at);
  if constexpr (std::is_integral_v<T>) {
    // A product of odd numbers is odd: even ones would soon make it 0, and nothing would show.
    return static_cast<T>(pattern.op == reduce::Operator::prod ? random | 1 : random);
  } else {
    if (pattern.op != reduce::Operator::prod) {
      return static_cast<T>(random % summable(pattern.ranks));
    }
    const T sign = (random & 1) == 0 ? T{1} : T{-1};
    return rank == 0 ? sign * static_cast<T>(1 + (random >> 1) % 1000) : sign;
  }
}

/// Up to this number a narrow float holds every whole one: 2,048, 256, 16 and 8.
template <class T>
constexpr std::uint64_t kGreatestExact = std::uint64_t{2} << T::kMantissaBits;

template <class T>
float narrow_value(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
  constexpr std::uint64_t greatest = kGreatestExact<T>;
  const std::uint64_t random = random_at(pattern, rank, at);
  const auto scale = static_cast<float>(1U << ((common_random_at(pattern, at) >> 32U) % 4));
  if (pattern.op == reduce::Operator::prod) {
    const float sign = (random & 1U) == 0 ? 1.0F : -1.0F;
    return rank == 0 ? sign * scale * static_cast<float>(1 + (random >> 1U) % greatest) : sign;
  }
  if (is_extreme(pattern.op)) return scale * static_cast<float>(1 + random % greatest);
  if (!counts(pattern, rank, at)) return 0;
  return scale * static_cast<float>(1 + random % (greatest / std::min(kCounting, pattern.ranks)));
}

/// A value that never is the minimum, or maximum, of all ranks'.
template <class T>
T neutral(reduce::Operator op) {
  const bool least = op == reduce::Operator::min;
  if constexpr (std::is_integral_v<T>) {
    return least ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(least ? 1 << 24 : 0);
  } else {
    return T(least ? 16 * static_cast<float>(kGreatestExact<T>) : 0);
  }
}

template <class T>
T value(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
  if (is_extreme(pattern.op) && !counts(pattern, rank, at)) return neutral<T>(pattern.op);
  if constexpr (std::is_arithmetic_v<T>) {
    return whole_value<T>(pattern, rank, at);
  } else {
    return T(narrow_value<T>(pattern, rank, at));
  }
}

template <class T>
void fill(const Pattern& pattern, std::uint32_t rank, std::size_t first, T* elements,
          std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) elements[i] = value<T>(pattern, rank, first + i);
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
    if (number(found[i]) == number(expected[i])) continue;
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
