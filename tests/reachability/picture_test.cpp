#include <gtest/gtest.h>

#include "reachability/fabric.hpp"
#include "reachability/heat_map.hpp"

namespace railgauge::reachability {
namespace {

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(Picture, HasASquareForEveryPair) {
  const Matrix matrix = filled(fabric(3, 2), [](std::size_t from, std::size_t to) {
    return from == 0 && to == 2 ? fails() : works();
  });
  const std::string svg = picture(matrix);
  EXPECT_EQ(count(svg, "</title></rect>"), 24);
  EXPECT_EQ(count(svg, "#111827"), 1);
  EXPECT_NE(svg.find("host0 rail 0 (mlx5_0, 10.0.0.0) to host1 rail 0 (mlx5_0, 10.0.0.1): nobody "
                     "answered<"),
            std::string::npos);
  EXPECT_NE(svg.find(": 10 GB/s, 2 us<"), std::string::npos);
}

TEST(Picture, OfNothingIsOne) {
  EXPECT_TRUE(picture(Matrix({})).ends_with("</svg>\n"));
}

}  // namespace
}  // namespace railgauge::reachability
