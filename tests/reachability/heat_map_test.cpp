#include "reachability/heat_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "reachability/fabric.hpp"

namespace railgauge::reachability {
namespace {

Matrix one_of_each() {
  return filled(fabric(2, 2), [](std::size_t from, std::size_t to) {
    if (from == 1 && to == 2) return fails();
    return works(from == 0 && to == 2 ? 4 : 10);
  });
}

TEST(HeatMap, HasALineForEverySender) {
  EXPECT_EQ(heat_map(one_of_each(), false),
            "                      0  1 \n"
            "    host         rail 01 01\n"
            "  0 host0 mlx5_0    0 .. 49\n"
            "  0 host0 mlx5_1    1 .. X9\n"
            "  1 host1 mlx5_0    0 99 ..\n"
            "  1 host1 mlx5_1    1 99 ..\n");
}

TEST(HeatMap, HasALineOfPlanesWhereRailsHaveSeveral) {
  std::vector<Nic> nics = fabric(2, 2).nics();
  for (Nic& nic : nics) nic.plane = std::exchange(nic.rail, 0);
  const Matrix matrix = filled(Matrix(nics), [](std::size_t from, std::size_t to) {
    return from % 2 == to % 2 ? works() : fails();
  });
  EXPECT_EQ(heat_map(matrix, false),
            "                      0  1 \n"
            "    host         rail 00 00\n"
            "                      01 01\n"
            "  0 host0 mlx5_0  0.0 .. 9X\n"
            "  0 host0 mlx5_1  0.1 .. X9\n"
            "  1 host1 mlx5_0  0.0 9X ..\n"
            "  1 host1 mlx5_1  0.1 X9 ..\n");
}

TEST(HeatMap, HasColoursIfAsked) {
  EXPECT_EQ(heat_map(one_of_each(), false).find('\033'), std::string::npos);
  EXPECT_NE(heat_map(one_of_each(), true).find("\033[30;48;5;46m9\033[0m"), std::string::npos);
}

TEST(HeatMap, Of64NicsFitsInto100Columns) {
  const Matrix matrix = filled(fabric(8, 8), [](auto, auto) { return works(); });
  std::istringstream lines(heat_map(matrix, false));
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  EXPECT_LE(widest, 100U);
}

TEST(HeatMap, NumbersHostsDownwards) {
  const Matrix matrix = filled(fabric(12, 1), [](auto, auto) { return works(); });
  const std::string map = heat_map(matrix, false);
  EXPECT_NE(map.find("1 1\n"), std::string::npos);
  EXPECT_NE(map.find("8 9 0 1\n"), std::string::npos);
}

TEST(HeatMap, CountsTenthsOfTheMedian) {
  const Kind kind{.median_gigabytes_per_second = 10};
  EXPECT_EQ(tenths(works(0), kind), 0);
  EXPECT_EQ(tenths(works(4.99), kind), 4);
  EXPECT_EQ(tenths(works(10), kind), 9);
  EXPECT_EQ(tenths(works(50), kind), 9);
  EXPECT_EQ(tenths(works(50), Kind{}), 0);
}

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
  EXPECT_EQ(count(svg, "</title></rect>"), 24 + 11);  // the legend has 10 colours and a cross
  EXPECT_EQ(count(svg, "<rect class='gap'"), 1 + 1);
  EXPECT_NE(svg.find("host0 rail 0 (mlx5_0, 10.0.0.0) to host1 rail 0 (mlx5_0, 10.0.0.1): nobody "
                     "answered<"),
            std::string::npos);
  EXPECT_NE(svg.find(": 10 GB/s, 2 us<"), std::string::npos);
}

TEST(Picture, NamesItsAxes) {
  const std::string svg = picture(filled(fabric(3, 2), [](auto, auto) { return works(); }));
  EXPECT_NE(svg.find(">sends: host, rail, device<"), std::string::npos);
  EXPECT_NE(svg.find(">receives: host, rail<"), std::string::npos);
  EXPECT_NE(svg.find("rotate(-90)'"), std::string::npos) << "names of hosts would overlap";
}

TEST(Picture, OfNothingIsOne) {
  EXPECT_TRUE(picture(Matrix({})).ends_with("</svg>\n"));
}

}  // namespace

}  // namespace railgauge::reachability
