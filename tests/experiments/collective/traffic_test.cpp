#include "experiments/collective/traffic.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>
#include <stdexcept>

namespace railgauge::runner {
namespace {

std::size_t sum(const std::vector<std::size_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

TEST(Traffic, HasNoMoreThanAskedForAndHardlyLess) {
  for (const std::size_t ranks : {1U, 2U, 3U, 5U, 6U, 7U, 8U, 12U, 13U}) {
    for (const unsigned percent : {0U, 50U, 100U}) {
      for (const std::size_t most : {0U, 1U, 1000U, 1'000'000U}) {
        const Blocks blocks = Traffic(ranks, percent).blocks(most);
        EXPECT_LE(blocks.most(), most);
        EXPECT_GE(blocks.most() + ranks, most);
      }
    }
  }
}

TEST(Traffic, WhatOneSendsAnotherTakes) {
  const Blocks blocks = Traffic(5, 80).blocks(10'000);
  for (std::size_t from = 0; from < 5; ++from) {
    for (std::size_t to = 0; to < 5; ++to) EXPECT_EQ(blocks.from(from)[to], blocks.to(to)[from]);
    EXPECT_LE(sum(blocks.from(from)), blocks.most());
    EXPECT_LE(sum(blocks.to(from)), blocks.most());
  }
}

TEST(Traffic, SpreadsAsFarAsAsked) {
  const auto even = Traffic(4, 0).blocks(400).from(2);
  EXPECT_EQ(even, (std::vector<std::size_t>{100, 100, 100, 100}));
  const auto uneven = Traffic(4, 50).blocks(100'000).from(2);
  EXPECT_NE(uneven[0], uneven[1]);
}

TEST(Traffic, IsReadFromAMatrix) {
  std::istringstream matrix("0 3\n\n1 0.5\n");
  const Blocks blocks = Traffic(2, matrix, "m").blocks(350);
  EXPECT_EQ(blocks.from(0), (std::vector<std::size_t>{0, 300}));
  EXPECT_EQ(blocks.from(1), (std::vector<std::size_t>{100, 50}));
  EXPECT_EQ(blocks.most(), 350U);
}

TEST(Traffic, RefusesAMatrixThatDoesNotFitWithItsLine) {
  const auto refused = [](const std::string& text, const std::string& why) {
    std::istringstream matrix(text);
    try {
      (void)Traffic(2, matrix, "m");
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused("", "m has 0 lines");
  refused("1 2\n", "m has 1 lines");
  refused("1 2\n3\n", "m, line 2 has 1 numbers for 2 ranks");
  refused("1 2\n3 -4\n", "m, line 2: '-4'");
  refused("1 2\n3 4x\n", "m, line 2: '4x'");
  refused("1 nan\n3 4\n", "m, line 1: 'nan'");
  refused("0 0\n0 0\n", "m sends nothing");
}

}  // namespace
}  // namespace railgauge::runner
