#include "measure/pattern.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace railgauge::measure {
namespace {

using reduce::ElementType;
using reduce::Operator;

/// The reduction of all inputs, in the given order of ranks.
std::vector<std::byte> reduced(const Pattern& pattern, std::size_t count, bool backwards) {
  const std::size_t bytes = count * reduce::size_bytes(pattern.type);
  std::vector<std::byte> sum(bytes);
  std::vector<std::byte> next(bytes);
  const auto rank_at = [&](std::uint32_t i) { return backwards ? pattern.ranks - 1 - i : i; };
  fill_input(pattern, rank_at(0), sum);
  for (std::uint32_t i = 1; i < pattern.ranks; ++i) {
    fill_input(pattern, rank_at(i), next);
    reduce::kernel(pattern.type, pattern.op)(sum.data(), sum.data(), next.data(), count);
  }
  return sum;
}

TEST(Pattern, IsExactInAnyOrderForEveryTypeAndOperator) {
  for (const ElementType type : reduce::kElementTypes) {
    for (const Operator op : reduce::kOperators) {
      for (const std::uint32_t ranks : {1U, 2U, 3U, 7U, 13U, 1024U}) {
        const Pattern pattern{type, op, ranks, 3};
        for (const bool backwards : {false, true}) {
          const Verdict verdict = verify_reduction(pattern, reduced(pattern, 50, backwards));
          EXPECT_EQ(verdict.wrong, 0U) << reduce::name(type) << " " << reduce::name(op) << " "
                                       << ranks << ": " << verdict.first;
        }
      }
    }
  }
}

TEST(Pattern, ShowsAFlippedBitAndNamesTheElement) {
  const Pattern pattern{ElementType::int32, Operator::sum, 4, 0};
  std::vector<std::byte> result = reduced(pattern, 100, false);
  result[4 * 42 + 1] ^= std::byte{1};
  const Verdict verdict = verify_reduction(pattern, result);
  EXPECT_EQ(verdict.wrong, 1U);
  EXPECT_EQ(verdict.first.rfind("element 42 is ", 0), 0U) << verdict.first;
}

TEST(Pattern, ShowsDataOfAnotherSeedPositionOrNumberOfRanks) {
  for (const Operator op : reduce::kOperators) {
    const Pattern pattern{ElementType::float32, op, 3, 5};
    const std::vector<std::byte> right = reduced(pattern, 1000, false);
    EXPECT_GT(verify_reduction({ElementType::float32, op, 3, 6}, right).wrong, 300U);
    EXPECT_GT(verify_reduction({ElementType::float32, op, 4, 5}, right).wrong, 200U);
    std::vector<std::byte> shifted(right.begin() + 4, right.end());
    EXPECT_GT(verify_reduction(pattern, shifted).wrong, 300U);
  }
}

TEST(Pattern, ShowsABufferThatNobodyWrote) {
  for (const ElementType type : reduce::kElementTypes) {
    for (const Operator op : reduce::kOperators) {
      const Pattern pattern{type, op, 64, 1};
      const std::vector<std::byte> zeros(1000 * reduce::size_bytes(type));
      // The least of 64 random bytes is often 0.
      const bool small_minimum = type == ElementType::uint8 && op == Operator::min;
      EXPECT_GT(verify_reduction(pattern, zeros).wrong, small_minimum ? 600U : 900U)
          << reduce::name(type) << " " << reduce::name(op);
    }
  }
}

TEST(Pattern, IsRightOnNothing) {
  EXPECT_EQ(verify_reduction({ElementType::float64, Operator::max, 2, 0}, {}).wrong, 0U);
}

}  // namespace
}  // namespace railgauge::measure
