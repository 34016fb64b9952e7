#include "predict/cost_model.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "predict/prediction.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::predict {
namespace {

using schedule::Collective;

/// 12 hosts of a NIC, and what moves in chunks of 4 KiB.
Work work_of_ranks(const schedule::Schedule& schedule, std::uint64_t bytes) {
  Scenario scenario =
      on_one_leaf({.hosts = schedule.ranks, .inside_by_nics = true}, schedule.collective);
  scenario.chunk_bytes = 4096;
  const Profile profile = profile_of(schedule, scenario.fabric, scenario.ranks, scenario.routing);
  return work_of(scenario, profile, static_cast<double>(bytes));
}

std::vector<Observation> observed(const CostModel& model) {
  std::vector<Observation> all;
  for (const auto& algorithm : schedule::algorithms(Collective::all_reduce)) {
    for (const std::uint64_t bytes : {8U, 65536U, 8U << 20}) {
      const Work work = work_of_ranks(algorithm.make({12, 0, 4}), bytes);
      all.push_back({work, predict_us(model, work)});
    }
  }
  return all;
}

TEST(CostModel, IsFoundAgainFromItsOwnPredictions) {
  const CostModel model{4.5, 0.7, 1.3, 1e-4};
  const CostModel fitted = fit(observed(model));
  EXPECT_NEAR(fitted.step_us, 4.5, 1e-6);
  EXPECT_NEAR(fitted.post_us, 0.7, 1e-6);
  EXPECT_NEAR(fitted.slowdown, 1.3, 1e-6);
  EXPECT_NEAR(fitted.us_per_reduced_byte, 1e-4, 1e-9);
  EXPECT_LT(worst_error(fitted, observed(model)), 1e-6);
}

TEST(CostModel, NeverHasANegativePart) {
  // Faster the more messages there are: no model has that.
  std::vector<Observation> odd{{{1, 1, 100, 0}, 10}, {{1, 5, 100, 0}, 5}, {{1, 9, 100, 0}, 4}};
  const CostModel fitted = fit(odd);
  EXPECT_GE(fitted.post_us, 0);
  EXPECT_GE(fitted.step_us, 0);
  EXPECT_GT(worst_error(fitted, odd), 0.1);
}

TEST(CostModel, OfNothingIsNothing) {
  EXPECT_EQ(predict_us(fit({}), {1, 1, 1, 1}), 0);
}

TEST(CostModel, KnowsWhatAPipelineNeedsToGetGoing) {
  const auto* chain = schedule::find_algorithm(Collective::broadcast, "chain");
  // 9 links; the busiest rank sends the data once, and 8 chunks are under way before the last link.
  const double bytes_per_us = 400 * 125 * fabric::payload_fraction();
  const Work work = work_of_ranks(chain->make({10, 0, 1}), 1 << 20);
  EXPECT_EQ(work.steps, 9);
  EXPECT_NEAR(work.moved_us * bytes_per_us, (1 << 20) + 8 * 4096, 1e-6);
  const auto* ring = schedule::find_algorithm(Collective::all_reduce, "ring");
  EXPECT_NEAR(work_of_ranks(ring->make({4, 0, 1}), 4096).moved_us * bytes_per_us, 6 * 1024, 1e-9);
}

TEST(CostModel, TellsSmallFromLarge) {
  const CostModel model{5, 0.5, 1, 0};
  const auto time = [&](const char* name, std::uint64_t bytes) {
    const auto made = schedule::find_algorithm(Collective::all_to_all, name)->make({64, 0, 1});
    return predict_us(model, work_of_ranks(made, bytes));
  };
  EXPECT_LT(time("bruck", 512), time("ring", 512));
  EXPECT_LT(time("pairwise", 8 << 20), time("bruck", 8 << 20));
}

TEST(CostModel, OfHostsKnowsWhatTheirRanksShare) {
  const auto ring = schedule::ring_all_reduce(8);
  const auto moved_us = [&](const MeasuredHosts& hosts) {
    const Scenario scenario = on_one_leaf(hosts, Collective::all_reduce);
    const Profile profile = profile_of(ring, scenario.fabric, scenario.ranks, scenario.routing);
    return work_of(scenario, profile, 1 << 20).moved_us;
  };
  const double alone = moved_us({.hosts = 8});
  EXPECT_NEAR(moved_us({.hosts = 8, .nics = 2, .rails = 2}), alone / 2, 1e-9);
  // Four ranks that all drive both NICs of a host, or each one of two: twice as many as NICs.
  EXPECT_NEAR(moved_us({.hosts = 2, .per_host = 4, .nics = 2, .rails = 2, .inside_by_nics = true}),
              2 * alone, 1e-9);
  EXPECT_NEAR(
      moved_us({.hosts = 2, .per_host = 4, .nics = 4, .own_rails = true, .inside_by_nics = true}),
      alone, 1e-9);
}

}  // namespace
}  // namespace railgauge::predict
