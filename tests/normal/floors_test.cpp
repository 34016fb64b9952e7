#include "normal/floors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace railgauge::normal {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

TEST(Floors, OneTimeIsUsual) {
  const Floors floors = floors_of({5}, 3);
  EXPECT_EQ(floors.usual, 5);
  EXPECT_EQ(floors.factor, 3);
  EXPECT_EQ(floors.spread, 0);
  EXPECT_EQ(floors.after_gap, kNone);
}

TEST(Floors, AreOfTheFasterQuarter) {
  const Floors floors = floors_of({40, 10, 11, 12, 45}, 3);
  EXPECT_EQ(floors.usual, 11);
  EXPECT_EQ(floors.spread, 2);
  EXPECT_EQ(floors.after_gap, 40);
}

TEST(Floors, MoreIsAskedForWhereFastOnesDiffer) {
  EXPECT_DOUBLE_EQ(floors_of({10, 40, 41, 42, 43}, 3).factor, 3 * std::sqrt(4.0));
}

/// Each is less than twice the one before, though the last is ten times the first.
TEST(Floors, EvenlySpreadTimesHaveNoGap) {
  EXPECT_EQ(floors_of({10, 16, 25, 40, 63, 100}, 3).after_gap, kNone);
}

/// A gap below what is usual says that a few are fast, such as those on one host.
TEST(Floors, AGapBelowTheUsualDoesNotCount) {
  EXPECT_EQ(floors_of({1, 10, 11, 12, 13, 14, 15, 16}, 3).after_gap, kNone);
}

TEST(Floors, NothingIsAFactorOfZero) {
  EXPECT_EQ(floors_of({0, 5, 6, 7, 8}, 3).factor, 3);
}

}  // namespace
}  // namespace railgauge::normal
