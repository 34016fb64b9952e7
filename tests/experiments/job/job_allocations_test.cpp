// A step allocates nothing: counted by an operator new of our own, over a wire that allocates
// nothing either.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "executor/counted_allocations.hpp"
#include "experiments/job/step_run.hpp"
#include "schedule/groups.hpp"
#include "transport/wire.hpp"
#include "workload/kinds.hpp"
#include "workload/mix.hpp"

namespace railgauge::runner {
namespace {

using transport::RankContext;
using workload::Job;
using Tasks = std::map<std::uint32_t, std::unique_ptr<TaskRun>>;
using Wires = std::vector<std::unique_ptr<transport::Transport>>;  // of rounds without the rank

Planes planes_of(unsigned rails) {
  Planes planes;
  for (unsigned rail = 0; rail < rails; ++rail) planes.push_back({rail, 0});
  return planes;
}

Tasks connect(RankContext& context, const Job& job, Wires& idle) {
  Tasks tasks;
  const executor::Stripes stripes{context.wire.rails(), 1, 0};
  for (const auto& round : rounds_of(job)) {
    const auto own = std::ranges::find_if(round, [&](std::uint32_t number) {
      return std::ranges::count(job.tasks[number].members, context.rank) > 0;
    });
    if (own == round.end()) {
      idle.push_back(context.wire.join(context.exchange, {}));
      continue;
    }
    const schedule::Schedule made = schedule_of(job, job.tasks[*own], 0, "");
    const auto channels = executor::channels_of(schedule::among(made, job.tasks[*own].members),
                                                context.rank, stripes);
    tasks[*own] = std::make_unique<TaskRun>(
        job, *own, made, context.rank, context.wire.join(context.exchange, channels),
        planes_of(context.wire.rails()), stripes,
        executor::ExecutorSettings{.chunk_bytes = 4096, .window = 2});
  }
  return tasks;
}

/// What a step of a rank calls from the second on, each.
std::vector<std::size_t> allocations_of(RankContext& context, const Job& job, const Tasks& tasks) {
  ComputeWork work(Compute::spin, 0);
  StepRun steps(
      job, context.rank, tasks,
      {.sleeps = true,
       .work = &work,
       .rails = context.wire.rails(),
       .end = [](TaskRun*, executor::Ending) { throw std::runtime_error("a task did not end"); }});
  std::vector<std::size_t> counted(3);
  steps.run();
  for (std::size_t& one : counted) {
    context.exchange.all_gather({});
    const std::size_t before = allocations();
    steps.run();
    one = allocations() - before;
  }
  return counted;
}

void expect_none(const Job& job) {
  transport::run_ranks(job.ranks, [&](RankContext& context) {
    Wires idle;
    const Tasks tasks = connect(context, job, idle);
    context.exchange.all_gather({});
    for (const std::size_t allocations : allocations_of(context, job, tasks))
      EXPECT_EQ(allocations, 0U) << "rank " << context.rank;
    context.exchange.all_gather({});
  });
}

const workload::Settings kSmall{{"hidden", 64}, {"heads", 4},     {"kv_heads", 2}, {"ffn", 128},
                                {"layers", 4},  {"sequence", 64}, {"tp", 2},       {"pp", 2}};

TEST(Allocations, OfAStepAreNone) {
  for (const std::int64_t zero : {1, 3}) {
    workload::Settings settings = kSmall;
    settings["zero"] = zero;
    const workload::Workload dense = workload::make("dense", "");
    expect_none(workload::job_of(dense, 8, settings));
  }
  const workload::Workload moe = workload::make("moe", "");
  expect_none(workload::job_of(moe, 4, {{"hidden", 64}, {"moe_layers", 3}, {"alpha", 1000}}));
}

TEST(Allocations, OfRequestsThatArriveAreNone) {
  const workload::Workload open = workload::make("kv", "");
  expect_none(workload::job_of(
      open, 3, {{"rate", 5000}, {"requests", 50}, {"layers", 1}, {"prompt", 1}, {"page", 1024}}));
}

TEST(Allocations, OfAMixAreNone) {
  const workload::Workload mix =
      workload::mixed({workload::make("moe", ""), workload::make("checkpoint", "")}, {"a", "b"});
  const Job once =
      workload::job_of(mix, 4, {{"a.hidden", 64}, {"a.moe_layers", 2}, {"b.model", 1}});
  expect_none(workload::repeated(once, std::vector<unsigned>{3, 1}));
}

}  // namespace
}  // namespace railgauge::runner
