#include "measure/pattern.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "reduce/reduction.hpp"

namespace railgauge::measure {
namespace {

using reduce::ElementType;
using reduce::Operator;

/// Combines the inputs of the ranks from `first` to before `last` as a tree does, or one by one
/// from the last.
void reduce_ranks(const Pattern& pattern, std::uint32_t first, std::uint32_t last, bool tree,
                  std::vector<std::byte>& out) {
  fill_input(pattern, first, out);
  if (last - first == 1) return;
  const std::uint32_t middle = tree ? first + (last - first) / 2 : first + 1;
  std::vector<std::byte> other(out.size());
  reduce_ranks(pattern, first, middle, tree, out);
  reduce_ranks(pattern, middle, last, tree, other);
  const std::size_t count = out.size() / reduce::size_bytes(pattern.type);
  const auto reduction = reduce::reduction(pattern.type, pattern.op, pattern.ranks);
  if (last - first == pattern.ranks) {
    reduction.complete(out.data(), other.data(), out.data(), count);
  } else {
    reduction.combine(out.data(), other.data(), out.data(), count);
  }
}

std::vector<std::byte> reduced(const Pattern& pattern, std::size_t count, bool tree) {
  std::vector<std::byte> out(count * reduce::size_bytes(pattern.type));
  reduce_ranks(pattern, 0, pattern.ranks, tree, out);
  return out;
}

/// Every sum of some of the values is a whole multiple of the unit, 1 to 8, up to `total`: it is
/// exact if all such multiples are numbers of the type.
template <class T>
void expect_exact_sums(const Pattern& pattern) {
  constexpr std::size_t kCount = 200;
  std::vector<double> total(kCount, 0);
  std::vector<double> unit(kCount, 8);
  std::vector<T> input(kCount);
  for (std::uint32_t rank = 0; rank < pattern.ranks; ++rank) {
    fill_input(pattern, rank, std::as_writable_bytes(std::span(input)));
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto value = static_cast<float>(input[i]);
      ASSERT_GE(value, 0);
      total[i] += value;
      while (std::fmod(value, unit[i]) != 0) unit[i] /= 2;
    }
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_GT(total[i], 0);
    for (double sum = 0; sum <= total[i]; sum += unit[i]) {
      ASSERT_EQ(static_cast<float>(T(static_cast<float>(sum))), sum) << reduce::name(pattern.type);
    }
  }
}

TEST(Pattern, IsExactInAnyOrderForEveryTypeAndOperator) {
  for (const ElementType type : reduce::kElementTypes) {
    for (const Operator op : reduce::kOperators) {
      for (const std::uint32_t ranks : {1U, 2U, 3U, 7U, 13U, 1024U}) {
        const Pattern pattern{type, op, ranks, 3};
        for (const bool tree : {false, true}) {
          const Verdict verdict = verify_reduction(pattern, 0, reduced(pattern, 50, tree));
          EXPECT_EQ(verdict.wrong, 0U) << reduce::name(type) << " " << reduce::name(op) << " "
                                       << ranks << ": " << verdict.first;
        }
      }
    }
  }
}

/// Whatever the order and grouping: no sum of any ranks' values needs a rounding. These are all
/// positive, so that no sum is greater than that of all, and all are multiples of the least.
TEST(Pattern, OfNarrowFloatsHasOnlyExactSums) {
  for (const ElementType type : reduce::kElementTypes) {
    reduce::visit(type, [type]<class T>(T) {
      if constexpr (!std::is_arithmetic_v<T>) {
        for (const std::uint32_t ranks : {1U, 2U, 3U, 5U, 100U, 1024U}) {
          expect_exact_sums<T>({type, Operator::sum, ranks, 7});
        }
      }
    });
  }
}

TEST(Pattern, ShowsAFlippedBitAndNamesTheElement) {
  const Pattern pattern{ElementType::int32, Operator::sum, 4, 0};
  std::vector<std::byte> result = reduced(pattern, 100, false);
  result[4 * 42 + 1] ^= std::byte{1};
  const Verdict verdict = verify_reduction(pattern, 0, result);
  EXPECT_EQ(verdict.wrong, 1U);
  EXPECT_EQ(verdict.first.rfind("element 42 is ", 0), 0U) << verdict.first;
}

TEST(Pattern, ShowsDataOfAnotherSeedPositionOrNumberOfRanks) {
  for (const ElementType type : {ElementType::float16, ElementType::float32, ElementType::bfloat16,
                                 ElementType::float8_e4m3, ElementType::float8_e5m2}) {
    for (const Operator op : reduce::kOperators) {
      const Pattern pattern{type, op, 3, 5};
      const std::vector<std::byte> right = reduced(pattern, 1000, false);
      EXPECT_GT(verify_reduction({type, op, 3, 6}, 0, right).wrong, 300U);
      EXPECT_GT(verify_reduction({type, op, 4, 5}, 0, right).wrong, 150U);
      const auto element = static_cast<std::ptrdiff_t>(reduce::size_bytes(type));
      const std::vector<std::byte> shifted(right.begin() + element, right.end());
      EXPECT_GT(verify_reduction(pattern, 0, shifted).wrong, 300U);
    }
  }
}

/// The average of many 8-bit integers is nearly always 0.
bool is_dull(ElementType type, Operator op) {
  return op == Operator::avg && (type == ElementType::int8 || type == ElementType::uint8);
}

/// Most positions, whatever the type, operator and number of ranks.
TEST(Pattern, ShowsWhatAnotherSeedLeft) {
  for (const ElementType type : reduce::kElementTypes) {
    for (const Operator op : reduce::kOperators) {
      for (const std::uint32_t ranks : {2U, 8U, 64U, 1024U}) {
        if (is_dull(type, op) && ranks > 8) continue;
        const std::vector<std::byte> stale = reduced({type, op, ranks, 1}, 1000, true);
        EXPECT_GT(verify_reduction({type, op, ranks, 2}, 0, stale).wrong, 500U)
            << reduce::name(type) << " " << reduce::name(op) << " " << ranks;
      }
    }
  }
}

TEST(Pattern, ShowsABufferThatNobodyWrote) {
  for (const ElementType type : reduce::kElementTypes) {
    for (const Operator op : reduce::kOperators) {
      const Pattern pattern{type, op, 64, 1};
      const std::vector<std::byte> zeros(1000 * reduce::size_bytes(type));
      EXPECT_GT(verify_reduction(pattern, 0, zeros).wrong, is_dull(type, op) ? 400U : 900U)
          << reduce::name(type) << " " << reduce::name(op);
    }
  }
}

TEST(Pattern, IsRightOnNothing) {
  EXPECT_EQ(verify_reduction({ElementType::float64, Operator::max, 2, 0}, 0, {}).wrong, 0U);
}

TEST(Pattern, IsVerifiedFromAnyElementOn) {
  const Pattern pattern{ElementType::int32, Operator::sum, 1, 3};
  std::vector<std::byte> input(400);
  fill_input(pattern, 0, input);
  const auto part = std::span(input).subspan(40, 80);
  EXPECT_EQ(verify_reduction(pattern, 10, part).wrong, 0U);
  EXPECT_GT(verify_reduction(pattern, 11, part).wrong, 15U);
  EXPECT_EQ(verify_copy(pattern, 0, 10, part).wrong, 0U);
  EXPECT_GT(verify_copy(pattern, 1, 10, part).wrong, 15U);
  part[8] ^= std::byte{1};
  EXPECT_EQ(verify_copy(pattern, 0, 10, part).first.rfind("element 12 is ", 0), 0U);
}

TEST(Pattern, OfCopiesDiffersEverywhere) {
  for (const std::size_t element_bytes : {1, 2, 4, 8}) {
    const Pattern pattern = pattern_of_copies(element_bytes, 4);
    std::vector<std::byte> input(1024 * element_bytes);
    fill_input(pattern, 2, input);
    EXPECT_EQ(verify_copy(pattern, 2, 0, input).wrong, 0U);
    EXPECT_GT(verify_copy(pattern, 3, 0, input).wrong, 1000U);
  }
}

}  // namespace
}  // namespace railgauge::measure
