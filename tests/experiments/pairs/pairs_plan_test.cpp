#include "experiments/pairs/pairs_plan.hpp"

#include <gtest/gtest.h>

#include "job/failure.hpp"

namespace railgauge::runner {
namespace {

using namespace std::chrono_literals;

/// So many hosts of two NICs each, of 100 Gb/s.
std::vector<results::Rank> hosts_of_two_rails(int hosts) {
  std::vector<results::Rank> ranks;
  for (int rank = 0; rank < hosts; ++rank) {
    results::Rank one{.rank = rank, .host = "host" + std::to_string(rank)};
    for (int rail = 0; rail < 2; ++rail) {
      one.rails.push_back({.rail = rail,
                           .device = "mlx5_" + std::to_string(rail),
                           .link_gigabits_per_second = 100});
    }
    ranks.push_back(one);
  }
  return ranks;
}

TEST(PairsPlan, NicsShareARoundOfBandwidthAndHostsDoNotShareOneOfLatency) {
  const AllNics all = nics_of(hosts_of_two_rails(4));
  PairsOptions options;
  options.modes = {flow::Mode::bandwidth, flow::Mode::read};
  const auto steps = steps_of(all, options, {});
  ASSERT_EQ(steps.size(), 3U + 6U);
  EXPECT_EQ(steps.front().round.size(), 4U);
  EXPECT_EQ(steps.back().mode, flow::Mode::read);
  EXPECT_EQ(steps.back().round.size(), 2U);
  EXPECT_EQ(rows_of(steps), 2U * 2 * 12);
}

TEST(PairsPlan, WhatAnEarlierRunHasBothWaysOfIsNotMeasuredAgain) {
  const AllNics all = nics_of(hosts_of_two_rails(2));
  const PairsOptions options;
  std::vector<results::PairRow> rows;
  rows.push_back(
      {.from = endpoint_of(all.nics[0]), .to = endpoint_of(all.nics[2]), .mode = "bandwidth"});
  EXPECT_EQ(rows_of(steps_of(all, options, rows)), 4U);
  std::swap(rows[0].from, rows[0].to);
  rows.push_back({.from = rows[0].to, .to = rows[0].from, .mode = "bandwidth"});
  const auto steps = steps_of(all, options, rows);
  ASSERT_EQ(rows_of(steps), 2U);
  EXPECT_EQ(steps[0].round[0].first, 1U);
  rows[1].figures.reason = "it failed";
  EXPECT_EQ(rows_of(steps_of(all, options, rows)), 4U);
}

TEST(PairsPlan, RowsThatAreMeasuredAgainAreNotKept) {
  const AllNics all = nics_of(hosts_of_two_rails(2));
  const PairsOptions options;
  std::vector<results::PairRow> rows;
  for (const auto& [from, to] : {std::pair(0, 2), {2, 0}, {1, 3}, {3, 1}}) {
    rows.push_back({.from = endpoint_of(all.nics[static_cast<std::size_t>(from)]),
                    .to = endpoint_of(all.nics[static_cast<std::size_t>(to)]),
                    .mode = "bandwidth"});
  }
  EXPECT_EQ(rows_kept(rows, steps_of(all, options, rows), all), 4U);
  rows[1].figures.reason = "it failed";  // and so both directions are measured
  const auto steps = steps_of(all, options, rows);
  EXPECT_EQ(rows_of(steps), 2U);
  EXPECT_EQ(rows_kept(rows, steps, all), 2U);
  rows[2].mode = "read";
  EXPECT_EQ(rows_kept(rows, steps, all), 2U) << "another mode";
}

TEST(PairsPlan, TheEstimateIsTheTimesThatWereAskedFor) {
  const AllNics all = nics_of(hosts_of_two_rails(4));
  PairsOptions options;
  options.time = 1000ms;
  const auto steps = steps_of(all, options, {});
  EXPECT_NEAR(estimate_s(steps, all, options), 3 * 2, 0.2);
  options.bidirectional = true;
  EXPECT_NEAR(estimate_s(steps, all, options), 3, 0.2);
  options.repetitions = 2;
  EXPECT_NEAR(estimate_s(steps, all, options), 6, 0.2);
  options.iterations = 12'500;  // of 1 MB, at 100 Gb/s: a second
  options.message_bytes = 1'000'000;
  EXPECT_NEAR(estimate_s(steps, all, options), 6, 0.2);
}

/// Three pairs on each rail, which take 3 * 2 s; of each way 6 + 3 * 1 probes.
TEST(PairsPlan, AskingForPathsTakesAPartOfTheTimeUnlessItIsAskedFor) {
  const AllNics all = nics_of(hosts_of_two_rails(4));
  PairsOptions options;
  options.time = 10'000ms;
  const auto steps = steps_of(all, options, {});
  EXPECT_NEAR(asking_time(steps, all, options).expected_s, (6 * 9 + 240) / 100.0, 0.001);
  EXPECT_NEAR(asking_time(steps, all, options).most_s, 3 * 2 * 10 / 5, 0.1);
  options.probes_per_second = 1;
  EXPECT_NEAR(asking_time(steps, all, options).expected_s, 12, 0.1);
  options.path_labels = AskSwitches::on;
  EXPECT_NEAR(asking_time(steps, all, options).expected_s, 6 * 9 + 240, 0.1);
  options.path_labels = AskSwitches::off;
  EXPECT_EQ(asking_time(steps, all, options).expected_s, 0);
}

TEST(PairsPlan, OfAShortRunAskingForPathsMayTakeALittle) {
  const AllNics all = nics_of(hosts_of_two_rails(4));
  PairsOptions options;
  EXPECT_EQ(asking_time(steps_of(all, options, {}), all, options).most_s, 10);
  options.time = 10'000ms;
  options.max_time = 5s;  // then it is a sample
  EXPECT_EQ(asking_time(steps_of(all, options, {}), all, options).most_s, 1);
}

/// Three rounds of 2 * 10 s each, of which two fit into 80 % of a minute.
TEST(PairsPlan, WhatShouldFitIntoMaxTimeIsTold) {
  const AllNics all = nics_of(hosts_of_two_rails(4));
  PairsOptions options;
  options.time = 10'000ms;
  options.path_labels = AskSwitches::off;
  const auto fit = [&] { return steps_in_time(steps_of(all, options, {}), all, options); };
  EXPECT_EQ(fit(), 3U);
  options.max_time = 60s;
  EXPECT_EQ(fit(), 2U);
  options.max_time = 80s;
  EXPECT_EQ(fit(), 3U);
  options.path_labels = AskSwitches::automatic;  // which takes 2.5 s of 48
  options.max_time = 51s;
  EXPECT_EQ(fit(), 1U);
  options.max_time = 1s;  // one is always measured
  EXPECT_EQ(fit(), 1U);
}

/// Their processors read counters meanwhile.
TEST(PairsPlan, RoundsOfSoftwareDevicesTakeLonger) {
  AllNics all = nics_of(hosts_of_two_rails(4));
  const PairsOptions options;
  const auto steps = steps_of(all, options, {});
  EXPECT_NEAR(estimate_s(steps, all, options), 3 * 0.12, 0.01);
  for (pairs::Nic& nic : all.nics) nic.software = true;
  EXPECT_NEAR(estimate_s(steps, all, options), 3 * 0.2, 0.01);
}

TEST(PairsPlan, ASampleIsARandomOrderOfTheSame) {
  const AllNics all = nics_of(hosts_of_two_rails(16));
  PairsOptions options;
  const auto in_order = steps_of(all, options, {});
  options.max_time = 10s;
  const auto sample = steps_of(all, options, {});
  EXPECT_EQ(rows_of(sample), rows_of(in_order));
  EXPECT_NE(sample.front().round, in_order.front().round);
}

TEST(PairsPlan, ANicWithoutAPeerIsTold) {
  auto ranks = hosts_of_two_rails(3);
  PairsOptions options;
  EXPECT_TRUE(without_peer(nics_of(ranks), options).empty());
  ranks[1].rails.pop_back();  // two hosts still have rail 1
  EXPECT_TRUE(without_peer(nics_of(ranks), options).empty());
  ranks[2].rails.pop_back();
  const auto alone = without_peer(nics_of(ranks), options);
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(sentence(alone[0]),
            "host0 mlx5_1 (rail 1): not tested: no other host has a NIC on its rail");
  EXPECT_EQ(alone[0].severity, finding::Severity::warning);
  options.selection.cross_rail = true;
  EXPECT_TRUE(without_peer(nics_of(ranks), options).empty());
}

TEST(PairsPlan, TwoRanksOfAHostCannotDriveItsNics) {
  auto ranks = hosts_of_two_rails(2);
  ranks[1].host = "host0";
  EXPECT_THROW((void)nics_of(ranks), job::RunFailure);
}

}  // namespace
}  // namespace railgauge::runner
