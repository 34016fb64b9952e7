#include "diagnosis/slow_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
                           .min_us = usual_us[row] + excess_us,
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
  EXPECT_EQ(found[0].place.direction, Direction::transmit);
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

/// Fastest and middle chunks of all paths in one row, in microseconds.
struct Chunks {
  std::vector<double> floors_us{};
  std::vector<double> medians_us{};
};

/// How many places are slow in rows of 32, 128 and 512 KiB, on a ring with one rail.
std::size_t slow_places(const std::vector<Chunks>& rows) {
  const std::size_t ranks = rows.front().floors_us.size();
  const SimulatedRun run(SimulatedRun::Shape::ring, static_cast<int>(ranks), 1, 1);
  std::vector<std::vector<PathTime>> times;
  for (const Chunks& chunks : rows) {
    std::vector<PathTime>& row = times.emplace_back();
    for (std::size_t from = 0; from < ranks; ++from)
      row.push_back({.path = {from, (from + 1) % ranks},
                     .bytes = kSmallest << (2 * (times.size() - 1)),
                     .samples = 40,
                     .min_us = chunks.floors_us[from],
                     .median_us = chunks.medians_us[from]});
  }
  return find_slow_places(times, Ports(run.ranks())).size();
}

/// A port at a half, a third and a quarter of its rate, next to others that differ by little.
TEST(SlowPaths, FindPartsOfARateByTheSpreadOfTheRow) {
  for (const double times : {1.9, 2.9, 3.7}) {
    std::vector<Chunks> rows;
    for (const double us : {1400.0, 2800.0, 5600.0})
      rows.push_back({{us, us * 1.05, us * 1.01, us * times, us * 1.02, us, us * 1.04, us * 1.03},
                      {us * 1.1, us * 1.2, us * 1.3, us * times * 1.1, us * 1.2, us * 1.1, us * 1.2,
                       us * 1.2}});
    EXPECT_EQ(slow_places(rows), 1U) << times;
  }
  EXPECT_EQ(slow_places({{{5600, 5700, 5900, 21900, 5650, 5800, 5600, 5750},
                          {6100, 6200, 6900, 23000, 6050, 6800, 6600, 6750}}}),
            1U)
      << "one row";
}

/// The same on a machine with other work: all differ, or the fastest are no slower than others'.
TEST(SlowPaths, AreSilentWhereTheRowSpreads) {
  std::vector<Chunks> loaded;
  std::vector<Chunks> usual;
  std::vector<Chunks> little;
  for (const double us : {140.0, 280.0, 560.0}) {
    loaded.push_back({{us, us * 1.2, us * 1.4, us * 2.2, us * 1.3, us * 1.6, us * 1.8, us * 1.1},
                      {us * 2, us * 2, us * 2, us * 3, us * 2, us * 2, us * 2, us * 2}});
    usual.push_back({{us, us * 1.02, us, us * 1.9, us, us, us * 1.04, us * 1.03},
                     {us * 2, us * 3, us * 2, us * 3, us * 2, us * 3, us * 2, us * 3}});
    little.push_back({{us, us * 1.02, us, us * 1.3, us, us, us * 1.04, us * 1.03},
                      {us * 1.1, us * 1.1, us * 1.1, us * 1.4, us * 1.1, us * 1.1, us * 1.1, us}});
  }
  EXPECT_EQ(slow_places(loaded), 0U) << "floors spread";
  EXPECT_EQ(slow_places(usual), 0U) << "the usual chunk takes as long";
  EXPECT_EQ(slow_places(little), 0U) << "a third more is how software devices differ";
  EXPECT_EQ(slow_places({little.front(), usual.front(), loaded.front()}), 0U) << "mixed";
  EXPECT_EQ(slow_places({loaded.back()}), 0U) << "one row";
}

/// A row of paths of one host, by their fastest chunks.
std::vector<PathTime> row_of(const std::vector<double>& floors_us) {
  std::vector<PathTime> row;
  for (std::size_t at = 0; at < floors_us.size(); ++at)
    row.push_back({.path = {at, at + 1},
                   .within_host = true,
                   .bytes = kSmallest,
                   .samples = 40,
                   .min_us = floors_us[at],
                   .median_us = 3 * floors_us[at]});
  return row;
}

std::ptrdiff_t slow_paths(const std::vector<std::vector<PathTime>>& rows) {
  const auto ports = static_cast<int>(rows.front().size()) + 1;
  const SimulatedRun run(SimulatedRun::Shape::ring, ports, 1, 1);
  const Marks marks = marks_of(rows, Ports(run.ranks()));
  return std::ranges::count_if(marks.data, [](const auto& of_path) {
    return std::ranges::all_of(of_path.second, &Mark::min_slow);
  });
}

/// The fastest chunks of paths between four ranks of two rails, which 12 processes kept from 2
/// CPUs: in one row, and alike in three.
TEST(SlowPaths, AreThoseBehindAGap) {
  std::vector<double> floors_us{171, 191, 122, 144, 31, 35, 136, 132, 180, 164, 41, 35,
                                82,  290, 152, 161, 37, 35, 35,  40,  37,  49,  47, 59};
  const std::vector<PathTime> healthy = row_of(floors_us);
  *std::ranges::max_element(floors_us) = 600;
  const std::vector<PathTime> slow = row_of(floors_us);
  EXPECT_EQ(slow_paths({healthy}), 0);
  EXPECT_EQ(slow_paths({slow}), 1);
  EXPECT_EQ(slow_paths({healthy, healthy, healthy}), 0);
  EXPECT_EQ(slow_paths({slow, slow, slow}), 1);
  EXPECT_EQ(slow_paths({slow, slow, healthy}), 0);
}

/// A ring of four hosts with two rails, recorded on a fabric of 200 Mbit/s while four other jobs
/// kept its two processors busy: the port of host 1 on rail 1 at a half and a quarter, and as it
/// should be. Ranks of this ring are the ports.
TEST(SlowPaths, FindARecordedPartOfARateUnderLoad) {
  const std::vector<Chunks> half{{{1027, 1094, 1507, 2328, 954, 944, 1360, 1857},
                                  {3897, 3797, 4713, 6218, 4029, 3758, 7274, 10498}},
                                 {{2943, 3019, 3510, 6163, 3721, 3999, 3920, 3608},
                                  {20106, 22880, 16215, 26821, 19495, 19585, 22612, 22451}},
                                 {{6567, 6104, 7394, 11819, 6402, 6925, 7757, 7517},
                                  {34918, 40748, 32296, 31712, 32212, 37080, 27547, 23933}}};
  const std::vector<Chunks> quarter{{{1129, 1390, 1314, 3461, 1021, 1084, 1515, 1725},
                                     {6342, 7098, 3560, 7632, 3771, 3135, 4759, 5423}},
                                    {{3223, 3903, 4196, 11435, 3444, 4460, 3676, 3754},
                                     {14911, 14931, 24384, 23252, 15619, 16465, 20458, 20629}},
                                    {{6887, 6932, 8023, 22155, 7966, 6879, 7077, 7150},
                                     {20730, 18222, 20402, 32157, 18727, 19490, 15852, 19108}}};
  EXPECT_EQ(slow_places(half), 1U);
  EXPECT_EQ(slow_places(quarter), 1U);
  EXPECT_EQ(slow_places({{{1053, 1036, 1881, 1839, 1549, 1053, 1459, 1475},
                          {4807, 4916, 4498, 5033, 4583, 4594, 6016, 5422}},
                         {{3047, 2946, 3361, 3281, 2916, 2965, 3802, 3360},
                          {7420, 7432, 7453, 8810, 8734, 7267, 9351, 10049}},
                         {{7323, 6542, 6361, 6508, 6409, 6055, 7346, 7481},
                          {18285, 17716, 21191, 23635, 17346, 20831, 14066, 15311}}}),
            0U)
      << "the healthy twin";
  EXPECT_EQ(slow_places({half[0], half[1]}), 0U) << "too few rows for a half";
}

}  // namespace
}  // namespace railgauge::diagnosis
