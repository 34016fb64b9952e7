#include "executor/executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <tuple>
#include <vector>

#include "executor/lazy_offload.hpp"
#include "schedule/algorithms.hpp"
#include "transport/wire.hpp"

namespace railgauge::executor {
namespace {

using schedule::Collective;
using transport::RankContext;

constexpr float kUntouched = -7;
constexpr std::size_t kPeriod = 97;

/// Repeats after kPeriod elements.
float input_of(Rank rank, std::size_t at, int run) {
  return static_cast<float>((at * 7 + rank * 13 + static_cast<std::size_t>(run)) % kPeriod);
}

/// Values that repeat after kPeriod. What copies them takes a sanitizer a fraction of what a loop
/// does.
template <class Value>
std::vector<float> periodic(std::size_t count, const Value& value) {
  std::array<float, kPeriod> period{};
  for (std::size_t i = 0; i < std::min(count, kPeriod); ++i) period.at(i) = value(i);
  std::vector<float> values;
  values.reserve(count);
  while (values.size() < count)
    values.insert(values.end(), period.data(),
                  period.data() + std::min(kPeriod, count - values.size()));
  return values;
}

/// The place of the first that differs, or their number.
std::size_t first_difference(const float* values, const std::vector<float>& expected) {
  if (expected.empty()) return 0;  // memcmp takes no null pointer, not even for no bytes
  if (std::memcmp(values, expected.data(), expected.size() * sizeof(float)) == 0)
    return expected.size();
  const auto found = std::ranges::mismatch(std::span(values, expected.size()), expected);
  return static_cast<std::size_t>(found.in2 - expected.begin());
}

/// How a schedule's data lie: `count` is a rank's block, or the vector where ranks have none.
Layout layout_of(const schedule::Schedule& schedule, std::size_t count) {
  switch (schedule.collective) {
    case Collective::all_reduce:
    case Collective::reduce:
    case Collective::broadcast: return Layout::whole(count, schedule.blocks);
    default: return Layout::each(count, schedule.blocks);
  }
}

reduce::Reduction reduction_of(const schedule::Schedule& schedule) {
  const auto op =
      schedule.collective == Collective::barrier ? reduce::Operator::max : reduce::Operator::sum;
  return reduce::reduction(reduce::ElementType::float32, op, schedule.ranks);
}

/// One collective's memory, and what has to be in it.
class Bench {
 public:
  Bench(RankContext& context, const schedule::Schedule& schedule, transport::Transport& wire,
        std::size_t largest, bool in_place)
      : rank_(context.rank), schedule_(schedule) {
    const Layout layout = layout_of(schedule, largest);
    const std::size_t bytes = layout.elements() * sizeof(float);
    regions_.output = wire.allocate(bytes);
    regions_.input = in_place ? regions_.output : wire.allocate(bytes);
    regions_.scratch = wire.allocate(scratch_bytes(schedule, layout, sizeof(float)));
  }

  void load(std::size_t count) { layout_ = layout_of(schedule_, count); }
  [[nodiscard]] const Layout& layout() const { return layout_; }

  void fill(int run) {
    std::ranges::copy(periodic(layout_.elements(), [](std::size_t) { return kUntouched; }),
                      output());
    std::ranges::copy(inputs(run), input());
  }

  [[nodiscard]] Outcome run(Executor& executor) const {
    return executor.run(reduction_of(schedule_), regions_,
                        {std::chrono::steady_clock::now() + std::chrono::seconds(60)});
  }

  /// The first wrong element of what this rank has to end with, or has to leave alone, in words.
  [[nodiscard]] std::string first_wrong(int run) const {
    for (schedule::Block block = 0; block < schedule_.blocks; ++block) {
      if (!schedule::is_output(schedule_, rank_, block)) continue;
      const auto [begin, end] = layout_.span({block, 1});
      const std::vector<float> right = periodic(
          end - begin,
          [&, first = begin](std::size_t within) { return expected(block, first + within, run); });
      const std::size_t wrong = first_difference(output() + begin, right);
      if (wrong < right.size()) return words(begin + wrong, right[wrong]);
    }
    if (input() == output()) return "";
    const std::size_t wrong = first_difference(input(), inputs(run));
    return wrong < layout_.elements() ? "input overwritten " + words(wrong, 0) : "";
  }

 private:
  [[nodiscard]] float* output() const { return reinterpret_cast<float*>(regions_.output.data); }
  [[nodiscard]] float* input() const { return reinterpret_cast<float*>(regions_.input.data); }

  [[nodiscard]] std::vector<float> inputs(int run) const {
    return periodic(layout_.elements(), [&](std::size_t at) { return input_of(rank_, at, run); });
  }

  [[nodiscard]] float expected(schedule::Block block, std::size_t at, int run) const {
    if (schedule_.collective == Collective::barrier) return largest(at, run);
    if (!schedule::reduces(schedule_.collective)) {
      const schedule::Place source = schedule::source_of(schedule_, rank_, block);
      const std::size_t within = at - layout_.span({block, 1}).begin;
      const schedule::Block number = source.block % schedule_.blocks;
      return input_of(source.rank, layout_.span({number, 1}).begin + within, run);
    }
    float sum = 0;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) sum += input_of(rank, at, run);
    return sum;
  }

  [[nodiscard]] float largest(std::size_t at, int run) const {
    float most = 0;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      most = std::max(most, input_of(rank, at, run));
    }
    return most;
  }

  [[nodiscard]] std::string words(std::size_t at, float right) const {
    return "rank " + std::to_string(rank_) + ", element " + std::to_string(at) + " of " +
           std::to_string(layout_.elements()) + ": " + std::to_string(output()[at]) + ", not " +
           std::to_string(right);
  }

  Rank rank_;
  const schedule::Schedule& schedule_;
  Regions regions_;
  Layout layout_ = Layout::whole(0, 1);
};

struct Case {
  std::vector<std::size_t> counts;  // one after the other
  ExecutorSettings settings{128, 2};
  bool in_place = false;
  unsigned queue_pairs = 1;
  bool offloaded = false;
};

/// Several runs in a row with other inputs each, so that what a run leaves behind shows.
void check_size(RankContext& context, const schedule::Schedule& schedule, Executor& executor,
                Bench& bench) {
  for (int run = 0; run < 3; ++run) {
    bench.fill(run);
    context.exchange.all_gather({});
    const Outcome outcome = bench.run(executor);
    // No ASSERT: the other ranks would wait for one that left.
    EXPECT_EQ(outcome.ending, Ending::done) << outcome.report();
    EXPECT_EQ(bench.first_wrong(run), "")
        << schedule.name << " " << schedule::name(schedule.collective) << ", run " << run;
    context.exchange.all_gather({});  // nobody goes on while a peer may still send to it
  }
}

void check(RankContext& context, const schedule::Schedule& schedule, const Case& test) {
  const Stripes stripes{context.wire.rails(), test.queue_pairs, 0};
  const auto channels = channels_of(schedule, context.rank, stripes);
  const auto wire = context.wire.join(context.exchange, channels);
  LazyOffload offload(reduction_of(schedule));
  ExecutorSettings settings = test.settings;
  if (test.offloaded) settings.offload = &offload;
  Executor executor(*wire, settings);
  Bench bench(context, schedule, *wire, std::ranges::max(test.counts), test.in_place);
  for (const std::size_t count : test.counts) {
    bench.load(count);
    executor.load(make_plan(schedule, context.rank, bench.layout(), sizeof(float), stripes,
                            wire->channels()));
    check_size(context, schedule, executor, bench);
  }
}

void check_on_all_ranks(const schedule::Schedule& schedule, const Case& test) {
  transport::run_ranks(schedule.ranks,
                       [&](RankContext& context) { check(context, schedule, test); });
}

std::vector<std::size_t> counts_for(const schedule::Schedule& schedule) {
  if (schedule.collective == Collective::barrier) return {1};
  const std::size_t n = schedule.ranks;
  if (layout_of(schedule, 1).elements() == 1) return {0, 1, n - 1, n, n + 1, 1000};
  return {0, 1, 33, 200};
}

using AlgorithmOnRanks = std::tuple<schedule::Algorithm, Rank>;
class ExecutorOnRanks : public testing::TestWithParam<AlgorithmOnRanks> {};

TEST_P(ExecutorOnRanks, IsRightForEverySize) {
  const auto& [algorithm, ranks] = GetParam();
  // The root is in the middle, and hosts have two ranks where that goes.
  const schedule::Schedule schedule = algorithm.make({ranks, ranks / 2, 2U - ranks % 2});
  for (const bool in_place : {false, true}) {
    if (in_place && schedule::separate_buffers(schedule.collective)) continue;
    check_on_all_ranks(schedule, {counts_for(schedule), {128, 2}, in_place});
    if (ranks > 5) continue;
    check_on_all_ranks(schedule, {counts_for(schedule), {128, 2}, in_place, 1, true});
  }
}

std::string test_name(const testing::TestParamInfo<AlgorithmOnRanks>& info) {
  const auto& [algorithm, ranks] = info.param;
  std::string text = std::string(schedule::name(algorithm.collective)) + "_" +
                     std::string(algorithm.name) + "_" + std::to_string(ranks);
  std::ranges::replace(text, '-', '_');
  return text;
}

INSTANTIATE_TEST_SUITE_P(All, ExecutorOnRanks,
                         testing::Combine(testing::ValuesIn(schedule::algorithms().begin(),
                                                            schedule::algorithms().end()),
                                          testing::Values(1, 2, 3, 5, 6, 7, 8, 12, 13)),
                         test_name);

TEST(Executor, IsRightWithAnyChunkWindowAndQueuePairs) {
  for (const char* name : {"ring", "tree", "halving-doubling", "folded", "hierarchical"}) {
    const auto* algorithm = schedule::find_algorithm(Collective::all_reduce, name);
    for (const ExecutorSettings settings :
         {ExecutorSettings{64, 1}, {64, 32}, {192, 3, true}, {4096, 2}, {65536, 1}}) {
      check_on_all_ranks(algorithm->make({4, 0, 2}), {{5003}, settings, false, 1});
    }
    check_on_all_ranks(algorithm->make({4, 0, 2}), {{5003}, {192, 3}, false, 3});
  }
}

/// What is neither small nor combined is written to its place: not before that is free. With an
/// offload nothing is small, and a few chunks are enough.
TEST(Executor, IsRightWhereDataGoStraightToTheirPlaces) {
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) {
    if (algorithm.collective == Collective::barrier) continue;
    for (const Rank ranks : {4U, 5U}) {
      const schedule::Schedule schedule = algorithm.make({ranks, ranks / 2, 2U - ranks % 2});
      const bool vector = layout_of(schedule, 1).elements() == 1;
      for (const bool in_place : {false, true}) {
        if (in_place && schedule::separate_buffers(schedule.collective)) continue;
        for (const bool offloaded : {false, true}) {
          const std::size_t block = offloaded ? 3001 : 9001;
          const std::size_t count = vector ? schedule.blocks * block : block;
          check_on_all_ranks(schedule, {{count}, {4096, 2}, in_place, 1, offloaded});
        }
      }
    }
  }
}

/// Chunks that stay where they land are longer than a slot, and more of them are under way.
TEST(Executor, IsRightWhereNothingIsPassedOn) {
  for (const auto& [collective, name] : {std::pair{Collective::sendrecv, "neighbour"},
                                         {Collective::all_to_all, "pairwise"},
                                         {Collective::gather, "direct"},
                                         {Collective::scatter, "direct"}}) {
    const auto* algorithm = schedule::find_algorithm(collective, name);
    ASSERT_NE(algorithm, nullptr) << name;
    for (const ExecutorSettings settings : {ExecutorSettings{64, 1}, {4096, 1}, {4096, 20}}) {
      check_on_all_ranks(algorithm->make({3, 0, 1}), {{50003, 7001, 5}, settings, false, 2});
    }
  }
}

/// A GPU may see late what a NIC has written into its memory.
TEST(Executor, TellsItsOffloadThatPeersHaveWritten) {
  transport::run_ranks(2, [](RankContext& context) {
    const auto* algorithm = schedule::find_algorithm(Collective::all_gather, "ring");
    const schedule::Schedule schedule = algorithm->make({2, 0, 1});
    const Stripes stripes{context.wire.rails()};
    const auto wire =
        context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
    LazyOffload offload(reduction_of(schedule));
    Executor executor(*wire, {.chunk_bytes = 256, .offload = &offload});
    Bench bench(context, schedule, *wire, 1000, false);
    bench.load(1000);
    executor.load(make_plan(schedule, context.rank, bench.layout(), sizeof(float), stripes,
                            wire->channels()));
    bench.fill(0);
    context.exchange.all_gather({});
    EXPECT_EQ(bench.run(executor).ending, Ending::done);
    EXPECT_GT(offload.flushes, 0);
    context.exchange.all_gather({});
  });
}

/// It names the device. A rank by itself: others would wait for one that left.
TEST(Executor, FailsWithItsOffload) {
  transport::run_ranks(1, [](RankContext& context) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(context.ranks);
    const Stripes stripes{context.wire.rails()};
    const auto wire =
        context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
    LazyOffload offload(reduction_of(schedule));
    offload.fails_after = 0;
    Executor executor(*wire, {.chunk_bytes = 256, .offload = &offload});
    Bench bench(context, schedule, *wire, 1000, false);
    bench.load(1000);
    executor.load(make_plan(schedule, context.rank, bench.layout(), sizeof(float), stripes,
                            wire->channels()));
    const Outcome outcome = bench.run(executor);
    EXPECT_EQ(outcome.ending, Ending::device);
    EXPECT_NE(outcome.report().find("fell off the bus"), std::string::npos) << outcome.report();
  });
}

TEST(Executor, TakesOnePlanAfterTheOther) {
  transport::run_ranks(3, [](RankContext& context) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(context.ranks);
    const Stripes stripes{context.wire.rails()};
    const auto wire =
        context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
    Executor executor(*wire, {256, 3});
    Bench bench(context, schedule, *wire, 1000, true);
    for (const std::size_t count : {1000, 1, 0, 999, 64, 1000}) {
      bench.load(count);
      executor.load(make_plan(schedule, context.rank, bench.layout(), sizeof(float), stripes,
                              wire->channels()));
      bench.fill(0);
      context.exchange.all_gather({});
      EXPECT_EQ(bench.run(executor).ending, Ending::done);
      EXPECT_EQ(bench.first_wrong(0), "");
    }
    context.exchange.all_gather({});
  });
}

TEST(Executor, CountsWhatItSendsAsTheClosedFormSays) {
  transport::run_ranks(4, [](RankContext& context) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(context.ranks);
    const unsigned rails = context.wire.rails();
    const Stripes stripes{rails};
    const auto wire =
        context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
    Executor executor(*wire, {});
    const std::size_t count = 16 * 1024 * rails;
    Bench bench(context, schedule, *wire, count, true);
    bench.load(count);
    executor.load(make_plan(schedule, context.rank, bench.layout(), sizeof(float), stripes,
                            wire->channels()));
    EXPECT_EQ(bench.run(executor).ending, Ending::done);
    std::vector<std::size_t> sent(rails);
    for (transport::Channel channel = 0; channel < wire->channels().size(); ++channel) {
      sent[wire->channels()[channel].rail] += executor.traffic(channel).bytes;
    }
    const std::size_t block = count * sizeof(float) / rails / schedule.blocks;
    EXPECT_EQ(sent, std::vector<std::size_t>(rails, schedule.cost.blocks_sent * block));
    context.exchange.all_gather({});
  });
}

TEST(Executor, SendsFewerChunksWhereNothingIsPassedOn) {
  transport::run_ranks(2, [](RankContext& context) {
    const schedule::Schedule schedule = schedule::neighbour_shift(context.ranks);
    const Stripes stripes{context.wire.rails()};
    const auto wire =
        context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
    Executor executor(*wire, {.chunk_bytes = 4096, .window = 1});
    const std::size_t bytes = std::size_t{64} * 1024 * context.wire.rails();
    Bench bench(context, schedule, *wire, bytes / sizeof(float), false);
    bench.load(bytes / sizeof(float));
    executor.load(make_plan(schedule, context.rank, bench.layout(), sizeof(float), stripes,
                            wire->channels()));
    EXPECT_EQ(bench.run(executor).ending, Ending::done);
    std::uint64_t chunks = 0;
    for (transport::Channel channel = 0; channel < wire->channels().size(); ++channel) {
      chunks += executor.traffic(channel).chunks;
    }
    EXPECT_EQ(chunks, bytes / (std::size_t{16} * 1024));
    context.exchange.all_gather({});
  });
}

TEST(Executor, TimesItsRails) {
  transport::run_ranks(2, [](RankContext& context) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(context.ranks);
    const Stripes stripes{.rails = context.wire.rails(), .queue_pairs = 2, .least_bytes = 0};
    const auto wire =
        context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
    Executor executor(*wire, {});
    Bench bench(context, schedule, *wire, 1000, true);
    bench.load(1000);
    executor.load(make_plan(schedule, context.rank, bench.layout(), sizeof(float), stripes,
                            wire->channels()));
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(bench.run(executor).ending, Ending::done);
    const auto most = std::chrono::steady_clock::now() - before;
    EXPECT_EQ(executor.rail_times().size(), stripes.rails);
    for (const std::chrono::nanoseconds time : executor.rail_times()) {
      EXPECT_GT(time.count(), 0);
      EXPECT_LE(time, most);
    }
    context.exchange.all_gather({});
  });
}

TEST(Executor, RefusesSettingsThatCannotWork) {
  transport::run_ranks(2, [](RankContext& context) {
    const auto wire = context.wire.join(context.exchange, {});
    EXPECT_THROW(Executor(*wire, {64, 0}), std::invalid_argument);
    EXPECT_THROW(Executor(*wire, {64, 1000}), std::invalid_argument);
    EXPECT_THROW(Executor(*wire, {65, 1}), std::invalid_argument);
    EXPECT_THROW(Executor(*wire, {0, 1}), std::invalid_argument);
  });
}

}  // namespace
}  // namespace railgauge::executor
