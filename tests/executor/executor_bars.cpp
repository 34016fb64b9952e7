// What the executor costs by itself, on one thread, over a transport that delivers at once and
// moves nothing: nanoseconds per chunk sent and received, with its credits and completions, and per
// step. A 400-Gb/s NIC takes a chunk of 64 KiB in 1300 ns. Then how many chunks of 128 KiB a second
// one thread carries over eight rails, eight threads, and one of these alone: eight are eight times
// as many where each has a processor, since they share nothing. Not a test: the best of many runs,
// which a busy machine does not disturb, is printed next to the median.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "executor/counted_allocations.hpp"
#include "executor/executor.hpp"
#include "executor/null_transport.hpp"
#include "executor/progress_threads.hpp"
#include "executor/rank_transports.hpp"
#include "executor/simulated_exchange.hpp"
#include "schedule/algorithms.hpp"
#include "transport/neighbours.hpp"

namespace {

using namespace railgauge;
using namespace railgauge::executor;
using schedule::Collective;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kRuns = 1001;
constexpr double kMostPerChunkNs = 300;
constexpr double kMostPerStepNs = 150;

struct Case {
  const char* name;
  Collective collective;
  const char* algorithm;
  Rank ranks;
  std::size_t block_elements;
  Stripes stripes{};
  bool per_step = false;  // else per chunk
  double bar_ns = 0;      // 0: none
};

// Blocks of 1 MiB are 16 chunks of 64 KiB, or 4 where data only move in one hop. Blocks of 2
// elements are one message each: a step is a message and its arrival.
constexpr std::size_t kLarge = std::size_t{256} * 1024;
constexpr std::array kCases{
    Case{"chunk of 64 KiB, ring all-reduce",
         Collective::all_reduce,
         "ring",
         8,
         kLarge,
         {},
         false,
         kMostPerChunkNs},
    Case{"chunk of 64 KiB, ring all-gather",
         Collective::all_gather,
         "ring",
         8,
         kLarge,
         {},
         false,
         kMostPerChunkNs},
    Case{"chunk of 256 KiB, all-to-all",
         Collective::all_to_all,
         "pairwise",
         8,
         kLarge,
         {},
         false,
         kMostPerChunkNs},
    Case{"chunk of 64 KiB, ring all-reduce, 4 rails x 2 queue pairs",
         Collective::all_reduce,
         "ring",
         8,
         8 * kLarge,
         {4, 2, 0},
         false,
         kMostPerChunkNs},
    Case{"step with 8 bytes, ring all-reduce", Collective::all_reduce, "ring", 64, 2, {}, true},
    Case{"step with nothing, ring all-reduce",
         Collective::all_reduce,
         "ring",
         64,
         0,
         {},
         true,
         kMostPerStepNs},
};

schedule::Schedule schedule_of(const Case& what) {
  for (const auto& algorithm : schedule::algorithms(what.collective)) {
    if (algorithm.name == what.algorithm) return algorithm.make({what.ranks, 0, 1});
  }
  std::fprintf(stderr, "no algorithm %s\n", what.algorithm);
  std::exit(2);
}

/// One rank of a collective, all of whose peers it plays.
class Alone {
 public:
  explicit Alone(const Case& what)
      : what_(what),
        schedule_(schedule_of(what)),
        wire_(what.ranks, channels_of(schedule_, 0, what.stripes)),
        executor_(wire_, {}) {
    const Layout layout = Layout::each(what.block_elements, schedule_.blocks);
    regions_.output = wire_.allocate(std::max<std::size_t>(layout.elements(), 1) * sizeof(float));
    regions_.input = regions_.output;  // in place: nothing is copied
    regions_.scratch = wire_.allocate(scratch_bytes(schedule_, layout, sizeof(float)) + 1);
    executor_.load(make_plan(schedule_, 0, layout, sizeof(float), what.stripes, wire_.channels()));
  }

  /// Nanoseconds.
  double run() {
    const RunLimits limits{Clock::now() + std::chrono::seconds(10)};
    const auto begin = Clock::now();
    const Outcome outcome = executor_.run(reduction_, regions_, limits);
    const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
    if (outcome.ending == Ending::done) return time.count();
    std::fprintf(stderr, "%s: %s\n", what_.name, outcome.report().c_str());
    std::exit(1);
  }

  /// That one run has: chunks, or steps.
  double parts() {
    if (what_.per_step) return static_cast<double>(schedule_.steps);
    const auto before = chunks();
    run();
    return static_cast<double>(chunks() - before);
  }

 private:
  [[nodiscard]] std::uint64_t chunks() const {
    std::uint64_t sum = 0;
    for (transport::Channel channel = 0; channel < wire_.channels().size(); ++channel) {
      sum += executor_.traffic(channel).chunks;
    }
    return sum;
  }

  const Case& what_;
  schedule::Schedule schedule_;
  transport::NullTransport wire_;
  Executor executor_;
  Regions regions_;
  reduce::Reduction reduction_ = reduce::no_reduction();
};

void measure(const Case& what) {
  Alone alone(what);
  const double parts = alone.parts();
  std::array<double, kRuns> times{};
  const std::size_t before = allocations();
  for (double& time : times) time = alone.run();
  const std::size_t allocated = allocations() - before;
  std::ranges::sort(times);
  std::printf("%-58s best %6.1f ns  median %6.1f ns  allocations %zu", what.name, times[0] / parts,
              times[kRuns / 2] / parts, allocated);
  if (what.bar_ns > 0) {
    std::printf("  bar %.0f ns: %s", what.bar_ns,
                times[0] / parts <= what.bar_ns ? "met" : "missed");
  }
  std::printf("\n");
}

constexpr unsigned kRails = 8;
constexpr std::uint32_t kChunkBytes = 128 * 1024;
// Of 8 x 400 Gb/s.
constexpr double kChunksPerSecond = kRails * 400e9 / 8 / kChunkBytes;

/// One rank of a ring all-reduce over some rails, driven by so many threads.
class RankOfRails {
 public:
  RankOfRails(unsigned rails, unsigned threads)
      : stripes_{rails, 1, 0},
        transports_(wires(threads)),
        threads_(transports_.views(), rails, {.chunk_bytes = kChunkBytes}),
        reductions_(threads, reduce::no_reduction()) {
    Layout layout = Layout::each(rails * kLarge, schedule_.blocks);
    regions_.output = threads_.allocate(layout.elements() * sizeof(float));
    regions_.input = regions_.output;
    regions_.scratch = threads_.allocate(scratch_bytes(schedule_, layout, sizeof(float)) + 1);
    threads_.load(
        schedule_, 0, [&](Rank) { return layout; }, sizeof(float), stripes_);
  }

  /// Chunks a second, in the best of many runs.
  double best() {
    double best = 0;
    for (std::size_t run = 0; run < kRuns; ++run) {
      const std::uint64_t before = chunks();
      const auto begin = Clock::now();
      const Outcome outcome =
          threads_.run(reductions_, regions_, {begin + std::chrono::seconds(10)});
      const std::chrono::duration<double> time = Clock::now() - begin;
      if (outcome.ending != Ending::done) {
        std::fprintf(stderr, "%u threads: %s\n", threads_.threads(), outcome.report().c_str());
        std::exit(1);
      }
      best = std::max(best, static_cast<double>(chunks() - before) / time.count());
    }
    return best;
  }

 private:
  RankTransports wires(unsigned threads) {
    RankTransports made;
    for (unsigned share = 0; share < threads; ++share) {
      const Stripes part = RailShare{share, threads}.part_of(stripes_);
      made.add(std::make_unique<transport::NullTransport>(schedule_.ranks,
                                                          channels_of(schedule_, 0, part)));
    }
    return made;
  }
  [[nodiscard]] std::uint64_t chunks() const {
    std::uint64_t sum = 0;
    for (transport::Channel channel = 0; channel < threads_.channels().size(); ++channel)
      sum += threads_.traffic(channel).chunks;
    return sum;
  }

  schedule::Schedule schedule_ = schedule::ring_all_reduce(8);
  Stripes stripes_;
  RankTransports transports_;
  ProgressThreads threads_;
  std::vector<reduce::Reduction> reductions_;
  Regions regions_;
};

void measure_rails(const char* name, unsigned rails, unsigned threads, double needed) {
  const double chunks = RankOfRails(rails, threads).best();
  std::printf("%-58s best %5.2f million chunks/s, %.1f times what %u x 400 Gb/s take\n", name,
              chunks / 1e6, chunks / needed, rails);
}

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// Of a sample of the ranks the one with the most channels.
Rank busiest_rank(const schedule::Schedule& schedule) {
  const Rank step = schedule.ranks / 64 | 1U;
  Rank busiest = 0;
  std::size_t most = 0;
  for (Rank rank = 0; rank < schedule.ranks; rank += step) {
    const std::size_t channels = channels_of(schedule, rank, {}).size();
    if (channels > most) busiest = rank;
    most = std::max(most, channels);
  }
  return busiest;
}

/// What it takes one of so many ranks to connect, without its devices: to find its channels in the
/// schedule, and to pair them with its neighbours', whose answers are at hand.
void measure_connecting(const schedule::Schedule& schedule) {
  using transport::SimulatedExchange;
  const Rank rank = busiest_rank(schedule);
  SimulatedExchange::Kept kept;
  for (const auto& channel : channels_of(schedule, rank, {})) {
    SimulatedExchange::keep(channel.peer, schedule.ranks, kept, [&](auto& exchange) {
      (void)peer_channels(exchange, channels_of(schedule, channel.peer, {}));
    });
  }
  std::array<double, 2> best_us{1e9, 1e9};
  std::size_t channels = 0;
  std::size_t bytes = 0;
  for (int run = 0; run < 9; ++run) {
    SimulatedExchange exchange(rank, schedule.ranks, kept);
    const auto begin = Clock::now();
    const auto found = channels_of(schedule, rank, {});
    const auto half = Clock::now();
    (void)peer_channels(exchange, found);
    const auto end = Clock::now();
    best_us = {std::min(best_us[0], microseconds(half - begin)),
               std::min(best_us[1], microseconds(end - half))};
    channels = found.size();
    bytes = exchange.sent();
  }
  std::printf(
      "connecting, %-16s %5u ranks: %2zu queue pairs a rank and rail, %3zu bytes each way, found "
      "in %5.0f us, paired in %2.0f us\n",
      schedule.name.c_str(), schedule.ranks, channels, bytes, best_us[0], best_us[1]);
}

}  // namespace

int main() {
  for (const Case& what : kCases) measure(what);
  const std::string eight =
      "8 rails, 8 threads on " + std::to_string(std::thread::hardware_concurrency()) + " CPUs";
  measure_rails("8 rails, 1 thread", kRails, 1, kChunksPerSecond);
  measure_rails(eight.c_str(), kRails, kRails, kChunksPerSecond);
  measure_rails("1 rail, 1 of 8 threads", 1, 1, kChunksPerSecond / kRails);
  for (const Rank ranks : {64U, 256U, 8192U, 65536U}) {
    measure_connecting(schedule::ring_all_reduce(ranks));
    measure_connecting(schedule::two_tree_all_reduce(ranks));
    measure_connecting(schedule::halving_doubling_all_reduce(ranks));
  }
}
