#include "verdict/nearest.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

using Names = std::vector<std::string>;

const Names kNames{"dgx-spark-gb10-2x100g-roce", "nebius-h100-ib", "sophia-dgxa100-8x200g-ib",
                   "oci-h100-16x200g-roce"};

TEST(Nearest, IsInWhatItStands) {
  EXPECT_EQ(nearest(kNames, "dgx-spark"), Names{"dgx-spark-gb10-2x100g-roce"});
  EXPECT_EQ(nearest(kNames, "h100"), (Names{"nebius-h100-ib", "oci-h100-16x200g-roce"}));
}

TEST(Nearest, ForgivesSomeLetters) {
  EXPECT_EQ(nearest(kNames, "sofia"), Names{"sophia-dgxa100-8x200g-ib"});
  EXPECT_EQ(nearest(kNames, "nebuis-h100"), Names{"nebius-h100-ib"});
  EXPECT_EQ(nearest({"software-roce", "strict"}, "strikt"), Names{"strict"});
}

TEST(Nearest, IsNothingAtAll) {
  EXPECT_EQ(nearest(kNames, "polaris"), Names{});
  EXPECT_EQ(nearest({}, "x"), Names{});
}

TEST(Nearest, AreThreeAtMost) {
  EXPECT_EQ(nearest({"aa4", "aa3", "aa2", "aa1"}, "aa"), (Names{"aa1", "aa2", "aa3"}));
}

}  // namespace
}  // namespace railgauge::verdict
