// What shared memory achieves between two processes, each on its own processor, compared with
// memcpy in one of them: 8-byte round trips, and writes of 64 KiB and 1 MiB. Runs are short and
// many; the best one, which a busy machine does not disturb, is printed along with the median.

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>

#include "transport/processes.hpp"
#include "transport/shared_memory.hpp"

namespace {

using namespace railgauge::transport;

constexpr int kRuns = 101;
constexpr std::uint32_t kSlots = 4;  // as the executor's window: written in turns
constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::uint32_t kTurns = 2000;
constexpr std::uint32_t kVolume = 64 << 20;
constexpr bool kAsleep = true;

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Times {
  double median;
  double best;
};

Times time_runs(const std::function<void()>& work) {
  std::array<double, kRuns> runs{};
  for (double& run : runs) run = seconds(work);
  std::ranges::sort(runs);
  return {runs[kRuns / 2], runs[0]};
}

/// Waits until a total of `count` notifications have arrived.
struct Arrivals {
  Transport& wire;
  std::uint32_t came = 0;

  void await(std::uint32_t count, bool asleep = false) {
    std::array<Event, 32> events;
    while (came < count) {
      const std::size_t found = wire.poll(events);
      for (std::size_t i = 0; i < found; ++i) came += events[i].kind == Event::Kind::arrived;
      if (found == 0 && asleep) wire.idle(std::chrono::seconds(1));
    }
  }
};

void ping_pong(Transport& wire, const Region& region, std::uint32_t turns, bool asleep) {
  Arrivals arrivals{wire};
  for (std::uint32_t turn = 1; turn <= turns; ++turn) {
    if (wire.rank() == 1) arrivals.await(turn, asleep);
    wire.write(0, {.local = region, .remote_id = region.id, .bytes = 8});
    if (wire.rank() == 0) arrivals.await(turn, asleep);
  }
}

/// Rank 0 writes, and rank 1 answers each with a notification.
void stream(Transport& wire, const Region& region, std::uint32_t bytes, std::uint32_t writes) {
  Arrivals arrivals{wire};
  for (std::uint32_t i = 0; i < writes; ++i) {
    const std::size_t slot = std::size_t{i % kSlots} * bytes;
    if (wire.rank() == 0) {
      if (i >= kSlots) arrivals.await(i + 1 - kSlots);
      wire.write(0, {.local = region,
                     .local_offset = slot,
                     .remote_id = region.id,
                     .remote_offset = slot,
                     .bytes = bytes});
    } else {
      arrivals.await(i + 1);
      wire.write(0, {.local = region});
    }
  }
  if (wire.rank() == 0) arrivals.await(writes);
}

void copy(const Region& from, const Region& into, std::size_t bytes, std::uint32_t writes) {
  for (std::uint32_t i = 0; i < writes; ++i) {
    const std::size_t slot = i % kSlots * bytes;
    std::memcpy(into.data + slot, from.data + slot, bytes);
  }
}

void measure(Exchange& exchange) {
  cpu_set_t processor;
  CPU_ZERO(&processor);
  CPU_SET(exchange.rank(), &processor);
  sched_setaffinity(0, sizeof processor, &processor);
  const std::vector<ChannelRequest> channels{{1 - exchange.rank(), 0}};
  const auto wire = connect_shared_memory(exchange, channels);
  const Region region = wire->allocate(kSlots * kMostBytes);
  const Region other = wire->allocate(kSlots * kMostBytes);
  const bool speaks = exchange.rank() == 0;
  for (const bool asleep : {!kAsleep, kAsleep}) {
    const Times time = time_runs([&] { ping_pong(*wire, region, kTurns, asleep); });
    if (!speaks) continue;
    std::printf("8 B round trip, %s: median %.3f us, best %.3f us\n",
                asleep ? "asleep between" : "polling", time.median / kTurns * 1e6,
                time.best / kTurns * 1e6);
  }
  for (const std::uint32_t bytes : {64U << 10, 1U << 20}) {
    const std::uint32_t writes = kVolume / bytes;
    const Times time = time_runs([&] { stream(*wire, region, bytes, writes); });
    exchange.all_gather({});
    const Times own = speaks ? time_runs([&] { copy(region, other, bytes, writes); }) : Times{};
    exchange.all_gather({});
    if (!speaks) continue;
    std::printf("writes of %u KiB: median %.2f GB/s, best %.2f; memcpy: median %.2f, best %.2f\n",
                bytes >> 10, 1e-9 * kVolume / time.median, 1e-9 * kVolume / time.best,
                1e-9 * kVolume / own.median, 1e-9 * kVolume / own.best);
  }
}

}  // namespace

int main() {
  const Endings endings = run_processes(2, measure);
  return endings == Endings(2) ? 0 : 1;
}
