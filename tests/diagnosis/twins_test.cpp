#include "diagnosis/twins.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "diagnosis/simulated_run.hpp"
#include "diagnosis/slow_paths.hpp"

namespace railgauge::diagnosis {
namespace {

using Shape = SimulatedRun::Shape;

constexpr std::size_t kRails = 2;
constexpr std::size_t kSlowPort = 3;  // rank 1, rail 1

/// Chunks from a rank to another, in microseconds: [rail].
struct Pair {
  std::size_t from = 0;
  std::size_t to = 0;
  std::array<double, kRails> fastest_us{};
  std::array<double, kRails> middle_us{};
};

/// Recorded: all-to-all of 1 MiB among four hosts at 200 Mbit/s on a busy machine with two
/// processors; rail 1 of host1 has 100 Mbit/s.
const std::vector<Pair> kHalfRate{
    {0, 1, {9983, 21476}, {16439, 29644}},  {0, 2, {5771, 5893}, {13500, 13172}},
    {0, 3, {8757, 7782}, {16398, 14688}},   {1, 0, {12160, 22294}, {15702, 29789}},
    {1, 2, {9635, 14313}, {15099, 25515}},  {1, 3, {13399, 18483}, {16999, 30800}},
    {2, 0, {5799, 5768}, {14573, 14885}},   {2, 1, {10681, 16080}, {16502, 29211}},
    {2, 3, {7993, 8493}, {15242, 14170}},   {3, 0, {10103, 9843}, {16024, 13674}},
    {3, 1, {11608, 23359}, {17294, 31384}}, {3, 2, {8553, 8196}, {15265, 14467}},
};

/// Its healthy twin.
const std::vector<Pair> kHealthy{
    {0, 1, {13056, 13165}, {16159, 16251}}, {0, 2, {14968, 14874}, {17346, 17341}},
    {0, 3, {12165, 12133}, {15846, 15558}}, {1, 0, {13133, 11495}, {15822, 15978}},
    {1, 2, {10766, 11765}, {15939, 15807}}, {1, 3, {10443, 8887}, {15829, 16263}},
    {2, 0, {12832, 11745}, {16969, 17113}}, {2, 1, {8026, 10372}, {17473, 17136}},
    {2, 3, {12341, 11228}, {15746, 15747}}, {3, 0, {13392, 9845}, {16699, 16366}},
    {3, 1, {10131, 9762}, {17114, 17077}},  {3, 2, {12108, 12242}, {17447, 17365}},
};

std::vector<PathTime> row_of(const std::vector<Pair>& pairs, std::size_t rails = kRails) {
  std::vector<PathTime> row;
  for (const Pair& pair : pairs) {
    for (std::size_t rail = 0; rail < rails; ++rail)
      row.push_back({.path = {pair.from * rails + rail, pair.to * rails + rail},
                     .bytes = 131072,
                     .samples = 22,
                     .min_us = pair.fastest_us.at(rail),
                     .median_us = pair.middle_us.at(rail)});
  }
  return row;
}

Ports ports_of(int ranks, int rails = kRails) {
  return Ports(SimulatedRun(Shape::all_to_all, ranks, rails, 1).ranks());
}

std::size_t slower_in(const std::vector<PathTime>& row, int ranks = 4) {
  return slower_than_twins(row, ports_of(ranks)).size();
}

/// The healthy row, `times` as long where `of` says so.
std::vector<PathTime> longer(double times, const std::function<bool(const Path&)>& of,
                             std::vector<PathTime> row = row_of(kHealthy)) {
  for (PathTime& one : row) {
    if (!of(one.path)) continue;
    one.min_us *= times;
    one.median_us *= times;
  }
  return row;
}

bool at_slow_port(const Path& path) {
  return path.from == kSlowPort || path.to == kSlowPort;
}

TEST(Twins, APortAtHalfOfItsRateIsSlowerOnAllItsPaths) {
  const std::set<Path> slower = slower_than_twins(row_of(kHalfRate), ports_of(4));
  EXPECT_EQ(slower.size(), 6U);
  for (const Path& path : slower) EXPECT_TRUE(at_slow_port(path)) << path.from << ">" << path.to;
}

TEST(Twins, HealthyPortsAreNot) {
  EXPECT_EQ(slower_in(row_of(kHealthy)), 0U);
}

TEST(Twins, OneRowNamesThePort) {
  const std::vector<std::vector<PathTime>> half{row_of(kHalfRate)};
  const auto found = find_slow_places(half, ports_of(4));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place.scope, Scope::port);
  EXPECT_EQ(found[0].place.port, kSlowPort);
  EXPECT_EQ(found[0].place.direction, Direction::both);
  EXPECT_NEAR(found[0].slower, 1.9, 0.5);
  const std::vector<std::vector<PathTime>> healthy{row_of(kHealthy)};
  EXPECT_TRUE(find_slow_places(healthy, ports_of(4)).empty());
}

TEST(Twins, OneOfSeveralRowsIsChance) {
  const std::vector<std::vector<PathTime>> rows{row_of(kHealthy), row_of(kHalfRate)};
  EXPECT_TRUE(find_slow_places(rows, ports_of(4)).empty());
}

TEST(Twins, OneDirectionOfAPortIsSlower) {
  const auto sends = [](const Path& path) { return path.from == kSlowPort; };
  EXPECT_EQ(slower_in(longer(2, sends)), 3U);
  const auto receives = [](const Path& path) { return path.to == kSlowPort; };
  EXPECT_EQ(slower_in(longer(2, receives)), 3U);
}

/// Its processes slow both of its rails alike.
TEST(Twins, ABusyRankIsNotItsPort) {
  const auto of_rank = [](const Path& path) {
    return path.from / kRails == 1 || path.to / kRails == 1;
  };
  EXPECT_EQ(slower_in(longer(5, of_rank)), 0U);
}

TEST(Twins, ARailThatIsSlowForAllIsNoPort) {
  EXPECT_EQ(slower_in(longer(2, [](const Path& path) { return path.from % kRails == 1; })), 0U);
}

TEST(Twins, WhatIsSlowerByLittleIsNot) {
  EXPECT_EQ(slower_in(longer(1.3, at_slow_port)), 0U);
  EXPECT_EQ(slower_in(longer(1.6, at_slow_port)), 6U);
}

/// Where the paths of other ports differ from their twins as much, nothing stands out.
TEST(Twins, OnABusyMachineItTakesMore) {
  const auto other = [](const Path& path) { return path.from == 5 && path.to == 7; };
  EXPECT_EQ(slower_in(longer(1.5, other, longer(1.6, at_slow_port))), 0U);
  EXPECT_EQ(slower_in(longer(1.5, other, longer(3, at_slow_port))), 6U);
}

/// Load, which delays middle chunks, leaves the fastest one.
TEST(Twins, FastestChunksHaveToBeSlowerToo) {
  std::vector<PathTime> row = row_of(kHealthy);
  for (PathTime& one : row) {
    if (at_slow_port(one.path)) one.median_us *= 2;
  }
  EXPECT_EQ(slower_in(row), 0U);
}

/// Fastest chunks of all-to-all differ too much between healthy paths.
TEST(Twins, OneSlowPathAmongManyMayBeChance) {
  const auto path = [](const Path& one) { return one.from == kSlowPort && one.to == 1; };
  EXPECT_EQ(slower_in(longer(2, path)), 0U);
}

/// All paths of a ring take as long as these, in microseconds.
std::vector<PathTime> ring(std::size_t ranks, double fastest_us) {
  std::vector<Pair> pairs;
  for (std::size_t from = 0; from < ranks; ++from)
    pairs.push_back({from,
                     (from + 1) % ranks,
                     {fastest_us, 1.01 * fastest_us},
                     {1.02 * fastest_us, 1.03 * fastest_us}});
  return row_of(pairs);
}

TEST(Twins, OnARingBothPathsOfAPortTell) {
  EXPECT_EQ(slower_in(longer(1.6, at_slow_port, ring(4, 500))), 2U);
}

TEST(Twins, OnARingTheFastestChunkOfOnePathTells) {
  const auto sends = [](const Path& path) { return path.from == kSlowPort; };
  EXPECT_EQ(slower_in(longer(2, sends, ring(4, 5540))), 1U);
  EXPECT_EQ(slower_in(longer(2, sends, ring(4, 900))), 0U) << "less than a millisecond longer";
}

/// What leads to a slow sender waits for acknowledgements: its middle chunks do, its fastest not.
TEST(Twins, OnARingTheOtherPathOfASlowSenderIsNot) {
  const auto sends = [](const Path& path) { return path.from == kSlowPort; };
  std::vector<PathTime> row = longer(4, sends, ring(4, 5540));
  for (PathTime& one : row) {
    if (one.path.to == kSlowPort) one.median_us *= 3;
  }
  EXPECT_EQ(slower_than_twins(row, ports_of(4)), (std::set<Path>{{kSlowPort, kSlowPort + kRails}}));
}

/// One other path of the rail does not say how much paths differ.
TEST(Twins, AmongThreeRanksOfARingNothingIsTold) {
  EXPECT_EQ(slower_in(longer(2, at_slow_port, ring(3, 5540)), 3), 0U);
}

TEST(Twins, ChunksOfOtherSizesAreNotCompared) {
  std::vector<PathTime> row = row_of(kHalfRate);
  for (PathTime& one : row) {
    if (one.path.from % kRails == 1) one.bytes *= 2;
  }
  EXPECT_EQ(slower_in(row), 0U);
}

TEST(Twins, WhatDiffersByLessThanSoftwareDevicesDoIsNotSlower) {
  std::vector<PathTime> row = row_of(kHalfRate);
  for (PathTime& one : row) one.least_excess_us = 20000;
  EXPECT_EQ(slower_in(row), 0U);
}

TEST(Twins, TurnsOfOneRankThatServesAllAreNoDifference) {
  std::vector<PathTime> row = row_of(kHalfRate);
  for (PathTime& one : row) one.in_turn = true;
  EXPECT_EQ(slower_in(row), 0U);
}

TEST(Twins, OneRailHasNoTwins) {
  EXPECT_TRUE(slower_than_twins(row_of(kHalfRate, 1), ports_of(4, 1)).empty());
  EXPECT_TRUE(slower_than_twins({}, ports_of(4)).empty());
}

}  // namespace
}  // namespace railgauge::diagnosis
