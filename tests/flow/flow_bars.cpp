// What lib/flow costs by itself, for eight NICs on one thread, over a device that acknowledges at
// once and moves nothing: nanoseconds of CPU per message. At 8 x 400 Gb/s a message of 64 KiB is
// due every 164 ns. Not a test: the best of many runs, which a busy machine does not disturb, is
// printed next to the median.

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <limits>
#include <memory>
#include <vector>

#include "flow/null_device.hpp"
#include "flow/test.hpp"

namespace {

using namespace railgauge::flow;

constexpr std::size_t kNics = 8;
constexpr std::size_t kRuns = 51;
constexpr std::uint64_t kMessages = 16384;  // of 64 KiB: 1 GiB of each NIC
constexpr double kMostPerMessageNs = 100;

double cpu_ns() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

/// A NIC of this host, and one of another, which it sends to.
struct Flow {
  Nic here{NullDevice::port(), 64 * 1024};
  Nic there{NullDevice::port(), 64 * 1024};
  std::unique_ptr<Test> sender{};
  std::unique_ptr<Test> receiver{};

  void start(const Plan& plan) {
    receiver.reset();
    sender = std::make_unique<Test>(here, Test::Part::first, plan);
    receiver = std::make_unique<Test>(there, Test::Part::second, plan);
    const Offer offer = sender->offer();
    const bool joined = sender->connect(receiver->offer());
    const bool both = receiver->connect(offer) && joined;
    sender->start(both);
    receiver->start(both);
    receiver->advance();  // it answers the greeting
  }
};

/// Receivers are other hosts: they are looked after once all is sent.
double run(std::vector<Flow>& flows, const Plan& plan) {
  for (Flow& flow : flows) flow.start(plan);
  const double began = cpu_ns();
  for (bool going_on = true; going_on;) {
    going_on = false;
    for (Flow& flow : flows) going_on = flow.sender->advance() || going_on;
  }
  const double ran = cpu_ns() - began;
  for (Flow& flow : flows) {
    while (flow.receiver->advance()) {
    }
  }
  return ran / static_cast<double>(kNics * plan.iterations);
}

void measure(const char* name, int completions_per_poll, const Plan& plan) {
  NullDevice::set_completions_per_poll(completions_per_poll);
  std::vector<Flow> flows(kNics);
  run(flows, plan);
  NullDevice::counts() = {};
  std::array<double, kRuns> times{};
  for (double& time : times) time = run(flows, plan);
  std::ranges::sort(times);
  const NullDevice::Counts& counts = NullDevice::counts();
  const auto each = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(counts.messages);
  };
  std::printf(
      "%-46s best %6.1f ns  median %6.1f ns  posts %.3f  signals %.3f a message  bar %.0f ns: %s\n",
      name, times[0], times[kRuns / 2], each(counts.posts), each(counts.signals), kMostPerMessageNs,
      times[0] <= kMostPerMessageNs ? "met" : "missed");
}

}  // namespace

int main() {
  const Plan plan{.directions = Directions::forward, .iterations = kMessages};
  Plan pairs = plan;
  pairs.queue_pairs = 4;
  measure("8 NICs, one completion a poll", 1, plan);
  measure("8 NICs, all completions a poll", std::numeric_limits<int>::max(), plan);
  measure("8 NICs, 4 queue pairs, one completion a poll", 1, pairs);
}
