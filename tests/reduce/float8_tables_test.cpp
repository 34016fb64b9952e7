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

/// The magnitude of a finite sum, as vectors compute it; here on any processor.
template <class Tables>
int code_of_sum(unsigned a, unsigned b) {
  const unsigned greater = std::max(a & 0x7fU, b & 0x7fU);
  const unsigned lesser = std::min(a & 0x7fU, b & 0x7fU);
  const int place = std::min(127, signed_byte(Tables::kPlaceOfLesser[lesser]) +
                                      signed_byte(Tables::kPlaceOfGreater[greater]));
  EXPECT_GE(place, 0);
  const int small = Tables::kAligned.at(static_cast<std::size_t>(place));
  const int large = Tables::kGuarded[greater];
  const int sum = ((a ^ b) & 0x80U) == 0 ? large + small : large - small;
  if (sum == 0) return 0;
  const int base = Tables::kBase[greater];
  const int biased = std::min(255, base + Tables::kRounded.at(static_cast<std::size_t>(sum)));
  const int below = (sum + (base >> Tables::kExponentPlace)) % 64;
  return std::max(std::max(0, biased - Tables::kBias),
                  static_cast<int>(Tables::kCancelled[static_cast<std::size_t>(below)]));
}

/// For all pairs of finite numbers.
template <class Tables>
void expect_sums_as_defined(ElementType type) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      if (std::max(a & 0x7fU, b & 0x7fU) > Tables::kGreatest) continue;
      const std::byte left{static_cast<std::uint8_t>(a)};
      const std::byte right{static_cast<std::uint8_t>(b)};
      std::byte wanted{};
      definition(type, Operator::sum)(&wanted, &left, &right, 1, 1);
      ASSERT_EQ(code_of_sum<Tables>(a, b), std::to_integer<int>(wanted) & 0x7f) << a << " " << b;
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
