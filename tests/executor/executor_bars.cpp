// What the executor costs by itself, on one thread, over a transport that delivers at once and
// moves nothing: nanoseconds per chunk sent and received, with its credits and completions, and per
// step. A 400-Gb/s NIC takes a chunk of 64 KiB in 1300 ns. Not a test: the best of many runs, which
// a busy machine does not disturb, is printed next to the median.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "executor/counted_allocations.hpp"
#include "executor/executor.hpp"
#include "executor/null_transport.hpp"
#include "schedule/algorithms.hpp"

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
    std::fprintf(stderr, "%s: %s\n", what_.name, outcome.report.c_str());
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

}  // namespace

int main() {
  for (const Case& what : kCases) measure(what);
}
