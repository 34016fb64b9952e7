#include "diagnosis/slow_hosts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "diagnosis/simulated_run.hpp"
#include "diagnosis/slow_paths.hpp"

namespace railgauge::diagnosis {
namespace {

/// Chunks from each rank to the next on a ring of four with two rails, in microseconds.
struct RingRow {
  std::uint64_t bytes = 0;
  std::array<std::array<double, 2>, 4> fastest_us{};  // [sender][rail]
  std::array<std::array<double, 2>, 4> middle_us{};
};

/// Recorded on a busy machine with two processors: 50 us on every packet of both ports of rank 1.
const std::vector<RingRow> kDelayed{
    {8192, {{{61, 69}, {62, 73}, {8, 14}, {7, 9}}}, {{{104, 107}, {95, 121}, {22, 52}, {19, 36}}}},
    {32768,
     {{{80, 80}, {75, 77}, {15, 21}, {11, 13}}},
     {{{157, 179}, {124, 134}, {35, 56}, {33, 64}}}},
    {131072,
     {{{119, 83}, {127, 132}, {61, 55}, {35, 38}}},
     {{{299, 327}, {254, 298}, {193, 226}, {97, 166}}}},
};

/// Its healthy twin.
const std::vector<RingRow> kUndelayed{
    {8192, {{{13, 20}, {5, 6}, {10, 13}, {19, 19}}}, {{{38, 49}, {11, 11}, {37, 44}, {44, 63}}}},
    {32768, {{{21, 16}, {10, 12}, {16, 18}, {15, 14}}}, {{{60, 63}, {18, 24}, {34, 56}, {61, 61}}}},
    {131072,
     {{{36, 37}, {36, 34}, {41, 41}, {33, 33}}},
     {{{93, 115}, {92, 90}, {101, 83}, {95, 95}}}},
};

constexpr double kOfABusyMachine_us = 66;  // PathTime::least_excess_us

std::vector<std::vector<PathTime>> times_of(const std::vector<RingRow>& recorded) {
  std::vector<std::vector<PathTime>> rows;
  for (const RingRow& one : recorded) {
    std::vector<PathTime>& row = rows.emplace_back();
    for (std::size_t sender = 0; sender < 4; ++sender) {
      for (std::size_t rail = 0; rail < 2; ++rail)
        row.push_back({.path = {2 * sender + rail, (2 * sender + 2 + rail) % 8},
                       .bytes = one.bytes,
                       .samples = 40,
                       .min_us = one.fastest_us.at(sender).at(rail),
                       .median_us = one.middle_us.at(sender).at(rail),
                       .least_excess_us = kOfABusyMachine_us});
    }
  }
  return rows;
}

Ports ring_ports() {
  return Ports(SimulatedRun(SimulatedRun::Shape::ring, 4, 2, 1).ranks());
}

std::size_t slower(const std::vector<PathTime>& row) {
  return slower_than_other_hosts(row, ring_ports()).size();
}

/// The healthy row, longer by so much where `of` says so.
std::vector<PathTime> delayed(double by_us, const std::function<bool(const Path&)>& of) {
  std::vector<PathTime> row = times_of(kUndelayed)[0];
  for (PathTime& one : row) {
    if (of(one.path)) one.min_us += by_us;
  }
  return row;
}

bool leaves_rank_1(const Path& path) {
  return path.from / 2 == 1;
}

bool reaches_rank_1(const Path& path) {
  return path.to / 2 == 1;
}

TEST(SlowHosts, ADelayAtAllPortsOfARankIsItsHosts) {
  const auto rows = times_of(kDelayed);
  EXPECT_EQ(slower(rows[0]), 4U);
  EXPECT_EQ(slower(rows[1]), 4U);
  EXPECT_EQ(slower(rows[2]), 0U) << "of long chunks it is a third";
  const auto found = find_slow_places(times_of(kDelayed), ring_ports());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place.scope, Scope::host);
  EXPECT_EQ(found[0].place.port / 2, 1U);
  EXPECT_EQ(found[0].place.direction, Direction::both);
  EXPECT_EQ(found[0].kind, Slowness::delay);
  EXPECT_TRUE(found[0].only_beyond_hosts);
  EXPECT_NEAR(found[0].excess_us, 55, 10);
}

TEST(SlowHosts, HealthyOnesAreNot) {
  for (const auto& row : times_of(kUndelayed)) EXPECT_EQ(slower(row), 0U);
  EXPECT_TRUE(find_slow_places(times_of(kUndelayed), ring_ports()).empty());
}

TEST(SlowHosts, OneRowMayBeChance) {
  const std::vector<std::vector<PathTime>> one{times_of(kDelayed)[0]};
  EXPECT_TRUE(find_slow_places(one, ring_ports()).empty());
  auto rows = times_of(kUndelayed);
  rows[0] = times_of(kDelayed)[0];
  EXPECT_TRUE(find_slow_places(rows, ring_ports()).empty());
}

TEST(SlowHosts, OneDirectionIsEnough) {
  EXPECT_EQ(slower(delayed(50, leaves_rank_1)), 2U);
  EXPECT_EQ(slower(delayed(50, reaches_rank_1)), 2U);
  EXPECT_EQ(slower(delayed(15, leaves_rank_1)), 0U) << "as software devices differ";
}

/// The healthy rows, with rank 1 to rank 2 50 us longer; and 50 us later, acknowledgements of what
/// reaches rank 1, or of what rank 2 sends, as a delay at one of the two would do. 0: not known.
std::vector<std::vector<PathTime>> along_a_ring(std::size_t late_at) {
  auto rows = times_of(kUndelayed);
  for (std::vector<PathTime>& row : rows) {
    for (PathTime& one : row) {
      const std::size_t sender = one.path.from / 2;
      if (sender == 1) one.min_us += 50;
      const bool late = (late_at == 1 && sender == 0) || (late_at == 2 && sender == 2);
      if (late_at > 0) one.ack_delay_us = late ? 65 : 15;
    }
  }
  return rows;
}

TEST(SlowHosts, AcknowledgementsTellTheSenderFromTheReceiver) {
  for (const std::size_t late_at : {1U, 2U}) {
    const auto found = find_slow_places(along_a_ring(late_at), ring_ports());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].place.scope, Scope::host);
    EXPECT_EQ(found[0].place.port / 2, late_at);
    EXPECT_EQ(found[0].place.direction, late_at == 1 ? Direction::transmit : Direction::receive);
    EXPECT_TRUE(found[0].alternatives.empty());
  }
}

TEST(SlowHosts, WithoutThemBothAreNamed) {
  const auto found = find_slow_places(along_a_ring(0), ring_ports());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place.port / 2, 1U);
  ASSERT_EQ(found[0].alternatives.size(), 1U);
  EXPECT_EQ(found[0].alternatives[0].port / 2, 2U);
  EXPECT_EQ(found[0].alternatives[0].direction, Direction::receive);
}

/// One of its two ports has rails to compare with (see Twins).
TEST(SlowHosts, OnePortIsNotItsHost) {
  EXPECT_EQ(slower(delayed(50, [](const Path& path) { return path.from == 2; })), 0U);
}

/// Who is slow of two that only exchange with each other?
TEST(SlowHosts, NeedOthersThatDoNotTouchThem) {
  auto row = delayed(50, leaves_rank_1);
  std::erase_if(row, [](const PathTime& one) { return one.path.from / 2 >= 2; });
  for (PathTime& one : row) one.path.to = one.path.from % 2 + (leaves_rank_1(one.path) ? 0 : 2);
  EXPECT_EQ(slower(row), 0U);
}

/// Of three, one pair that is fast would accuse the third.
TEST(SlowHosts, NeedThreeOthers) {
  const Ports three(SimulatedRun(SimulatedRun::Shape::ring, 3, 2, 1).ranks());
  auto row = delayed(50, [](const Path& path) { return path.from / 2 < 2; });
  std::erase_if(row, [](const PathTime& one) { return one.path.from / 2 == 3; });
  for (PathTime& one : row) one.path.to %= 6;
  EXPECT_TRUE(slower_than_other_hosts(row, three).empty());
}

TEST(SlowHosts, FewChunksTellNothing) {
  auto row = times_of(kDelayed)[0];
  row[5].samples = 4;
  EXPECT_EQ(slower(row), 0U);
}

}  // namespace
}  // namespace railgauge::diagnosis
