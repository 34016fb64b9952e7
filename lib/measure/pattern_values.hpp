#pragma once

// The values of a Pattern, by type, rank and position: pattern.hpp says what they are for. In a
// header of its own, as kernels of GPUs are compiled from it, too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "reduce/definition.hpp"
#include "reduce/element_type.hpp"

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

namespace detail {

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every input bit reaches every
/// output bit.
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline std::uint64_t random_at(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
  return mixed((pattern.seed * 0x10001 + rank + 1) * kGolden + at);
}

/// The same for all ranks: what they have to agree on at a position.
inline std::uint64_t common_random_at(const Pattern& pattern, std::size_t at) {
  constexpr std::uint64_t kOther = 0xd1b54a32d192ed03;
  return mixed((pattern.seed * 0x10001 + 1) * kOther + at);
}

/// All partial sums of `ranks` values below this are whole numbers that a float holds exactly.
inline std::uint64_t summable(std::uint32_t ranks) {
  return std::max<std::uint64_t>(2, (std::uint64_t{1} << 24) / ranks);
}

/// How many ranks have values that count at a position, where not all can: few, so that each has
/// more than one value to choose from even if the sum has to stay below 8.
inline constexpr std::uint32_t kCounting = 4;

/// Whether a rank's value counts at a position; different ranks' do along the positions.
inline bool counts(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
  const std::uint64_t first = common_random_at(pattern, at) % pattern.ranks;
  return (rank + pattern.ranks - first) % pattern.ranks < kCounting;
}

inline bool is_extreme(reduce::Operator op) {
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
inline constexpr std::uint64_t kGreatestExact = std::uint64_t{2} << T::kMantissaBits;

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

}  // namespace detail

/// One rank's input at a position.
template <class T>
T input_value(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
  const bool silent = detail::is_extreme(pattern.op) && !detail::counts(pattern, rank, at);
  if (silent) return detail::neutral<T>(pattern.op);
  if constexpr (std::is_arithmetic_v<T>) {
    return detail::whole_value<T>(pattern, rank, at);
  } else {
    return T(detail::narrow_value<T>(pattern, rank, at));
  }
}

/// The reduction of all ranks' inputs at a position.
template <class T>
T reduced_value(const Pattern& pattern, std::size_t at) {
  const bool averages = pattern.op == reduce::Operator::avg;
  const reduce::Operator combining = averages ? reduce::Operator::sum : pattern.op;
  T sum = input_value<T>(pattern, 0, at);
  for (std::uint32_t rank = 1; rank < pattern.ranks; ++rank) {
    const bool last = rank + 1 == pattern.ranks;
    const T input = input_value<T>(pattern, rank, at);
    sum = reduce::combined(last ? pattern.op : combining, sum, input, pattern.ranks);
  }
  return sum;
}

/// Whether both are the same as numbers; a NaN is none.
template <class T>
bool same_number(T a, T b) {
  if constexpr (std::is_arithmetic_v<T>) return a == b;
  return static_cast<float>(a) == static_cast<float>(b);
}

}  // namespace railgauge::measure
