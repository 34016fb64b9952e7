#include "runner/isolation/tested_nics.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

TestedNic on(const std::string& host, int rail, double link) {
  return {.nic = {host, "mlx5_" + std::to_string(rail), rail, link}};
}

TEST(SlowerLinks, OfEqualOnesAreNone) {
  EXPECT_TRUE(
      slower_links({on("a", 0, 400), on("b", 0, 400), on("a", 1, 100), on("b", 1, 100)}).empty());
}

/// A rail's links have to be alike, and not those of different rails.
TEST(SlowerLinks, AreSaidOfTheirRail) {
  const auto texts = slower_links({on("a", 0, 400), on("b", 0, 100), on("a", 1, 400)});
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0].find("the link of b mlx5_0 has 100 Gb/s, and that of a mlx5_0 400: "), 0U)
      << texts[0];
}

TEST(SlowerLinks, AreNotThoseThatDoNotSay) {
  EXPECT_TRUE(slower_links({on("a", 0, 400), on("b", 0, 0)}).empty());
}

}  // namespace
}  // namespace railgauge::runner
