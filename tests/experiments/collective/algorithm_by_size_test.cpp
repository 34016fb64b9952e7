#include "experiments/collective/algorithm_by_size.hpp"

#include <gtest/gtest.h>

#include "measure/cost_model.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

using schedule::Collective;
using schedule::Rank;

constexpr std::size_t kChunk = 128 * 1024;

TEST(AlgorithmBySize, IsDirectForFewRanksThatShareProcessors) {
  for (const Rank ranks : {1U, 2U, 17U, 1000U}) {
    EXPECT_EQ(small_data(ranks, true, true).algorithm, "doubling") << ranks;
  }
  for (const Rank ranks : {3U, 4U, 13U, 16U}) {
    EXPECT_EQ(small_data(ranks, true, true).algorithm, "direct") << ranks;
    EXPECT_EQ(small_data(ranks, true, false).algorithm, "direct") << ranks;
    EXPECT_EQ(small_data(ranks, false, true).algorithm, "doubling") << ranks;
  }
}

// Of more data one rank's line would be the limit.
TEST(AlgorithmBySize, IsDirectForLongerOnOneHost) {
  EXPECT_EQ(small_data(4, true, true).most_bytes, 256U * 1024);
  EXPECT_EQ(small_data(4, true, false).most_bytes, 8U * 1024);
  EXPECT_EQ(small_data(4, false, true).most_bytes, 8U * 1024);
  EXPECT_EQ(small_data(100, true, true).most_bytes, 8U * 1024);
}

schedule::Schedule made(std::string_view algorithm, Rank ranks) {
  return schedule::find_algorithm(Collective::all_reduce, algorithm)->make({.ranks = ranks});
}

TEST(AlgorithmBySize, HasFewerMessagesThanARing) {
  for (const bool share : {false, true}) {
    for (Rank ranks = 2; ranks <= 100; ++ranks) {
      const auto small = made(small_data(ranks, share, true).algorithm, ranks).cost;
      const auto ring = made("ring", ranks).cost;
      EXPECT_LT(small.depth, ring.depth) << ranks;
      EXPECT_LE(small.messages, ring.messages) << ranks;
    }
  }
}

double predicted_us(const measure::CostModel& model, std::string_view algorithm, Rank ranks,
                    std::uint64_t bytes) {
  return predict_us(model, measure::work_of(made(algorithm, ranks), bytes, kChunk));
}

/// Of two networks between which those of today lie; reduced by one thread.
TEST(AlgorithmBySize, IsNoSlowerThanARingByTheCostModel) {
  const measure::CostModel slow{5, 0.5, 1 / 1.25e3, 1 / 5e3};  // 10 Gb/s
  const measure::CostModel fast{2, 0.3, 1 / 50e3, 1 / 5e3};    // 400 Gb/s
  for (const auto& model : {slow, fast}) {
    for (Rank ranks = 2; ranks <= 1024; ++ranks) {
      const auto [algorithm, most] = small_data(ranks, false, false);
      for (const std::uint64_t bytes : {std::uint64_t{8}, most}) {
        EXPECT_LT(predicted_us(model, algorithm, ranks, bytes),
                  predicted_us(model, "ring", ranks, bytes))
            << ranks << " ranks, " << bytes << " bytes";
      }
    }
  }
}

TEST(AlgorithmBySize, IsTheDefaultOfAllReduceOnly) {
  EXPECT_TRUE(chooses_by_size(Collective::all_reduce));
  EXPECT_FALSE(chooses_by_size(Collective::all_gather));
  EXPECT_FALSE(chooses_by_size(Collective::barrier));
}

}  // namespace
}  // namespace railgauge::runner
