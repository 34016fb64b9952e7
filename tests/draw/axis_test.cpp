#include "draw/axis.hpp"

#include <gtest/gtest.h>

namespace railgauge::draw {
namespace {

using Numbers = std::vector<double>;

TEST(Axis, RoundsUp) {
  EXPECT_DOUBLE_EQ(rounded_up(1), 1);
  EXPECT_DOUBLE_EQ(rounded_up(1.01), 2);
  EXPECT_DOUBLE_EQ(rounded_up(33), 50);
  EXPECT_DOUBLE_EQ(rounded_up(0.006), 0.01);
  EXPECT_DOUBLE_EQ(rounded_up(0), 1);
}

TEST(Axis, HasRoundNumbersFromEndToEnd) {
  EXPECT_EQ(ticks(3.4, 14.2, 5), (Numbers{5, 10}));
  EXPECT_EQ(ticks(0, 10, 5), (Numbers{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks(7, 7, 5), Numbers{7});
}

}  // namespace
}  // namespace railgauge::draw
