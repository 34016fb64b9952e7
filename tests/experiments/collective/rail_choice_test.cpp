#include "experiments/collective/rail_choice.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace railgauge::runner {
namespace {

using results::SweepPoint;

TEST(RailChoice, IsReadFromAWord) {
  EXPECT_EQ(parse_rail_choice("all").kind, RailChoice::Kind::all);
  EXPECT_EQ(parse_rail_choice("each").kind, RailChoice::Kind::each);
  EXPECT_EQ(parse_rail_choice("own").kind, RailChoice::Kind::own);
  EXPECT_EQ(parse_rail_choice("10").rails, RailSet{10});
  EXPECT_EQ(parse_rail_choice("3+0").rails, (RailSet{0, 3}));
  for (const char* word : {"", "+", "0+", "+0", "0++1", "-1", "0,1", "1x", "0+0", "All"}) {
    EXPECT_THROW((void)parse_rail_choice(word), std::invalid_argument) << word;
  }
}

TEST(RailChoice, IsWrittenAsTheWordThatReadsAsIt) {
  for (const char* text : {"all", "each", "own", "0", "0+3"}) {
    EXPECT_EQ(word(parse_rail_choice(text)), text);
  }
}

TEST(RailPoints, AreOfRailsThatAreThere) {
  const std::vector<RailChoice> choices{parse_rail_choice("each"), parse_rail_choice("all"),
                                        parse_rail_choice("0+2"), parse_rail_choice("own")};
  EXPECT_EQ(rail_points(choices, 3),
            (std::vector<SweepPoint>{{.rails = {0}},
                                     {.rails = {1}},
                                     {.rails = {2}},
                                     {.rails = {0, 1, 2}},
                                     {.rails = {0, 2}},
                                     {.rails = {0, 1, 2}, .own_rails = true}}));
}

TEST(RailPoints, RefuseARailThatIsNotThere) {
  try {
    (void)rail_points({parse_rail_choice("0+2")}, 2);
    ADD_FAILURE() << "rail 2 of 2";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "--rails 0+2: there is no rail 2; hosts have 2, counted from 0");
  }
}

}  // namespace
}  // namespace railgauge::runner
