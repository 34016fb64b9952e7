#include "report/html.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

using Names = std::vector<std::string>;

TEST(Lists, OfNamesAreShort) {
  EXPECT_EQ(listed(Names{}), "");
  EXPECT_EQ(listed(Names{"a", "b", "c", "d"}), "a, b, c, d");  // "and 1 more" would be no shorter
  EXPECT_EQ(listed(Names{"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
}

TEST(Lists, OfNumbersHaveRanges) {
  EXPECT_EQ(listed(std::vector<int>{}), "");
  EXPECT_EQ(listed(std::vector<int>{1, 0}), "0, 1");
  EXPECT_EQ(listed(std::vector<int>{0, 1, 2, 3, 7, 9, 10}), "0-3, 7, 9, 10");
}

TEST(Lists, SpreadHasBothEnds) {
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(spread(0, 3), Places{});
  EXPECT_EQ(spread(3, 3), (Places{0, 1, 2}));
  EXPECT_EQ(spread(27, 3), (Places{0, 13, 26}));
}

}  // namespace
}  // namespace railgauge::report
