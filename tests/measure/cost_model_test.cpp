#include "measure/cost_model.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "schedule/algorithms.hpp"

namespace railgauge::measure {
namespace {

using schedule::Collective;

std::vector<Observation> observed(const CostModel& model) {
  std::vector<Observation> all;
  for (const auto& algorithm : schedule::algorithms(Collective::all_reduce)) {
    for (const std::uint64_t bytes : {8U, 65536U, 8U << 20}) {
      const Work work = work_of(algorithm.make({12, 0, 4}), bytes, 65536);
      all.push_back({work, predict_us(model, work)});
    }
  }
  return all;
}

TEST(CostModel, IsFoundAgainFromItsOwnPredictions) {
  const CostModel model{4.5, 0.7, 2.5e-4, 1e-4};
  const CostModel fitted = fit(observed(model));
  EXPECT_NEAR(fitted.latency_us, 4.5, 1e-6);
  EXPECT_NEAR(fitted.overhead_us, 0.7, 1e-6);
  EXPECT_NEAR(fitted.us_per_byte, 2.5e-4, 1e-9);
  EXPECT_NEAR(fitted.us_per_reduced_byte, 1e-4, 1e-9);
  EXPECT_LT(worst_error(fitted, observed(model)), 1e-6);
}

TEST(CostModel, NeverHasANegativePart) {
  // Faster the more messages there are: no model has that.
  std::vector<Observation> odd{{{1, 1, 100, 0}, 10}, {{1, 5, 100, 0}, 5}, {{1, 9, 100, 0}, 4}};
  const CostModel fitted = fit(odd);
  EXPECT_GE(fitted.overhead_us, 0);
  EXPECT_GE(fitted.latency_us, 0);
  EXPECT_GT(worst_error(fitted, odd), 0.1);
}

TEST(CostModel, OfNothingIsNothing) {
  EXPECT_EQ(predict_us(fit({}), {1, 1, 1, 1}), 0);
}

TEST(CostModel, KnowsWhatAPipelineNeedsToGetGoing) {
  const auto* chain = schedule::find_algorithm(Collective::broadcast, "chain");
  // 9 links; the busiest rank sends the data once, and 8 chunks are under way before the last link.
  const Work work = work_of(chain->make({10, 0, 1}), 1 << 20, 4096);
  EXPECT_EQ(work.depth, 9);
  EXPECT_EQ(work.bytes, (1 << 20) + 8 * 4096);
  const auto* ring = schedule::find_algorithm(Collective::all_reduce, "ring");
  EXPECT_EQ(work_of(ring->make({4, 0, 1}), 4096, 4096).bytes, 6 * 1024);
}

TEST(CostModel, TellsSmallFromLarge) {
  const CostModel model{5, 0.5, 1e-3, 0};
  const auto time = [&](const char* name, std::uint64_t bytes) {
    const auto made = schedule::find_algorithm(Collective::all_to_all, name)->make({64, 0, 1});
    return predict_us(model, work_of(made, bytes, 65536));
  };
  EXPECT_LT(time("bruck", 512), time("ring", 512));
  EXPECT_LT(time("pairwise", 8 << 20), time("bruck", 8 << 20));
}

}  // namespace
}  // namespace railgauge::measure
