#include "experiments/collective/algorithm_by_size.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "predict/prediction.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

using schedule::Collective;
using schedule::Rank;

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

/// A network, and what a step on it and reduction by one thread cost.
struct Network {
  double gigabits_per_second = 0;
  predict::CostModel model{};
};

double predicted_us(const Network& network, std::string_view algorithm, Rank ranks,
                    std::uint64_t bytes) {
  const auto scenario = predict::on_one_leaf(
      {.hosts = ranks, .nic_gbps = network.gigabits_per_second}, Collective::all_reduce);
  const auto profile = predict::profile_of(made(algorithm, ranks), scenario.fabric, scenario.ranks,
                                           scenario.routing);
  return predict_us(network.model, work_of(scenario, profile, static_cast<double>(bytes)));
}

/// Of two networks between which those of today lie.
TEST(AlgorithmBySize, IsNoSlowerThanARingByTheCostModel) {
  std::vector<Rank> all{127, 128, 129, 511, 512, 513, 1000, 1023, 1024};
  for (Rank ranks = 2; ranks <= 33; ++ranks) all.push_back(ranks);
  for (const Network& network : {Network{10, {5, 0.5, 1, 1 / 5e3}}, {400, {2, 0.3, 1, 1 / 5e3}}}) {
    for (const Rank ranks : all) {
      const auto [algorithm, most] = small_data(ranks, false, false);
      for (const std::uint64_t bytes : {std::uint64_t{8}, most}) {
        EXPECT_LT(predicted_us(network, algorithm, ranks, bytes),
                  predicted_us(network, "ring", ranks, bytes))
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
