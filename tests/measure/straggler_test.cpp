#include "measure/straggler.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace railgauge::measure {
namespace {

TEST(Straggler, IsTheRankThatTheOthersWaitFor) {
  const std::vector<double> own_us{10, 11, 60, 9, 10};
  const auto found = find_straggler(own_us, 70);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rank, 2U);
  EXPECT_EQ(found->own_us, 60);
  EXPECT_EQ(found->others_us, 10);
}

TEST(Straggler, NobodyIsAmongRanksThatDifferAlike) {
  EXPECT_FALSE(find_straggler(std::vector<double>{10, 12, 14, 16, 18}, 20));
}

TEST(Straggler, NobodyIsForAQuarterOfTheTimeOrLess) {
  EXPECT_FALSE(find_straggler(std::vector<double>{10, 10, 10, 20}, 40));
  EXPECT_TRUE(find_straggler(std::vector<double>{10, 10, 10, 21}, 40));
}

TEST(Straggler, TwoRanksHaveNobodyToDifferFrom) {
  EXPECT_FALSE(find_straggler(std::vector<double>{1, 100}, 100));
  EXPECT_TRUE(find_straggler(std::vector<double>{1, 1, 100}, 100));
}

TEST(Straggler, ARankWithLessToDoIsNone) {
  EXPECT_FALSE(find_straggler(std::vector<double>{100, 100, 100, 1}, 100));
}

}  // namespace
}  // namespace railgauge::measure
