#include "executor/edge_samples.hpp"

#include <gtest/gtest.h>

#include "executor/executor.hpp"
#include "schedule/algorithms.hpp"
#include "transport/wire.hpp"

namespace railgauge::executor {
namespace {

using transport::RankContext;

std::vector<EdgeSample> of(const EdgeSamples& samples) {
  return samples.of(0, samples.arrivals(0));
}

/// A run of a channel that sends as many chunks as arrive, all of them at once.
void run(EdgeSamples& samples, std::uint32_t chunks, std::uint64_t& writes) {
  samples.begin_run();
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    if (samples.wants(0, chunk)) samples.posted(0, writes + 1, 100 + chunk);
    ++writes;
    samples.arrived(0, chunk);
    samples.completed(0, writes);
  }
}

TEST(EdgeSamples, OneChunkOfARunIsTimed) {
  EdgeSamples samples(1);
  samples.prepare(0, 5, 5);
  samples.restart();
  std::uint64_t writes = 0;
  for (std::size_t runs = 1; runs <= 10; ++runs) {
    run(samples, 5, writes);
    EXPECT_EQ(of(samples).size(), runs);
  }
  for (const EdgeSample& sample : of(samples)) {
    EXPECT_GE(sample.arrived, sample.posted);
    EXPECT_GE(sample.completed, sample.arrived);
    EXPECT_GE(sample.bytes, 100);
  }
}

TEST(EdgeSamples, AllChunksHaveTheirTurn) {
  EdgeSamples samples(1);
  samples.prepare(0, 4, 4);
  samples.restart();
  std::uint64_t writes = 0;
  for (int i = 0; i < 40; ++i) run(samples, 4, writes);
  std::array<int, 4> seen{};
  for (const EdgeSample& sample : of(samples)) ++seen.at(sample.bytes - 100);
  for (const int times : seen) EXPECT_GT(times, 4);
}

TEST(EdgeSamples, ManyRunsAreSampledMoreSparsely) {
  EdgeSamples samples(1);
  samples.prepare(0, 3, 3);
  samples.restart();
  std::uint64_t writes = 0;
  for (int i = 0; i < 1000; ++i) run(samples, 3, writes);
  const auto found = of(samples);
  EXPECT_GE(found.size(), EdgeSamples::kMost / 2 - 1);
  EXPECT_LE(found.size(), EdgeSamples::kMost);
  for (const EdgeSample& sample : found) EXPECT_GE(sample.arrived, sample.posted);
}

TEST(EdgeSamples, AChunkOfTheNextRunMayBeEarly) {
  EdgeSamples samples(1);
  samples.prepare(0, 1, 1);
  samples.restart();
  samples.begin_run();
  samples.arrived(0, 0);
  samples.arrived_early(0, 0);
  EXPECT_NE(samples.arrivals(0)[0], 0);
  EXPECT_NE(samples.arrivals(0)[1], 0);
  EXPECT_EQ(samples.arrivals(0)[2], 0);
}

TEST(EdgeSamples, AChannelThatCarriesNothingHasNone) {
  EdgeSamples samples(1);
  samples.prepare(0, 0, 0);
  samples.restart();
  samples.begin_run();
  EXPECT_FALSE(samples.wants(0, 0));
  EXPECT_TRUE(of(samples).empty());
}

/// Runs an algorithm `runs` times, twice over, and looks at the samples of all channels.
void run_and_look(RankContext& context, const schedule::Schedule& schedule, std::size_t count,
                  std::uint32_t runs) {
  const Stripes stripes{context.wire.rails(), 2, 0};
  const auto wire =
      context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
  Executor executor(*wire, {4096, 2});
  const Layout layout = Layout::each(count, schedule.blocks);
  const std::size_t bytes = layout.elements() * sizeof(float);
  Regions regions{wire->allocate(bytes), wire->allocate(bytes), {}};
  regions.scratch = wire->allocate(scratch_bytes(schedule, layout, sizeof(float)));
  const auto reduction =
      reduce::reduction(reduce::ElementType::float32, reduce::Operator::sum, schedule.ranks);
  const RunLimits limits{std::chrono::steady_clock::now() + std::chrono::seconds(60)};
  for (int time = 0; time < 2; ++time) {
    executor.load(
        make_plan(schedule, context.rank, layout, sizeof(float), stripes, wire->channels()));
    context.exchange.all_gather({});  // no peer is a run ahead of a plan
    for (std::uint32_t run = 0; run < runs; ++run) {
      const Outcome outcome = executor.run(reduction, regions, limits);
      ASSERT_EQ(outcome.ending, Ending::done) << outcome.report();
    }
    const Outcome told = executor.exchange_samples(limits);
    ASSERT_EQ(told.ending, Ending::done) << told.report();
    for (transport::Channel channel = 0; channel < wire->channels().size(); ++channel) {
      const auto samples = executor.samples(channel);
      EXPECT_EQ(samples.empty(), executor.plan().sends[channel].empty());
      for (const EdgeSample& sample : samples) {
        ASSERT_NE(sample.arrived, EdgeSample::Time{}) << schedule.name << " rank " << context.rank;
        EXPECT_GE(sample.arrived, sample.posted);
      }
    }
  }
  context.exchange.all_gather({});
}

TEST(EdgeSamples, EveryEdgeOfEveryAlgorithmIsTimed) {
  for (const auto& algorithm : schedule::algorithms()) {
    for (const transport::Rank ranks : {2U, 5U, 8U}) {
      const schedule::Schedule schedule = algorithm.make({ranks, 0, 1});
      for (const std::size_t count : {4U, 5'000U}) {
        transport::run_ranks(
            ranks, [&](RankContext& context) { run_and_look(context, schedule, count, 5); });
      }
    }
  }
}

}  // namespace
}  // namespace railgauge::executor
