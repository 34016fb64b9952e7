#include "normal/others.hpp"

#include <gtest/gtest.h>

namespace railgauge::normal {
namespace {

TEST(Majority, OfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(majority(std::vector<double>{7}), 7);
  EXPECT_EQ(majority(std::vector<double>{5, 1, 9}), 5);
  EXPECT_EQ(majority(std::vector<double>{9, 1, 5, 2}), 3.5);
}

TEST(Others, AreAllButTheOne) {
  const Others of_two({3, 8});
  EXPECT_EQ(of_two.of(0), 8);
  EXPECT_EQ(of_two.of(1), 3);
  const Others of_three({1, 50, 2});
  EXPECT_EQ(of_three.of(1), 1.5);
  EXPECT_EQ(of_three.of(0), 26);
  const Others of_four({4, 4, 4, 100});
  EXPECT_EQ(of_four.of(0), 4);
  EXPECT_EQ(of_four.of(3), 4);
  EXPECT_EQ(Others({5}).of(0), 0);
}

}  // namespace
}  // namespace railgauge::normal
