#include "runner/gpus.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using topology::Nearness;

TEST(ChosenGpu, IsTheNearest) {
  EXPECT_EQ(chosen_gpu({Nearness::across, Nearness::same_root, Nearness::same_switch}, 0), 2U);
  EXPECT_EQ(chosen_gpu({Nearness::across, Nearness::same_root, Nearness::same_switch}, 5), 2U);
}

TEST(ChosenGpu, OfSeveralAsNearIsAnotherOneForEachRank) {
  const std::vector<Nearness> four{Nearness::across, Nearness::same_root, Nearness::same_root,
                                   Nearness::across};
  EXPECT_EQ(chosen_gpu(four, 0), 1U);
  EXPECT_EQ(chosen_gpu(four, 1), 2U);
  EXPECT_EQ(chosen_gpu(four, 2), 1U) << "more ranks than GPUs share them";
}

TEST(ChosenGpu, IsAnyIfNothingIsKnown) {
  const std::vector<Nearness> unknown(8, Nearness::unknown);
  for (int rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(chosen_gpu(unknown, rank), static_cast<std::size_t>(rank));
  }
}

}  // namespace
}  // namespace railgauge::runner
