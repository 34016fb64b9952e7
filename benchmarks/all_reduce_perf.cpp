// Time and bandwidth of all-reduce over a sweep of sizes, every one verified. Start with
// launchers/mpirun, one process a rank.

#include "benchmarks/run.hpp"
#include "benchmarks/trial.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return benchmarks::run("all_reduce_perf", argc, argv, [](benchmarks::Session& session) {
    benchmarks::Trial trial(session, session.options().algorithm->make({session.ranks(), 0, 1}));
    for (const std::uint64_t bytes : session.options().sizes()) {
      results::Row row = trial.load(bytes);
      row.out_of_place = trial.measure(benchmarks::Placement::out_of_place);
      row.in_place = trial.measure(benchmarks::Placement::in_place);
      session.report(row);
    }
  });
}
