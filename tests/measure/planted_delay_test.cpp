// The instrument is calibrated: a wire that waits a known time on one rank has to be found in the
// numbers, and on that rank.

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "executor/executor.hpp"
#include "measure/statistics.hpp"
#include "measure/timing.hpp"
#include "schedule/algorithms.hpp"
#include "transport/wire.hpp"

namespace railgauge::measure {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

/// Waits before every write that has data, on the processor, as a slow host would.
class SlowWire final : public transport::ForwardingTransport {
 public:
  SlowWire(std::unique_ptr<Transport> wire, nanoseconds delay)
      : ForwardingTransport(std::move(wire)), delay_(delay) {}
  void write(transport::Channel channel, const transport::Write& write) noexcept override {
    if (write.bytes > 0 && delay_.count() > 0) delay();
    ForwardingTransport::write(channel, write);
  }
  /// What it has waited since it was asked last: a busy machine wakes no thread in time.
  nanoseconds take_delayed() { return std::exchange(delayed_, nanoseconds(0)); }

 private:
  void delay() noexcept {
    const auto begin = steady_clock::now();
    std::this_thread::sleep_for(delay_);
    delayed_ += steady_clock::now() - begin;
  }

  nanoseconds delay_;
  nanoseconds delayed_{0};
};

/// Ranks that are threads.
class Threads final : public RankGroup {
 public:
  explicit Threads(transport::Exchange& exchange) : exchange_(exchange) {}
  void barrier() override { (void)exchange_.all_gather({}); }
  std::vector<double> reduce(std::span<const double> own, OverRanks) override {
    const auto all = transport::all_gather(exchange_, std::vector<double>(own.begin(), own.end()));
    std::vector<double> slowest = all[0];
    for (const auto& one : all) {
      std::ranges::transform(slowest, one, slowest.begin(),
                             [](double a, double b) { return std::max(a, b); });
    }
    if (exchange_.rank() != 0) slowest.clear();
    return slowest;
  }
  std::uint64_t broadcast(std::uint64_t value) override {
    return transport::all_gather(exchange_, std::vector{value})[0][0];
  }
  std::vector<double> all_gather(double own) override {
    std::vector<double> values;
    for (const auto& one : transport::all_gather(exchange_, std::vector{own})) {
      values.push_back(one[0]);
    }
    return values;
  }

 private:
  transport::Exchange& exchange_;
};

/// What bounds the iterations of a rank, however busy the machine is. They take at least what its
/// wire waited in any of them, and none is longer than from the end of the one before to the
/// beginning of the next.
struct Bounds {
  nanoseconds least_planted = nanoseconds::max();
  nanoseconds longest{0};
};

/// Watches the iterations of one rank from outside.
class Watch {
 public:
  void begins() {
    bounds_.longest = std::max<nanoseconds>(bounds_.longest, steady_clock::now() - ended_before_);
  }
  void ends(nanoseconds planted) {
    bounds_.least_planted = std::min(bounds_.least_planted, planted);
    ended_before_ = std::exchange(ended_, steady_clock::now());
  }
  Bounds bounds() {
    begins();
    return bounds_;
  }

 private:
  steady_clock::time_point ended_before_ = steady_clock::now();
  steady_clock::time_point ended_ = ended_before_;
  Bounds bounds_;
};

struct Found {
  Timing timing;
  double planted_us = 0;  // at least, in every iteration of the slow rank
  double longest_us = 0;  // no iteration of any rank is longer
};

double microseconds_of(nanoseconds time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// Ring all-reduce of a few elements, with a rank whose writes are late by `delay`.
Found measured_with(transport::Rank ranks, transport::Rank slow, nanoseconds delay,
                    Separation separation) {
  Found found;
  std::vector<Bounds> bounds(ranks);
  transport::run_ranks(ranks, [&](transport::RankContext& context) {
    const schedule::Schedule ring = schedule::ring_all_reduce(ranks);
    const auto channels = executor::channels_of(ring, context.rank, executor::Stripes{});
    SlowWire wire(context.wire.join(context.exchange, channels),
                  context.rank == slow ? delay : nanoseconds(0));
    executor::Executor executor(wire, {});
    const transport::Region region = wire.allocate(64 * sizeof(float));
    executor.load(executor::make_plan(ring, context.rank, schedule::Layout::whole(64, ranks), 4, {},
                                      wire.channels()));
    const auto sum = reduce::reduction(reduce::ElementType::float32, reduce::Operator::sum, ranks);
    Watch watch;
    const auto run = [&] {
      watch.begins();
      const auto deadline = steady_clock::now() + std::chrono::seconds(60);
      const auto outcome = executor.run(sum, {region, region, {}}, {deadline});
      watch.ends(wire.take_delayed());
      return outcome.waited;
    };
    Threads threads(context.exchange);
    Timing timing = time_iterations(
        {.run = run}, {.stopping = {.iterations = 7}, .separation = separation, .verified = 0},
        threads);
    bounds[context.rank] = watch.bounds();
    if (context.rank == 0) found.timing = std::move(timing);
  });
  found.planted_us = microseconds_of(bounds[slow].least_planted);
  for (const Bounds& rank : bounds) {
    found.longest_us = std::max(found.longest_us, microseconds_of(rank.longest));
  }
  return found;
}

class PlantedDelay : public ::testing::TestWithParam<Separation> {};

TEST_P(PlantedDelay, IsFoundInTheTimeAndOnItsRank) {
  constexpr double kPart = 0.02;  // as a histogram rounds
  for (const transport::Rank slow : {0U, 2U}) {
    // A rank of a ring of three has four blocks to send, and the others wait for each of them.
    const Found found = measured_with(3, slow, milliseconds(50), GetParam());
    const Timing& timing = found.timing;
    const auto expect_bounded = [&](double us) {
      EXPECT_GE(us, (1 - kPart) * found.planted_us);
      EXPECT_LE(us, (1 + kPart) * found.longest_us);
    };
    EXPECT_GE(found.planted_us, 200'000);
    expect_bounded(timing.times.quantile_us(500));
    const auto straggler = find_straggler(timing.own_us, timing.times.quantile_us(500));
    ASSERT_TRUE(straggler);
    EXPECT_EQ(straggler->rank, slow);
    expect_bounded(straggler->own_us);
  }
}

INSTANTIATE_TEST_SUITE_P(Separations, PlantedDelay,
                         ::testing::Values(Separation::none, Separation::barrier_outside));

}  // namespace
}  // namespace railgauge::measure
