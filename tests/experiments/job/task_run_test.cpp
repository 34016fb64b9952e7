#include "experiments/job/task_run.hpp"

#include <gtest/gtest.h>

#include <set>

#include "workload/kinds.hpp"

namespace railgauge::runner {
namespace {

TEST(Rounds, HaveEachTaskOnceAndNoRankTwice) {
  for (const schedule::Rank ranks : {1, 2, 3, 6, 8, 12}) {
    const workload::Workload workload = workload::make("dense", "");
    const std::int64_t pp = ranks % 3 == 0 ? 3 : 1;
    const workload::Job job = workload::job_of(
        workload, ranks, {{"pp", pp}, {"layers", pp}, {"tp", ranks % 2 == 0 ? 2 : 1}, {"zero", 3}});
    std::set<std::uint32_t> tasks;
    for (const auto& round : rounds_of(job)) {
      std::set<schedule::Rank> members;
      for (const std::uint32_t task : round) {
        EXPECT_TRUE(tasks.insert(task).second);
        for (const schedule::Rank rank : job.tasks[task].members)
          EXPECT_TRUE(members.insert(rank).second);
      }
    }
    EXPECT_EQ(tasks.size(), job.tasks.size());
  }
}

TEST(TaskGeometry, IsOfTheBytesThatTheWorkloadSays) {
  const workload::Workload workload = workload::make("moe", "");
  const workload::Job job = workload::job_of(workload, 6, {{"alpha", 1000}});
  const workload::Task& task = job.tasks[0];
  const schedule::Schedule made = schedule_of(job, task, 0, "");
  for (schedule::Rank number = 0; number < 6; ++number) {
    const Geometry geometry = geometry_of(job, task, made, number);
    for (schedule::Rank from = 0; from < 6; ++from)
      EXPECT_EQ(geometry.layout.span({from, 1}).size(), task.pairs[from * 6 + number]);
    for (schedule::Rank to = 0; to < 6; ++to)
      EXPECT_EQ(geometry.layout.span({6 + to, 1}).size(), task.pairs[number * 6 + to]);
  }
}

}  // namespace
}  // namespace railgauge::runner
