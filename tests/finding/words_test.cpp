#include "finding/words.hpp"

#include <gtest/gtest.h>

#include "finding/number_in.hpp"

namespace railgauge::finding {
namespace {

TEST(Words, Numbers) {
  EXPECT_EQ(number(12.345), "12.3");
  EXPECT_EQ(number(12.345, "GB/s"), "12.3 GB/s");
  EXPECT_EQ(number(3, ""), "3");
  EXPECT_EQ(number(4096, "bytes"), "4096 bytes");
  EXPECT_EQ(number(12345, "us"), "12345 us");
  EXPECT_EQ(number(1.2e9, 2), "1.2e+09");
  EXPECT_EQ(number(999.4, "us"), "999 us");
  EXPECT_EQ(number(999.5, "us"), "1000 us");
  EXPECT_EQ(number(-999.7), "-1000");
  EXPECT_EQ(number(999.7, 4), "999.7");
  EXPECT_EQ(number(999.97, 4), "1000");
  EXPECT_EQ(number(9.161e-5, "GB/s"), "0.0000916 GB/s");
  EXPECT_EQ(number(-9.999e-5), "-0.0001");
  EXPECT_EQ(number(1e-8), "0.00000001");
  EXPECT_EQ(number(1e-12), "1e-12");
  EXPECT_EQ(number(0), "0");
}

TEST(Words, AreWholeNumbersOrNone) {
  EXPECT_EQ(number_in<int>("-12"), -12);
  EXPECT_EQ(number_in<double>("1.5e3"), 1500);
  for (const char* const none : {"", " 1", "1 ", "1x", "0x1", "+1", "1.0", "3000000000"})
    EXPECT_EQ(number_in<int>(none), std::nullopt) << none;
  EXPECT_EQ(number_in<unsigned>("-1"), std::nullopt);
}

TEST(Words, SmallSharesAreNotZero) {
  EXPECT_EQ(percent(0.123), "12.3 %");
  EXPECT_EQ(percent(0.00012), "0.012 %");
  EXPECT_EQ(percent(0), "0.0 %");
}

TEST(Words, Counts) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(2, "switch", "switches"), "2 switches");
}

TEST(Words, Lists) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(joined({"a", "b"}, "; "), "a; b");
  EXPECT_EQ(first_of({"a", "b"}, 1), "a and 1 more");
  EXPECT_EQ(first_of({"a", "b", "c"}, 3), "a, b and c");
  EXPECT_EQ(first_of({"a", "b", "c", "d"}, 3), "a, b and 2 more");
}

TEST(Words, AreSplitAtTheirSeparator) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(split(""), Words());
  EXPECT_EQ(split("a"), Words{"a"});
  EXPECT_EQ(split("a,b,,"), (Words{"a", "b", ""}));
  EXPECT_EQ(split("a,b+c", '+'), (Words{"a,b", "c"}));
}

}  // namespace
}  // namespace railgauge::finding
