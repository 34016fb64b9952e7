#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "executor/executor.hpp"
#include "schedule/algorithms.hpp"
#include "transport/wire.hpp"

namespace railgauge::executor {
namespace {

using transport::RankContext;

/// Uneven, with nothing for some, and much for a few.
std::size_t count(Rank from, Rank to) {
  return (from * 7 + to * 5) % 4 == 0 ? 0 : (from * 31 + to * 17) % 53 * (to % 3 == 1 ? 40 : 1);
}

struct Sizes {
  std::vector<std::size_t> output;
  std::vector<std::size_t> input;

  Sizes(Rank rank, Rank ranks) {
    for (Rank other = 0; other < ranks; ++other) {
      output.push_back(count(other, rank));
      input.push_back(count(rank, other));
    }
  }
  [[nodiscard]] std::size_t most() const {
    return std::max(std::accumulate(output.begin(), output.end(), std::size_t{0}),
                    std::accumulate(input.begin(), input.end(), std::size_t{0}));
  }
};

std::uint32_t value(std::size_t from, std::size_t to, std::size_t at, std::size_t run) {
  return static_cast<std::uint32_t>(at * 2654435761U + from * 1009 + to * 9176 + run);
}

void check(RankContext& context) {
  const schedule::Schedule schedule = schedule::pairwise_all_to_all_v(context.ranks);
  std::size_t most = 0;
  for (Rank rank = 0; rank < context.ranks; ++rank) {
    most = std::max(most, Sizes(rank, context.ranks).most());
  }
  const auto layout_of = [&](Rank rank) {
    const Sizes sizes(rank, context.ranks);
    return Layout::listed(sizes.output, sizes.input, most);
  };
  const Stripes stripes{context.wire.rails(), 2, 0};
  const auto wire =
      context.wire.join(context.exchange, channels_of(schedule, context.rank, stripes));
  Executor executor(*wire, {1024, 2});
  Regions regions{wire->allocate(most * 4), wire->allocate(most * 4), {}};
  executor.load(make_plan(schedule, context.rank, layout_of, 4, stripes, wire->channels()));
  auto* out = reinterpret_cast<std::uint32_t*>(regions.output.data);
  auto* in = reinterpret_cast<std::uint32_t*>(regions.input.data);
  for (std::uint32_t run = 0; run < 3; ++run) {
    std::size_t place = 0;
    for (Rank to = 0; to < context.ranks; ++to) {
      for (std::size_t i = 0; i < count(context.rank, to); ++i) {
        in[place++] = value(context.rank, to, i, run);
      }
    }
    const auto sum = reduce::reduction(reduce::ElementType::uint32, reduce::Operator::sum, 2);
    const Outcome outcome =
        executor.run(sum, regions, {std::chrono::steady_clock::now() + std::chrono::seconds(60)});
    EXPECT_EQ(outcome.ending, Ending::done) << outcome.report();
    place = 0;
    std::size_t wrong = 0;
    for (Rank from = 0; from < context.ranks; ++from) {
      for (std::size_t i = 0; i < count(from, context.rank); ++i) {
        wrong += out[place++] == value(from, context.rank, i, run) ? 0 : 1;
      }
    }
    EXPECT_EQ(wrong, 0U) << "rank " << context.rank << ", run " << run;
    context.exchange.all_gather({});
  }
}

TEST(AllToAllV, TakesBlocksOfAnySizes) {
  for (const Rank ranks : {1U, 2U, 3U, 5U, 6U, 7U, 8U, 12U, 13U})
    transport::run_ranks(ranks, check);
}

}  // namespace
}  // namespace railgauge::executor
