#include "reduce/float8_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "reduce/definition.hpp"

namespace railgauge::reduce {
namespace {

int signed_byte(std::uint8_t byte) {
  return static_cast<std::int8_t>(byte);
}

/// A sum, as vectors compute it; here on any processor.
template <class Tables>
int sum_of(unsigned a, unsigned b) {
  const bool b_is_greater = (a & 0x7fU) < (b & 0x7fU);
  const unsigned greater = (b_is_greater ? b : a) & 0x7fU;
  const unsigned lesser = (b_is_greater ? a : b) & 0x7fU;
  const int place = std::min(127, signed_byte(Tables::kPlaceOfLesser[lesser]) +
                                      signed_byte(Tables::kPlaceOfGreater[greater]));
  EXPECT_GE(place, 0);
  const int small = Tables::kAligned.at(static_cast<std::size_t>(place));
  const int large = Tables::kGuarded[greater];
  const bool same_sign = ((a ^ b) & 0x80U) == 0;
  const auto sum = static_cast<std::uint8_t>(same_sign ? large + small : large - small);
  const unsigned kept = sum == 0 ? 0 : Tables::kKept[greater];
  const int rounded = Tables::kRounded[sum % Tables::kRounded.size()];
  const int normal = std::min(255, Tables::kBase[greater] + rounded) - Tables::kBias;
  const int cancelled = Tables::kCancelled[(sum + kept) % 128];
  return std::max({0, normal, cancelled}) | static_cast<int>((b_is_greater ? b : a) & kept);
}

bool is_nan(ElementType type, int code) {
  return type == ElementType::float8_e4m3 ? (code & 0x7f) == 0x7f : (code & 0x7f) > 0x7c;
}

template <class Tables>
void expect_sums_as_defined(ElementType type) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const std::byte left{static_cast<std::uint8_t>(a)};
      const std::byte right{static_cast<std::uint8_t>(b)};
      std::byte defined{};
      definition(type, Operator::sum)(&defined, &left, &right, 1, 1);
      const int wanted = std::to_integer<int>(defined);
      const int sum = sum_of<Tables>(a, b);
      ASSERT_TRUE(sum == wanted || (is_nan(type, sum) && is_nan(type, wanted)))
          << a << " and " << b << ": " << sum << ", not " << wanted;
    }
  }
}

TEST(Float8Tables, AddAnyTwoE4M3) {
  expect_sums_as_defined<E4M3Tables>(ElementType::float8_e4m3);
}

TEST(Float8Tables, AddAnyTwoE5M2) {
  expect_sums_as_defined<E5M2Tables>(ElementType::float8_e5m2);
}

}  // namespace
}  // namespace railgauge::reduce
