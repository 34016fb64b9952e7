// How long it takes to judge a fabric of 8,192 NICs, 256 leaves and 32 spines with three bad links
// of 16,384: prints times of the processor, and does not judge them.
//
// usage: isolation_speed [ROUNDS]     default: 16, of 4 source ports each

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "isolation/simulated_fabric.hpp"

namespace railgauge::isolation {
namespace {

double now_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int run(int rounds) {
  SimulatedFabric fabric({.hosts = 8192, .rails = 1, .leaves = 256, .spines = 32}, 1);
  for (int bad = 0; bad < 3; ++bad) fabric.plant(fabric.any_link());
  const Plan plan{.most_rounds = rounds};
  std::printf("%6s %10s %10s %9s %7s %5s\n", "rounds", "tests", "judge (s)", "coverage", "planted",
              "named");
  for (int round = 0; round < rounds; ++round) {
    fabric.test(round, matching(fabric.evidence(), round, plan), source_ports(round, plan));
    const double start = now_seconds();
    const Verdict verdict = judge(fabric.evidence());
    const double seconds = now_seconds() - start;
    Score score;
    score.add(fabric, verdict);
    std::printf("%6d %10zu %10.3f %9.4f %7d %5d%s\n", round + 1, verdict.tests, seconds,
                verdict.coverage(), score.planted, score.right,
                enough(verdict, round + 1, plan) ? "  enough" : "");
  }
  return 0;
}

}  // namespace
}  // namespace railgauge::isolation

int main(int argc, char** argv) {
  constexpr int kRounds = 16;
  return railgauge::isolation::run(argc > 1 ? std::atoi(argv[1]) : kRounds);
}
