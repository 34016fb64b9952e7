#include "executor/executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "schedule/circulant.hpp"
#include "schedule/halving_doubling.hpp"
#include "schedule/ring.hpp"
#include "transport/wire.hpp"

namespace railgauge::executor {
namespace {

using schedule::Collective;
using transport::RankContext;

constexpr float kUntouched = -7;

struct Case {
  schedule::Schedule (*make)(schedule::Rank);
  // Elements of the vector, or, but for an all-reduce, of a rank's block: one after the other.
  std::vector<std::size_t> counts;
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
  return executor.run(reduce::reduction(reduce::ElementType::float32, reduce::Operator::sum, 1),
                      input, output, {std::chrono::steady_clock::now() + std::chrono::seconds(60)});
}

/// The first wrong element of what this rank has to end with, in words.
std::string first_wrong(const RankContext& context, const schedule::Schedule& schedule,
                        const Layout& layout, std::size_t count, const transport::Region& output,
                        int run) {
  const auto* out = reinterpret_cast<const float*>(output.data);
  for (schedule::Block block = 0; block < schedule.blocks; ++block) {
    if (!schedule::is_output(schedule.collective, context.rank, block)) continue;
    const auto [begin, end] = layout.span({block, 1});
    for (std::size_t i = begin; i < end; ++i) {
      const float right = expected(schedule.collective, context.ranks, count, i, run);
      if (out[i] == right) continue;
      return "rank " + std::to_string(context.rank) + ", run " + std::to_string(run) +
             ": element " + std::to_string(i) + " is " + std::to_string(out[i]) + ", not " +
             std::to_string(right);
    }
  }
  return "";
}

struct Buffers {
  transport::Region input;
  transport::Region output;
};

/// Several runs in a row with other inputs each, so that what a run leaves behind shows.
void check_size(RankContext& context, const schedule::Schedule& schedule, std::size_t count,
                Executor& executor, const transport::Transport& wire, const Buffers& buffers) {
  const bool by_blocks = schedule.collective != Collective::all_reduce;
  const std::size_t size = by_blocks ? count * context.ranks : count;
  auto* out = reinterpret_cast<float*>(buffers.output.data);
  auto* in = reinterpret_cast<float*>(buffers.input.data);
  const Layout layout =
      by_blocks ? Layout::each(count, schedule.blocks) : Layout::whole(count, schedule.blocks);
  executor.load(
      make_plan(schedule, context.rank, layout, sizeof(float), context.wire.rails(), wire.lanes()));
  for (int run = 0; run < 3; ++run) {
    for (std::size_t i = 0; i < size; ++i) {
      out[i] = kUntouched;
      in[i] = input_of(context.rank, i, run);
    }
    context.exchange.all_gather({});
    const Outcome outcome = run_once(executor, buffers.input, buffers.output);
    // No ASSERT: the other ranks would wait for one that left.
    EXPECT_EQ(outcome.ending, Ending::done) << outcome.report;
    EXPECT_EQ(first_wrong(context, schedule, layout, count, buffers.output, run), "")
        << schedule.name;
    for (std::size_t i = 0; i < size && in != out; ++i) {
      if (in[i] != input_of(context.rank, i, run)) ADD_FAILURE() << "input overwritten at " << i;
    }
    context.exchange.all_gather({});  // nobody goes on while a peer may still send to it
  }
}

void check(RankContext& context, const Case& test) {
  const schedule::Schedule schedule = test.make(context.ranks);
  const auto lanes = lanes_of(schedule, context.rank, context.wire.rails());
  const auto wire = context.wire.join(context.exchange, lanes);
  Executor executor(*wire, test.settings);
  const std::size_t largest = std::ranges::max(test.counts) * context.ranks * sizeof(float);
  Buffers buffers;
  buffers.output = wire->allocate(largest);
  buffers.input = test.in_place ? buffers.output : wire->allocate(largest);
  for (const std::size_t count : test.counts) {
    check_size(context, schedule, count, executor, *wire, buffers);
  }
}

using Makers = std::vector<schedule::Schedule (*)(Rank)>;

/// Those that serve so many ranks.
Makers all_reduces(Rank ranks) {
  Makers makers{schedule::ring_all_reduce, schedule::circulant_all_reduce,
                schedule::folded_all_reduce};
  if (std::has_single_bit(ranks)) makers.push_back(schedule::halving_doubling_all_reduce);
  return makers;
}

Makers all_gathers(Rank ranks) {
  Makers makers{schedule::ring_all_gather, schedule::circulant_all_gather};
  if (std::has_single_bit(ranks)) makers.push_back(schedule::doubling_all_gather);
  return makers;
}

Makers reduce_scatters(Rank ranks) {
  Makers makers{schedule::ring_reduce_scatter, schedule::circulant_reduce_scatter};
  if (std::has_single_bit(ranks)) makers.push_back(schedule::halving_reduce_scatter);
  return makers;
}

std::vector<std::size_t> sizes_around(std::size_t n) {
  return {0, 1, n - 1, n, n + 1, 1000};
}

class ExecutorOnRanks : public testing::TestWithParam<Rank> {};

TEST_P(ExecutorOnRanks, AllReducesEverySize) {
  for (const auto make : all_reduces(GetParam())) {
    for (const bool in_place : {false, true}) {
      transport::run_ranks(GetParam(), [&](RankContext& context) {
        check(context, {make, sizes_around(GetParam()), {128, 2}, in_place});
      });
    }
  }
}

TEST_P(ExecutorOnRanks, AllGathersEverySize) {
  for (const auto make : all_gathers(GetParam())) {
    for (const bool in_place : {false, true}) {
      transport::run_ranks(GetParam(), [&](RankContext& context) {
        check(context, {make, {0, 1, 33, 200}, {128, 2}, in_place});
      });
    }
  }
}

TEST_P(ExecutorOnRanks, ReduceScattersEverySize) {
  for (const auto make : reduce_scatters(GetParam())) {
    transport::run_ranks(GetParam(), [&](RankContext& context) {
      check(context, {make, sizes_around(GetParam()), {128, 2}});
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, ExecutorOnRanks, testing::Values(1, 2, 3, 5, 6, 7, 8, 12, 13));

TEST(Executor, IsRightWithAnyPieceAndWindow) {
  for (const std::uint32_t piece : {64U, 192U, 4096U, 65536U}) {
    for (const std::uint32_t window : {1U, 2U, 3U, 32U}) {
      for (const auto make : all_reduces(4)) {
        transport::run_ranks(4, [&](RankContext& context) {
          check(context, {make, {5003}, {piece, window}});
        });
      }
    }
  }
}

TEST(Executor, TakesOnePlanAfterTheOther) {
  transport::run_ranks(3, [](RankContext& context) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(context.ranks);
    const unsigned rails = context.wire.rails();
    const auto wire = context.wire.join(context.exchange, lanes_of(schedule, context.rank, rails));
    Executor executor(*wire, {256, 3});
    const auto region = wire->allocate(1000 * sizeof(float));
    auto* data = reinterpret_cast<float*>(region.data);
    for (const std::size_t count : {1000, 1, 0, 999, 64, 1000}) {
      const Layout layout = Layout::whole(count, schedule.blocks);
      executor.load(make_plan(schedule, context.rank, layout, sizeof(float), rails, wire->lanes()));
      for (std::size_t i = 0; i < count; ++i) data[i] = input_of(context.rank, i, 0);
      context.exchange.all_gather({});
      EXPECT_EQ(run_once(executor, region, region).ending, Ending::done);
      EXPECT_EQ(first_wrong(context, schedule, layout, count, region, 0), "");
    }
    context.exchange.all_gather({});
  });
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
    EXPECT_EQ(run_once(executor, region, region).ending, Ending::done);
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
