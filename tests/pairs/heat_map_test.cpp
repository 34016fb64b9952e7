#include "pairs/heat_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "fabric_of_pairs.hpp"

namespace railgauge::pairs {
namespace {

/// Every two NICs of different hosts, filled in by `cell(from, to)`.
template <class Rule>
Map drawn(Map map, Rule cell) {
  for (std::size_t from = 0; from < map.nics().size(); ++from) {
    for (std::size_t to = 0; to < map.nics().size(); ++to) {
      if (map.nics()[from].host != map.nics()[to].host) map.set(from, to, cell(from, to));
    }
  }
  return map;
}

Map fabric(std::size_t hosts, int rails) {
  std::vector<results::Endpoint> nics;
  for (const Nic& nic : Hosts(hosts, rails).nics)
    nics.push_back({.host = nic.host, .rail = nic.rail, .device = nic.device});
  return Map(std::move(nics));
}

Map::Cell good(double share = 1) {
  return {.works = true, .share = share, .text = "10 GB/s, 2 us"};
}

Map::Cell broken() {
  return {.text = "nobody answered"};
}

Map one_of_each() {
  return drawn(fabric(2, 2), [](std::size_t from, std::size_t to) {
    if (from == 1 && to == 2) return broken();
    return good(from == 0 && to == 2 ? 0.4 : 1);
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
  std::vector<results::Endpoint> nics = fabric(2, 2).nics();
  for (results::Endpoint& nic : nics) nic.plane = std::exchange(nic.rail, 0);
  const Map map = drawn(Map(nics), [](std::size_t from, std::size_t to) {
    return from % 2 == to % 2 ? good() : broken();
  });
  EXPECT_EQ(heat_map(map, false),
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
  const Map map = drawn(fabric(8, 8), [](auto, auto) { return good(); });
  std::istringstream lines(heat_map(map, false));
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  EXPECT_LE(widest, 100U);
}

TEST(HeatMap, NumbersHostsDownwards) {
  const Map map = drawn(fabric(12, 1), [](auto, auto) { return good(); });
  const std::string text = heat_map(map, false);
  EXPECT_NE(text.find("1 1\n"), std::string::npos);
  EXPECT_NE(text.find("8 9 0 1\n"), std::string::npos);
}

TEST(HeatMap, CountsTenthsOfTheMedian) {
  EXPECT_EQ(tenths(good(0)), 0);
  EXPECT_EQ(tenths(good(0.499)), 4);
  EXPECT_EQ(tenths(good(1)), 9);
  EXPECT_EQ(tenths(good(5)), 9);
}

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(Picture, HasASquareForEveryPair) {
  const Map map = drawn(fabric(3, 2), [](std::size_t from, std::size_t to) {
    return from == 0 && to == 2 ? broken() : good();
  });
  const std::string svg = picture(map);
  EXPECT_EQ(count(svg, "</title></rect>"), 24 + 11);  // the legend has 10 colours and a cross
  EXPECT_EQ(count(svg, "<rect class='gap'"), 1 + 1);
  EXPECT_NE(svg.find("host0 0 mlx5_0 to host1 0 mlx5_0: nobody answered<"), std::string::npos);
  EXPECT_NE(svg.find(": 10 GB/s, 2 us<"), std::string::npos);
}

TEST(Picture, NamesItsAxes) {
  const std::string svg = picture(drawn(fabric(3, 2), [](auto, auto) { return good(); }));
  EXPECT_NE(svg.find(">sends: host, rail, device<"), std::string::npos);
  EXPECT_NE(svg.find(">receives: host, rail<"), std::string::npos);
  EXPECT_NE(svg.find("rotate(-90)'"), std::string::npos) << "names of hosts would overlap";
}

TEST(Picture, OfNothingIsOne) {
  EXPECT_TRUE(picture(Map({})).ends_with("</svg>\n"));
}

}  // namespace

}  // namespace railgauge::pairs
