#include "schedule/layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace railgauge::schedule {
namespace {

/// How often each element of a buffer is in some block of some stripe.
std::vector<int> covered(const Layout& layout, Block blocks, unsigned stripes, std::size_t size) {
  std::vector<int> times(size);
  for (unsigned s = 0; s < stripes; ++s) {
    const Layout stripe = layout.stripe(s, stripes);
    for (Block b = 0; b < blocks; ++b) {
      const auto [begin, end] = stripe.span({b, 1});
      for (std::size_t at = begin; at < end; ++at) ++times.at(stripe.offset_of(at));
    }
  }
  return times;
}

TEST(Layout, CoversEveryElementOnceWhateverTheSizes) {
  for (const Block blocks : {1, 2, 3, 5, 8, 13}) {
    for (const std::size_t size : {0, 1, 2, 7, 12, 13, 14, 1000}) {
      for (const unsigned stripes : {1, 2, 3, 8}) {
        EXPECT_EQ(covered(Layout::whole(size, blocks), blocks, stripes, size),
                  std::vector<int>(size, 1));
        EXPECT_EQ(covered(Layout::each(size, blocks), blocks, stripes, size * blocks),
                  std::vector<int>(size * blocks, 1));
      }
    }
  }
}

TEST(Layout, CutsNearlyEqually) {
  const Layout layout = Layout::whole(10, 4);
  std::vector<std::size_t> sizes;
  for (Block b = 0; b < 4; ++b) sizes.push_back(layout.span({b, 1}).size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 3, 2, 3}));
  EXPECT_EQ(layout.span({1, 2}).size(), 5U);
}

TEST(Layout, KnowsWhereNeighboursPart) {
  const Layout packed = Layout::whole(12, 3);
  EXPECT_GE(packed.run(5), 7U);
  EXPECT_GE(Layout::each(4, 3).run(5), 7U);
  EXPECT_EQ(Layout::each(4, 3).offset_of(5), 5U);
  const Layout half = Layout::each(4, 3).stripe(1, 2);  // elements 2,3 of each block of 4
  EXPECT_EQ(half.elements(), 6U);
  EXPECT_EQ(half.run(2), 2U);
  EXPECT_EQ(half.offset_of(2), 6U);
  EXPECT_EQ(half.offset_of(3), 7U);
  EXPECT_EQ(half.offset_of(4), 10U);
}

TEST(Layout, GoesOnWithBlocksAfterTheOutput) {
  const Layout half = Layout::each(4, 3).stripe(1, 2);
  EXPECT_EQ(half.span({3, 2}).begin, 6U);  // the second buffer begins where the first ends
  EXPECT_EQ(half.span({3, 2}).size(), 4U);
  EXPECT_EQ(Layout::each(1, 1).span({3, 1}).begin, 3U);
}

TEST(Layout, GivesStripesScratchOfTheirOwn) {
  const Layout vector = Layout::whole(10, 1);  // with 3 blocks of scratch: 30 elements
  const Layout second = vector.stripe(1, 2);
  EXPECT_EQ(second.offset_of(second.scratch_shift(3)), 15U);
  EXPECT_EQ(Layout::each(4, 3).stripe(1, 2).scratch_shift(3), 0U);
}

TEST(Layout, TakesBlocksOfAnySizes) {
  const Layout layout = Layout::listed({3, 0, 5}, {2, 2, 7}, 11);
  EXPECT_EQ(layout.elements(), 11U);
  EXPECT_EQ(layout.span({2, 1}).begin, 3U);
  EXPECT_EQ(layout.span({2, 1}).size(), 5U);
  EXPECT_EQ(layout.span({1, 1}).size(), 0U);
  EXPECT_EQ(layout.span({5, 1}).begin, 11U + 4);  // of the input, which is after the output
  const Layout second = layout.stripe(1, 2);
  EXPECT_EQ(second.span({2, 1}).begin, 3U + 2);
  EXPECT_EQ(second.span({2, 1}).size(), 3U);
  EXPECT_EQ(second.offset_of(second.span({2, 1}).begin), 5U);
  EXPECT_THROW((void)Layout::listed({3}, {1, 2}, 11), std::invalid_argument);
  EXPECT_THROW((void)Layout::listed({12}, {1}, 11), std::invalid_argument);
}

TEST(Layout, NeedsABlock) {
  EXPECT_THROW((void)Layout::whole(4, 0), std::invalid_argument);
  EXPECT_THROW((void)Layout::each(4, 0), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::schedule
