#include "diagnosis/slow_paths.hpp"

#include <gtest/gtest.h>

#include <map>

#include "diagnosis/simulated_run.hpp"

namespace railgauge::diagnosis {
namespace {

constexpr std::uint64_t kSmallest = 32 * 1024;
constexpr std::size_t kRanks = 4;

/// What chunks of 32, 128 and 512 KiB take longer on one path of a ring.
struct Longer {
  double small_us = 0;
  double middle_us = 0;
  double large_us = 0;
};

/// Ranks of a ring, one rail, three rows: 30, 60 and 240 us where nothing is wrong.
std::vector<std::vector<PathTime>> ring(const std::map<std::size_t, Longer>& longer) {
  const std::vector<double> usual_us{30, 60, 240};
  std::vector<std::vector<PathTime>> rows(usual_us.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t from = 0; from < kRanks; ++from) {
      const auto found = longer.find(from);
      const Longer more = found == longer.end() ? Longer{} : found->second;
      const double excess_us = std::vector{more.small_us, more.middle_us, more.large_us}[row];
      rows[row].push_back({.path = {from, (from + 1) % kRanks},
                           .bytes = kSmallest << (2 * row),
                           .samples = 40,
                           .floor_us = usual_us[row] + excess_us,
                           .median_us = 2 * usual_us[row] + excess_us});
    }
  }
  return rows;
}

std::vector<SlowPlace> found_in(const std::map<std::size_t, Longer>& longer) {
  const SimulatedRun run(SimulatedRun::Shape::ring, kRanks, 1, 1);
  return find_slow_places(ring(longer), Ports(run.ranks()));
}

/// As rank 1 sends late, it acknowledges late, too: long chunks to it wait for that on their way.
TEST(SlowPaths, TakesTheDirectionFromTheSmallestChunks) {
  const auto found = found_in({{1, {1000, 2100, 3300}}, {0, {0, 1100, 2000}}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place.scope, Scope::port);
  EXPECT_EQ(found[0].place.port, 1U);
  EXPECT_EQ(found[0].place.direction, Direction::sends);
  EXPECT_EQ(found[0].kind, Slowness::delay);
}

TEST(SlowPaths, LeavesBothDirectionsWhereBothAreSlow) {
  const auto found = found_in({{1, {1000, 2100, 3300}}, {0, {900, 2000, 3200}}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place.scope, Scope::port);
  EXPECT_EQ(found[0].place.direction, Direction::both);
  EXPECT_EQ(found[0].kind, Slowness::delay);
}

/// What is the turn of another is no delay of the path: 45 us have been seen of a healthy one.
TEST(SlowPaths, AsksForMoreWhereRanksTookTurns) {
  const auto least_us = [](double waited) {
    SimulatedRun run(SimulatedRun::Shape::ring, kRanks, 1, 1);
    for (int rank = 0; rank < static_cast<int>(kRanks); ++rank) run.starve(rank, waited);
    return path_times(run.rows().front(), Ports(run.ranks())).front().least_excess_us;
  };
  EXPECT_DOUBLE_EQ(least_us(0.1), kLeastExcess);
  EXPECT_DOUBLE_EQ(least_us(0.49), kLeastExcess);
  EXPECT_NEAR(least_us(0.6), 2.5 * kLeastExcess, 1e-6);
  EXPECT_NEAR(least_us(0.95), 20 * kLeastExcess, 1e-6);
}

TEST(SlowPaths, AsksForMoreWhereRanksHardlyRan) {
  const SimulatedRun run(SimulatedRun::Shape::ring, kRanks, 1, 1);
  const auto found = [&](double least_excess_us) {
    auto rows = ring({{1, {400, 400, 900}}});
    for (auto& row : rows) {
      for (PathTime& time : row) time.least_excess_us = least_excess_us;
    }
    return find_slow_places(rows, Ports(run.ranks())).size();
  };
  EXPECT_EQ(found(kLeastExcess), 1U);
  EXPECT_EQ(found(1000), 0U);
}

TEST(SlowPaths, FindsNothingInARingThatIsWell) {
  EXPECT_TRUE(found_in({}).empty());
}

}  // namespace
}  // namespace railgauge::diagnosis
