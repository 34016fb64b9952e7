// A run allocates nothing: counted by an operator new of our own, over a wire that allocates
// nothing either.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "executor/counted_allocations.hpp"
#include "executor/executor.hpp"
#include "executor/null_transport.hpp"
#include "executor/progress_threads.hpp"
#include "schedule/algorithms.hpp"
#include "transport/wire.hpp"

namespace railgauge::executor {
namespace {

using schedule::Collective;
using transport::RankContext;

void run_and_count(RankContext& context, const schedule::Schedule& schedule, std::size_t count) {
  const Stripes stripes{context.wire.rails(), 2, 0};
  const auto wire =
      context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
  Executor executor(*wire, {4096, 3});
  const Layout layout = Layout::each(count, schedule.blocks);
  Regions regions;
  regions.output = wire->allocate(layout.elements() * sizeof(float));
  regions.input = wire->allocate(layout.elements() * sizeof(float));
  regions.scratch = wire->allocate(scratch_bytes(schedule, layout, sizeof(float)));
  executor.load(
      make_plan(schedule, context.rank, layout, sizeof(float), stripes, wire->channels()));
  const auto reduction =
      reduce::reduction(reduce::ElementType::float32, reduce::Operator::sum, schedule.ranks);
  const RunLimits limits{std::chrono::steady_clock::now() + std::chrono::seconds(60)};
  for (int run = 0; run < 3; ++run) {
    const std::size_t before = allocations();
    const Outcome outcome = executor.run(reduction, regions, limits);
    EXPECT_EQ(allocations(), before) << schedule.name << ", run " << run;
    EXPECT_EQ(outcome.ending, Ending::done) << outcome.report();
  }
  context.exchange.all_gather({});
}

TEST(Allocations, OfARunAreNone) {
  for (const auto& algorithm : schedule::algorithms()) {
    if (algorithm.collective == Collective::barrier) continue;
    const schedule::Schedule schedule = algorithm.make({4, 0, 2});
    // Blocks of the size of a message, and of several chunks.
    for (const std::size_t count : {4U, 12'000U}) {
      transport::run_ranks(4,
                           [&](RankContext& context) { run_and_count(context, schedule, count); });
    }
  }
}

// Runs that meet no other rank never wait: 16 chunks a block in flight, with credits and
// completions.
TEST(Allocations, OfARunThatMeetsNobodyAreNone) {
  constexpr std::size_t kElements = std::size_t{64} * 1024;  // of a block
  constexpr std::uint32_t kChunkBytes = 4096;
  for (const auto collective : {Collective::all_reduce, Collective::all_gather}) {
    const schedule::Schedule schedule = schedule::algorithms(collective).front().make({5, 0, 1});
    const Stripes stripes{2, 2, 0};
    transport::NullTransport wire(5, channels_of(schedule, 0, stripes));
    Executor executor(wire, {kChunkBytes, 3});
    const Layout layout = Layout::each(kElements, schedule.blocks);
    const Regions regions{wire.allocate(layout.elements() * sizeof(float)),
                          wire.allocate(layout.elements() * sizeof(float)), wire.allocate(1)};
    executor.load(make_plan(schedule, 0, layout, sizeof(float), stripes, wire.channels()));
    const RunLimits limits{std::chrono::steady_clock::now() + std::chrono::seconds(60)};
    for (int run = 0; run < 3; ++run) {
      const std::size_t before = allocations();
      const Outcome outcome = executor.run(reduce::no_reduction(), regions, limits);
      EXPECT_EQ(allocations(), before);
      ASSERT_EQ(outcome.ending, Ending::done) << outcome.report();
    }
    std::uint64_t chunks = 0;  // sent, in three runs
    for (transport::Channel channel = 0; channel < wire.channels().size(); ++channel) {
      chunks += executor.traffic(channel).chunks;
    }
    const std::uint64_t blocks = (schedule::reduces(collective) ? 2 : 1) * std::uint64_t{4};
    EXPECT_EQ(chunks, 3 * blocks * (kElements * sizeof(float) / kChunkBytes));
  }
}

/// Knows how much the thread that polls it has allocated.
class WatchedTransport final : public transport::NullTransport {
 public:
  using NullTransport::NullTransport;
  [[nodiscard]] std::size_t poll(std::span<transport::Event> events) noexcept override {
    seen = allocations();
    return NullTransport::poll(events);
  }
  std::size_t seen = 0;
};

/// Neither on the caller's thread nor on the other.
TEST(Allocations, OfARunByTwoThreadsAreNone) {
  constexpr std::size_t kElements = std::size_t{64} * 1024;  // of a block
  const schedule::Schedule schedule = schedule::ring_all_reduce(5);
  const Stripes stripes{2, 2, 0};
  const auto channels = channels_of(schedule, 0, RailShare{0, 2}.part_of(stripes));
  WatchedTransport first(5, channels);
  WatchedTransport second(5, channels);
  ProgressThreads threads({&first, &second}, stripes.rails, {4096, 3});
  const Layout layout = Layout::each(kElements, schedule.blocks);
  const Regions regions{threads.allocate(layout.elements() * sizeof(float)),
                        threads.allocate(layout.elements() * sizeof(float)), threads.allocate(1)};
  threads.load(
      schedule, 0, [&](Rank) { return layout; }, sizeof(float), stripes);
  const std::vector<reduce::Reduction> reductions(2, reduce::no_reduction());
  const RunLimits limits{std::chrono::steady_clock::now() + std::chrono::seconds(60)};
  std::size_t of_other = 0;
  for (int run = 0; run < 3; ++run) {
    const std::size_t before = allocations();
    const Outcome outcome = threads.run(reductions, regions, limits);
    EXPECT_EQ(threads.rail_times().size(), stripes.rails);
    EXPECT_EQ(allocations(), before);
    if (run == 0) of_other = second.seen;
    EXPECT_EQ(second.seen, of_other);
    ASSERT_EQ(outcome.ending, Ending::done) << outcome.report();
  }
}

TEST(Allocations, AreCounted) {
  const std::size_t before = allocations();
  const auto one = std::make_unique<int>(1);
  EXPECT_EQ(allocations(), before + static_cast<std::size_t>(*one));
}

/// Counts the memory that peers may write into, and has none.
class CountedWire final : public transport::NullTransport {
 public:
  using NullTransport::NullTransport;

  transport::Region allocate(std::size_t bytes) override {
    landing_bytes += bytes;
    return share({});
  }

  std::size_t landing_bytes = 0;
};

struct MemoryOfARank {
  std::size_t own = 0;      // bytes
  std::size_t landing = 0;  // slots, and times that peers tell
};

/// Of one rank over eight rails, with 64 KiB a rank and rail.
MemoryOfARank memory_of(const schedule::Schedule& schedule) {
  const Stripes stripes{8, 1, 0};
  const std::size_t before = allocated_bytes();
  count_most();
  CountedWire wire(schedule.ranks, channels_of(schedule, 0, stripes));
  Executor executor(wire, {128 * 1024, 10});
  const Layout layout = Layout::each(std::size_t{8} * 16 * 1024, schedule.blocks);
  executor.load(make_plan(schedule, 0, layout, sizeof(float), stripes, wire.channels()));
  return {most_allocated_bytes() - before, wire.landing_bytes};
}

/// At most in proportion to them: of algorithms with two peers, with some, and with all others.
TEST(Allocations, OfAPlanGrowNoFasterThanTheRanks) {
  constexpr std::size_t kMost = std::size_t{64} * 1024 * 1024;
  const std::vector<std::pair<Collective, std::vector<std::string>>> cases{
      {Collective::all_reduce, {"ring", "circulant", "direct"}},
      {Collective::all_gather, {"ring", "bruck"}},
      {Collective::all_to_all, {"ring", "bruck", "pairwise"}}};
  for (const auto& [collective, names] : cases) {
    for (const std::string& name : names) {
      const auto* const algorithm = schedule::find_algorithm(collective, name);
      ASSERT_NE(algorithm, nullptr) << name;
      const MemoryOfARank few = memory_of(algorithm->make({128, 0, 1}));
      const MemoryOfARank many = memory_of(algorithm->make({1024, 0, 1}));
      EXPECT_LE(many.own, 9 * few.own) << name;
      EXPECT_LE(many.landing, 9 * few.landing) << name;
      EXPECT_LE(many.own, kMost) << name;
    }
  }
}

}  // namespace
}  // namespace railgauge::executor
