#include "experiments/collective/window_choice.hpp"

#include <gtest/gtest.h>

#include "executor/executor.hpp"
#include "executor/timed_transport.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

constexpr std::uint32_t kChunk = 128 * 1024;

/// 500 KB at 400 Gb/s: four chunks and one, twice.
TEST(DefaultWindow, IsTwiceWhatALinkCarriesInARoundTripAndOne) {
  EXPECT_EQ(default_window(200, kChunk, false), 6U);
  EXPECT_EQ(default_window(400, kChunk, false), 10U);
  EXPECT_EQ(default_window(400, 2 * kChunk, false), 6U);
}

TEST(DefaultWindow, IsFromFourToSixteen) {
  EXPECT_EQ(default_window(0, kChunk, false), 4U) << "the rate is not known";
  EXPECT_EQ(default_window(25, kChunk, false), 4U);
  EXPECT_EQ(default_window(100, kChunk, false), 4U);
  EXPECT_EQ(default_window(400, 16 * kChunk, false), 4U);
  EXPECT_EQ(default_window(800, kChunk, false), 16U);
  EXPECT_EQ(default_window(400, 4096, false), 16U);
}

TEST(DefaultWindow, IsOneOnSoftwareDevices) {
  for (const double rate : {0., 1., 400.}) EXPECT_EQ(default_window(rate, kChunk, true), 1U);
}

/// The share of the time in which one of 8 ranks of a ring sends, over links whose round trip takes
/// 10 us and processors that reduce nearly as fast as data come.
double link_is_busy(double gigabits_per_second, unsigned window) {
  using namespace executor;
  const schedule::Schedule ring = schedule::ring_all_reduce(8);
  const double chunk_us = kChunk / (125 * gigabits_per_second);
  transport::TimedTransport wire(ring.ranks, channels_of(ring, 0, {}),
                                 {gigabits_per_second, 10, 0.9 * chunk_us});
  Executor rank(wire, {.chunk_bytes = kChunk, .window = window});
  const Layout layout = Layout::each(std::size_t{16} * kChunk / sizeof(float), ring.blocks);
  Regions regions;
  regions.output = regions.input = wire.allocate(layout.elements() * sizeof(float));
  regions.scratch = wire.allocate(scratch_bytes(ring, layout, sizeof(float)) + 1);
  rank.load(make_plan(ring, 0, layout, sizeof(float), {}, wire.channels()));
  const RunLimits limits{std::chrono::steady_clock::now() + std::chrono::minutes(5)};
  const Outcome outcome = rank.run(reduce::no_reduction(), regions, limits);
  EXPECT_EQ(outcome.ending, Ending::done) << outcome.report();
  return wire.busy_us() / wire.now_us();
}

TEST(DefaultWindow, KeepsTheLinkBusy) {
  for (const double rate : {25., 50., 100., 200., 400., 800.})
    EXPECT_GE(link_is_busy(rate, default_window(rate, kChunk, false)), 0.8) << rate;
  EXPECT_GE(link_is_busy(400, default_window(400, kChunk, false)), 0.95);
  EXPECT_LE(link_is_busy(400, 4), 0.6) << "which is what slower links are given";
}

}  // namespace
}  // namespace railgauge::runner
