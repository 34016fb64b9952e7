#include "experiments/collective/split.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "experiments/collective/parsed_collective.hpp"

namespace railgauge::runner {
namespace {

using By = SplitRule::By;
using Members = std::vector<std::vector<schedule::Rank>>;

/// Two hosts of four ranks, each with a rail of its own.
std::vector<RankPlace> two_hosts() {
  std::vector<RankPlace> ranks;
  for (unsigned rank = 0; rank < 8; ++rank) ranks.push_back({rank < 4 ? "a" : "b", {rank % 4}});
  return ranks;
}

Members members_of(const std::string& word) {
  return groups_of(parse_split(word), two_hosts()).members();
}

std::string mistake_of(const std::string& word) {
  try {
    (void)parse_split(word);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Split, IsReadAsNcclTestsDoes) {
  EXPECT_EQ(parse_split("MOD 8"), (SplitRule{By::remainder, 8}));
  EXPECT_EQ(parse_split("mod8"), (SplitRule{By::remainder, 8}));
  EXPECT_EQ(parse_split("DIV  0x10"), (SplitRule{By::quotient, 16}));
  EXPECT_EQ(parse_split("And 0X7"), (SplitRule{By::bits_and, 7}));
  EXPECT_EQ(parse_split("OR 3"), (SplitRule{By::bits_or, 3}));
  EXPECT_EQ(parse_split("pairs"), (SplitRule{By::quotient, 2}));
  EXPECT_EQ(parse_split("none"), SplitRule{});
}

TEST(Split, RefusesWhatNamesNoGroups) {
  for (const char* word : {"", "MOD", "MOD 0", "DIV 0", "MOD x", "MOD 8 8", "XOR 1", "AND 0xg",
                           "MOD -1", "nodes", "MOD 99999999999999999999", "8"}) {
    EXPECT_NE(mistake_of(word).find("such as \"MOD 8\""), std::string::npos) << word;
  }
}

TEST(Split, IsPrintedAsItIsRead) {
  for (const char* word : {"MOD 8", "DIV 2", "AND 7", "OR 3", "none", "node", "rail"})
    EXPECT_EQ(text_of(parse_split(word)), word);
}

TEST(Split, MakesTheGroupsOfItsRule) {
  EXPECT_EQ(members_of("none"), (Members{{0, 1, 2, 3, 4, 5, 6, 7}}));
  EXPECT_EQ(members_of("MOD 4"), (Members{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(members_of("AND 3"), members_of("MOD 4"));
  EXPECT_EQ(members_of("AND 0"), members_of("none"));
  EXPECT_EQ(members_of("OR 3"), members_of("DIV 4"));
  EXPECT_EQ(members_of("node"), (Members{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(members_of("rail"), members_of("MOD 4"));
  EXPECT_EQ(members_of("pairs"), (Members{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

TEST(Split, RefusesGroupsOfSeveralSizesByName) {
  try {
    (void)members_of("MOD 3");
    FAIL() << "was taken";
  } catch (const std::invalid_argument& uneven) {
    EXPECT_STREQ(uneven.what(),
                 "--split MOD 3: groups of 2 to 3 ranks; every group must have the "
                 "same number of ranks");
  }
}

TEST(Split, IsAnOptionOfCollectivesThatHaveNoMatrix) {
  const auto parsed = parse({"--split", "MOD 2", "--rails", "0"});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(text_of(parsed.options.split), "MOD 2");
  EXPECT_EQ(parse({}).options.split, SplitRule{});
  EXPECT_NE(mistake({"--split", "MOD 2"}, schedule::Collective::all_to_all_v), "");
}

}  // namespace
}  // namespace railgauge::runner
