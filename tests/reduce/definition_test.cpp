#include "reduce/definition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace railgauge::reduce {
namespace {

template <class T>
T of(int value) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(value);
  return T(static_cast<float>(value));
}

template <class T>
auto result(Operator op, int a, int b, std::uint32_t ranks = 1) {
  return widened(combined(op, of<T>(a), of<T>(b), ranks));
}

TEST(Definition, HoldsForEveryTypeAndOperator) {
  for (const ElementType type : kElementTypes) {
    visit(type, []<class T>(T) {
      EXPECT_EQ(result<T>(Operator::sum, 5, 3), 8);
      EXPECT_EQ(result<T>(Operator::prod, 2, 3), 6);
      EXPECT_EQ(result<T>(Operator::min, 5, 3), 3);
      EXPECT_EQ(result<T>(Operator::min, 3, 5), 3);
      EXPECT_EQ(result<T>(Operator::max, 5, 3), 5);
      EXPECT_EQ(result<T>(Operator::max, 3, 5), 5);
      EXPECT_EQ(result<T>(Operator::avg, 5, 3, 4), 2);
    });
  }
}

TEST(Definition, WrapsIntegers) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(combined(Operator::sum, kMost, 1, 1), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(combined(Operator::prod, std::int8_t{64}, std::int8_t{4}, 1), 0);
  EXPECT_EQ(combined(Operator::prod, std::int64_t{-3}, std::int64_t{5}, 1), -15);
}

TEST(Definition, AveragesIntegersTowardsZeroAndAfterTheyWrapped) {
  EXPECT_EQ(combined(Operator::avg, std::int32_t{-5}, std::int32_t{-2}, 2), -3);
  EXPECT_EQ(combined(Operator::avg, std::uint8_t{200}, std::uint8_t{100}, 2), 22);
  EXPECT_EQ(combined(Operator::avg, std::int8_t{100}, std::int8_t{100}, 2), -28);
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(combined(Operator::avg, kMost - 1, std::uint64_t{1}, 2), kMost / 2);
  EXPECT_EQ(combined(Operator::avg, std::int32_t{-7}, std::int32_t{0}, 4'000'000'000), 0);
}

TEST(Definition, LetsNaNsThroughEveryOperatorFromEitherSide) {
  for (const Operator op : kOperators) {
    for (const ElementType type : kElementTypes) {
      visit(type, [op]<class T>(T) {
        if constexpr (!std::is_integral_v<T>) {
          const T nan(std::numeric_limits<float>::quiet_NaN());
          EXPECT_TRUE(std::isnan(widened(combined(op, nan, of<T>(1), 2))));
          EXPECT_TRUE(std::isnan(widened(combined(op, of<T>(1), nan, 2))));
        }
      });
    }
  }
}

TEST(Definition, TakesTheFirstOfZerosWithDifferentSigns) {
  for (const Operator op : {Operator::min, Operator::max}) {
    EXPECT_TRUE(std::signbit(combined(op, -0.0F, 0.0F, 1)));
    EXPECT_FALSE(std::signbit(combined(op, 0.0F, -0.0F, 1)));
  }
}

/// So the average of two great numbers is one, although their sum is none.
TEST(Definition, ComputesNarrowFloatsInFloatAndRoundsOnce) {
  EXPECT_EQ(result<Float8E4M3>(Operator::sum, 448, 448), 448);
  EXPECT_EQ(result<Float8E4M3>(Operator::avg, 448, 448, 2), 448);
  EXPECT_EQ(result<Float8E4M3>(Operator::sum, 16, 1), 16);
  EXPECT_EQ(result<Float8E4M3>(Operator::sum, 18, 1), 20);
  EXPECT_EQ(result<Float8E5M2>(Operator::prod, 57344, 2), 57344);
  EXPECT_EQ(result<Float16>(Operator::sum, 65504, 65504), HUGE_VALF);
  EXPECT_EQ(result<Float16>(Operator::avg, 65504, 65504, 2), 65504);
}

}  // namespace
}  // namespace railgauge::reduce
