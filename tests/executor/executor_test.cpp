#include "executor/executor.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "schedule/ring.hpp"
#include "transport/wire.hpp"

namespace railgauge::executor {
namespace {

using schedule::Collective;
using transport::RankContext;

constexpr float kUntouched = -7;

struct Case {
  schedule::Schedule (*make)(schedule::Rank);
  std::size_t count;  // elements of the vector, or of a rank's block for an all-gather
  ExecutorSettings settings;
  bool in_place = false;
};

float input_of(Rank rank, std::size_t at, int run) {
  return static_cast<float>((at * 7 + rank * 13 + static_cast<std::size_t>(run)) % 97);
}

float expected(Collective collective, Rank ranks, std::size_t count, std::size_t at, int run) {
  if (collective == Collective::all_gather) {
    return input_of(static_cast<Rank>(at / count), at, run);
  }
  float sum = 0;
  for (Rank rank = 0; rank < ranks; ++rank) sum += input_of(rank, at, run);
  return sum;
}

Outcome run_once(Executor& executor, const transport::Region& input,
                 const transport::Region& output) {
  return executor.run(reduce::kernel(reduce::ElementType::float32, reduce::Operator::sum), input,
                      output, {std::chrono::steady_clock::now() + std::chrono::seconds(60)});
}

/// Several runs in a row with other inputs each, so that what a run leaves behind shows.
void check(RankContext& context, const Case& test) {
  const schedule::Schedule schedule = test.make(context.ranks);
  const bool gather = schedule.collective == Collective::all_gather;
  const std::size_t size = gather ? test.count * context.ranks : test.count;
  const unsigned rails = context.wire.rails();
  const auto wire = context.wire.join(context.exchange, lanes_of(schedule, context.rank, rails));
  Executor executor(*wire, test.settings);
  const auto output = wire->allocate(size * sizeof(float));
  const auto input = test.in_place ? output : wire->allocate(size * sizeof(float));
  auto* out = reinterpret_cast<float*>(output.data);
  auto* in = reinterpret_cast<float*>(input.data);
  const Layout layout = gather ? Layout::each(test.count, schedule.blocks)
                               : Layout::whole(test.count, schedule.blocks);
  executor.load(make_plan(schedule, context.rank, layout, sizeof(float), rails, wire->lanes()));
  for (int run = 0; run < 3; ++run) {
    for (std::size_t i = 0; i < size; ++i) {
      out[i] = kUntouched;
      in[i] = input_of(context.rank, i, run);
    }
    context.exchange.all_gather({});
    const Outcome outcome = run_once(executor, input, output);
    ASSERT_EQ(outcome.ending, Ending::done) << outcome.report;
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(out[i], expected(schedule.collective, context.ranks, test.count, i, run))
          << "rank " << context.rank << " of " << context.ranks << ", element " << i << " of "
          << size << ", run " << run;
      ASSERT_TRUE(test.in_place || in[i] == input_of(context.rank, i, run)) << "input overwritten";
    }
  }
}

std::vector<std::size_t> sizes_around(std::size_t n) {
  return {0, 1, n - 1, n, n + 1, 1000};
}

class ExecutorOnRanks : public testing::TestWithParam<Rank> {};

TEST_P(ExecutorOnRanks, AllReducesEverySize) {
  for (const bool in_place : {false, true}) {
    for (const std::size_t count : sizes_around(GetParam())) {
      transport::run_ranks(GetParam(), [&](RankContext& context) {
        check(context, {schedule::ring_all_reduce, count, {128, 2}, in_place});
      });
    }
  }
}

TEST_P(ExecutorOnRanks, AllGathersEverySize) {
  for (const bool in_place : {false, true}) {
    for (const std::size_t count : {0, 1, 33, 200}) {
      transport::run_ranks(GetParam(), [&](RankContext& context) {
        check(context, {schedule::ring_all_gather, count, {128, 2}, in_place});
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, ExecutorOnRanks, testing::Values(1, 2, 3, 5, 6, 7, 8, 12, 13));

TEST(Executor, IsRightWithAnyPieceAndWindow) {
  for (const std::uint32_t piece : {64U, 192U, 4096U, 65536U}) {
    for (const std::uint32_t window : {1U, 2U, 3U, 32U}) {
      transport::run_ranks(4, [&](RankContext& context) {
        check(context, {schedule::ring_all_reduce, 5003, {piece, window}});
      });
    }
  }
}

TEST(Executor, CountsWhatItSendsAsTheClosedFormSays) {
  transport::run_ranks(4, [](RankContext& context) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(context.ranks);
    const unsigned rails = context.wire.rails();
    const auto wire = context.wire.join(context.exchange, lanes_of(schedule, context.rank, rails));
    Executor executor(*wire, {});
    const std::size_t count = 16 * 1024 * rails;
    const auto region = wire->allocate(count * sizeof(float));
    executor.load(make_plan(schedule, context.rank, Layout::whole(count, schedule.blocks),
                            sizeof(float), rails, wire->lanes()));
    ASSERT_EQ(run_once(executor, region, region).ending, Ending::done);
    for (unsigned rail = 0; rail < rails; ++rail) {
      const std::size_t block = count * sizeof(float) / rails / schedule.blocks;
      EXPECT_EQ(executor.traffic(rail).bytes, schedule.cost.blocks_sent * block);
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
