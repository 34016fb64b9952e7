#include "runner/collective/setting.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::runner {
namespace {

TEST(RailChoice, IsReadFromAWord) {
  EXPECT_EQ(parse_rail_choice("all").kind, RailChoice::Kind::all);
  EXPECT_EQ(parse_rail_choice("each").kind, RailChoice::Kind::each);
  EXPECT_EQ(parse_rail_choice("own").kind, RailChoice::Kind::own);
  EXPECT_EQ(parse_rail_choice("10").rails, RailSet{10});
  EXPECT_EQ(parse_rail_choice("3+0").rails, (RailSet{0, 3}));
  for (const char* word : {"", "+", "0+", "+0", "-1", "0,1", "1x", "0+0"}) {
    EXPECT_THROW((void)parse_rail_choice(word), std::invalid_argument) << word;
  }
}

TEST(RailUses, AreOfRailsThatAreThere) {
  const std::vector<RailChoice> choices{parse_rail_choice("each"), parse_rail_choice("all"),
                                        parse_rail_choice("0+2"), parse_rail_choice("own")};
  EXPECT_EQ(rail_uses(choices, 3),
            (std::vector<RailUse>{
                {{0}}, {{1}}, {{2}}, {{0, 1, 2}}, {{0, 2}}, {.rails = {0, 1, 2}, .own = true}}));
  EXPECT_THROW((void)rail_uses(choices, 2), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::runner
