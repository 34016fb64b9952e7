#include "measure/pattern.hpp"

#include <algorithm>
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

/// All partial sums of `ranks` values below this are whole numbers that a float holds exactly.
std::uint64_t summable(std::uint32_t ranks) {
  return std::max<std::uint64_t>(2, (std::uint64_t{1} << 24) / ranks);
}

template <class T>
T value(const Pattern& pattern, std::uint32_t rank, std::size_t at) {
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

template <class T>
void fill(const Pattern& pattern, std::uint32_t rank, T* elements, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) elements[i] = value<T>(pattern, rank, i);
}

/// The reduction of all ranks' inputs, worked out with the kernels that are under test elsewhere:
/// their own test compares them with plain arithmetic.
template <class T>
void expect(const Pattern& pattern, std::size_t count, std::vector<T>& expected) {
  const reduce::Kernel combine = reduce::kernel(pattern.type, pattern.op);
  std::vector<T> one(count);
  fill(pattern, 0, expected.data(), count);
  for (std::uint32_t rank = 1; rank < pattern.ranks; ++rank) {
    fill(pattern, rank, one.data(), count);
    auto* sum = reinterpret_cast<std::byte*>(expected.data());
    combine(sum, sum, reinterpret_cast<const std::byte*>(one.data()), count);
  }
}

template <class T>
std::string words(std::size_t at, T expected, T found) {
  std::ostringstream text;
  text.precision(17);
  text << "element " << at << " is " << +found << " and has to be " << +expected;
  return text.str();
}

}  // namespace

void fill_input(const Pattern& pattern, std::uint32_t rank, std::span<std::byte> buffer) {
  reduce::visit(pattern.type, [&]<class T>(T) {
    fill(pattern, rank, reinterpret_cast<T*>(buffer.data()), buffer.size() / sizeof(T));
  });
}

Verdict verify_reduction(const Pattern& pattern, std::span<const std::byte> buffer) {
  return reduce::visit(pattern.type, [&]<class T>(T) {
    const std::size_t count = buffer.size() / sizeof(T);
    const auto* found = reinterpret_cast<const T*>(buffer.data());
    std::vector<T> expected(count);
    expect(pattern, count, expected);
    Verdict verdict;
    for (std::size_t i = 0; i < count; ++i) {
      if (found[i] == expected[i]) continue;
      if (verdict.wrong++ == 0) verdict.first = words(i, expected[i], found[i]);
    }
    return verdict;
  });
}

}  // namespace railgauge::measure
