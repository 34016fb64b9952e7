#include "pairs/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "fabric_of_pairs.hpp"

namespace railgauge::pairs {
namespace {

std::vector<Pair> chosen(const Hosts& hosts, const std::string& text, bool cross_rail = false) {
  Selection selection = parse_selection(text);
  selection.cross_rail = cross_rail;
  return pairs_of(hosts.nics, hosts.host_of, selection);
}

void expect_sound(const Hosts& hosts, const std::vector<Pair>& pairs) {
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const Pair& pair : pairs) {
    EXPECT_NE(hosts.host_of[pair.first], hosts.host_of[pair.second]);
    EXPECT_TRUE(seen.insert(std::minmax(pair.first, pair.second)).second) << "twice";
  }
}

TEST(Selection, AllNicsOfARailMeetOnce) {
  for (const std::size_t count : {2U, 3U, 5U, 8U}) {
    const Hosts hosts(count, 3);
    const auto pairs = chosen(hosts, "nics");
    expect_sound(hosts, pairs);
    EXPECT_EQ(pairs.size(), 3 * count * (count - 1) / 2);
    EXPECT_TRUE(std::ranges::all_of(pairs, [&](const Pair& pair) {
      return hosts.nics[pair.first].rail == hosts.nics[pair.second].rail;
    }));
    EXPECT_EQ(chosen(hosts, "nics", true).size(), 9 * count * (count - 1) / 2);
  }
}

TEST(Selection, OneHostHasNoPairs) {
  EXPECT_TRUE(chosen(Hosts(1, 4), "nics").empty());
  EXPECT_TRUE(chosen(Hosts(1, 4), "ring").empty());
}

TEST(Selection, AHostThatLacksANicIsMeasuredWithWhatItHas) {
  Hosts hosts(3, 2);
  hosts.nics.pop_back();
  hosts.host_of.pop_back();
  expect_sound(hosts, chosen(hosts, "nics"));
  EXPECT_EQ(chosen(hosts, "nics").size(), 3U + 1U);
}

TEST(Selection, OfTwoHostsOnePairAndAllRailsTakeTurns) {
  const Hosts hosts(6, 4);
  const auto pairs = chosen(hosts, "hosts");
  expect_sound(hosts, pairs);
  EXPECT_EQ(pairs.size(), 15U);
  std::set<int> rails;
  for (const Pair& pair : pairs) rails.insert(hosts.nics[pair.first].rail);
  EXPECT_EQ(rails.size(), 4U);
}

TEST(Selection, ARingIsEveryHostAndTheNext) {
  EXPECT_EQ(chosen(Hosts(6, 2), "ring").size(), 12U);
  EXPECT_EQ(chosen(Hosts(2, 2), "ring").size(), 2U);
}

TEST(Selection, ASkeletonIsWhoSendsToWhom) {
  const Hosts hosts(8, 2);
  EXPECT_EQ(chosen(hosts, "skeleton:ring"), chosen(hosts, "ring"));
  EXPECT_EQ(chosen(hosts, "skeleton:halving-doubling").size(), 2U * 8 * 3 / 2);
}

TEST(Selection, ASampleIsOfAllAndTheSameForTheSameSeed) {
  const Hosts hosts(8, 2);
  const auto pairs = chosen(hosts, "random:10");
  expect_sound(hosts, pairs);
  EXPECT_EQ(pairs.size(), 10U);
  EXPECT_EQ(pairs, chosen(hosts, "random:10"));
  EXPECT_EQ(chosen(hosts, "random:1000").size(), 56U);
}

TEST(Selection, WhatIsNotOneIsExplained) {
  for (const char* text :
       {"", "all", "nics:3", "random", "random:0", "random:x", "skeleton", "skeleton:"}) {
    EXPECT_THROW((void)parse_selection(text), std::invalid_argument) << text;
  }
  try {
    (void)parse_selection("skeleton:rign");
    ADD_FAILURE();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("there are ring"), std::string::npos) << error.what();
  }
  for (const char* text : {"nics", "hosts", "ring", "random:7", "skeleton:tree"})
    EXPECT_EQ(text_of(parse_selection(text)), text);
}

}  // namespace
}  // namespace railgauge::pairs
