#include "results/sweep_point.hpp"

#include <gtest/gtest.h>

namespace railgauge::results {
namespace {

TEST(SweepPoint, IsNamedByWhatVaries) {
  const SweepPoint one{.rails = {0}, .chunk_bytes = 65536};
  const SweepPoint more{.rails = {0}, .queue_pairs = 4, .chunk_bytes = 65536, .traffic_class = 104};
  const SweepPoint both{.rails = {0, 1}, .chunk_bytes = 131072, .root = 2};
  EXPECT_EQ(in_words(one, {one}), "");
  EXPECT_EQ(in_words(one, {one, more}), "1 queue pair, traffic class 0");
  EXPECT_EQ(in_words(more, {one, more}), "4 queue pairs, traffic class 104");
  EXPECT_EQ(in_words(one, {one, both}), "rail 0, chunks of 64K, root -1");
  EXPECT_EQ(in_words(both, {one, both}), "rails 0+1, chunks of 128K, root 2");
  SweepPoint own = both;
  own.own_rails = true;
  EXPECT_EQ(in_words(own, {own, both}), "own rails");
}

TEST(SweepPoint, SaysItsRails) {
  EXPECT_EQ(rails_of({.rails = {0, 2}}), "0+2");
  EXPECT_EQ(rails_of({.rails = {0, 2}, .own_rails = true}), "own");
}

}  // namespace
}  // namespace railgauge::results
