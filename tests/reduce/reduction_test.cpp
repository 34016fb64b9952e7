#include "reduce/reduction.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "reduce/definition.hpp"

namespace railgauge::reduce {
namespace {

using Vector = std::vector<std::byte>;

/// Runs `check` once for every kind of vector that this processor has and Highway was built for.
template <class Check>
void on_every_target(const Check& check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

template <class Check>
void for_every_pair(const Check& check) {
  for (const ElementType type : kElementTypes) {
    for (const Operator op : kOperators) {
      SCOPED_TRACE(std::string(name(type)) + " " + std::string(name(op)));
      check(type, op);
    }
  }
}

template <class T>
bool same(const std::byte* found, const std::byte* wanted) {
  if (std::memcmp(found, wanted, sizeof(T)) == 0) return true;
  T left;
  T right;
  std::memcpy(&left, found, sizeof(T));
  std::memcpy(&right, wanted, sizeof(T));
  if constexpr (std::is_integral_v<T>) return false;
  return std::isnan(static_cast<double>(widened(left))) &&
         std::isnan(static_cast<double>(widened(right)));
}

/// The first element that differs, NaN being NaN, or `count`.
std::size_t first_difference(ElementType type, const Vector& found, const Vector& wanted) {
  return visit(type, [&]<class T>(T) {
    const std::size_t count = found.size() / sizeof(T);
    std::size_t i = 0;
    while (i < count && same<T>(&found[i * sizeof(T)], &wanted[i * sizeof(T)])) ++i;
    return i;
  });
}

/// Bits at random, and every so often some that are special in one type or another.
Vector noise(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  Vector result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto bits = static_cast<unsigned>(random());
    constexpr std::array<unsigned, 8> kSpecial{0, 0xff, 0x7f, 0x80, 0x7c, 0x7e, 0x3f, 1};
    result[i] = std::byte(bits % 4 == 0 ? kSpecial[(bits >> 8U) % 8] : (bits >> 16U) & 0xffU);
  }
  return result;
}

void expect_as_defined(ElementType type, Operator op, const Vector& a, const Vector& b,
                       std::uint32_t ranks) {
  const std::size_t count = a.size() / size_bytes(type);
  const Reduction reduction = reduce::reduction(type, op, ranks);
  Vector wanted(a.size());
  Vector found(a.size());
  definition(type, op)(wanted.data(), a.data(), b.data(), count, ranks);
  reduction.complete(found.data(), a.data(), b.data(), count);
  EXPECT_EQ(first_difference(type, found, wanted), count);
  definition(type, op == Operator::avg ? Operator::sum : op)(wanted.data(), a.data(), b.data(),
                                                             count, ranks);
  reduction.combine(found.data(), a.data(), b.data(), count);
  EXPECT_EQ(first_difference(type, found, wanted), count);
}

TEST(Reduction, IsAsDefinedToTheBitOnAnyData) {
  on_every_target([] {
    for_every_pair([](ElementType type, Operator op) {
      for (const std::uint32_t ranks : {1U, 3U, 1024U, 4294967295U}) {
        expect_as_defined(type, op, noise(40000, 1), noise(40000, 2), ranks);
      }
    });
  });
}

/// All pairs of the 8-bit types' codes, all codes of the 16-bit types with all upper bytes.
TEST(Reduction, IsAsDefinedOnEveryPairOfCodes) {
  Vector bytes_a;
  Vector bytes_b;
  Vector words_a;
  Vector words_b;
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      bytes_a.push_back(std::byte(a));
      bytes_b.push_back(std::byte(b));
      words_a.insert(words_a.end(), {std::byte(a), std::byte(b)});
      words_b.insert(words_b.end(), {std::byte(b ^ 0x5aU), std::byte(a)});
    }
  }
  on_every_target([&] {
    for_every_pair([&](ElementType type, Operator op) {
      const bool narrow = size_bytes(type) == 1;
      expect_as_defined(type, op, narrow ? bytes_a : words_a, narrow ? bytes_b : words_b, 5);
    });
  });
}

/// Around one vector and two; from an address that no vector is aligned to; into itself; and
/// without a byte more than that.
void expect_right_size(ElementType type, Operator op, std::size_t count, bool into_a) {
  const std::size_t element = size_bytes(type);
  const Vector before_a = noise((count + 2) * element, 3);
  const Vector before_b = noise((count + 2) * element, 4);
  Vector wanted = into_a ? before_a : before_b;
  definition(type, op)(&wanted[element], &before_a[element], &before_b[element], count, 7);
  Vector a = before_a;
  Vector b = before_b;
  Vector& out = into_a ? a : b;
  reduction(type, op, 7).complete(&out[element], &a[element], &b[element], count);
  EXPECT_EQ(first_difference(type, out, wanted), count + 2) << count << " elements";
}

TEST(Reduction, WorksInPlaceWithAnyCountAndAlignment) {
  on_every_target([] {
    for_every_pair([](ElementType type, Operator op) {
      for (const std::size_t bytes : {0, 16, 32, 64, 128}) {
        const std::size_t lanes = bytes / size_bytes(type);
        for (const std::size_t count : {lanes - 1, lanes, lanes + 1, lanes + 3}) {
          if (count > lanes + 3) continue;  // 0 - 1
          expect_right_size(type, op, count, true);
          expect_right_size(type, op, count, false);
        }
      }
    });
  });
}

TEST(Reduction, OfNothingTouchesNothing) {
  for_every_pair([](ElementType type, Operator op) {
    reduction(type, op, 2).combine(nullptr, nullptr, nullptr, 0);
    reduction(type, op, 2).complete(nullptr, nullptr, nullptr, 0);
  });
}

TEST(Reduction, MayBeLeftOut) {
  const std::array<float, 3> a{1, 2, 3};
  const std::array<float, 3> b{4, 5, 6};
  std::array<float, 3> out{7, 8, 9};
  auto* const into = std::as_writable_bytes(std::span(out)).data();
  const auto* const left = std::as_bytes(std::span(a)).data();
  const auto* const right = std::as_bytes(std::span(b)).data();
  no_reduction().combine(into, left, right, out.size());
  no_reduction().complete(into, left, right, out.size());
  EXPECT_EQ(out, (std::array<float, 3>{7, 8, 9}));
}

}  // namespace
}  // namespace railgauge::reduce
