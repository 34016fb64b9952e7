#include "experiments/job/step_run.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "schedule/groups.hpp"
#include "transport/in_process.hpp"
#include "workload/check.hpp"
#include "workload/kinds.hpp"
#include "workload/mix.hpp"

namespace railgauge::runner {
namespace {

using transport::InProcessFabric;
using workload::Job;
using workload::Workload;

const executor::Stripes kStripes{.rails = 2, .queue_pairs = 1, .least_bytes = 0};

/// All ranks of a job, each on a thread.
class Ranks {
 public:
  explicit Ranks(const Job& job) : job_(job), rounds_(rounds_of(job)), all_(job.ranks) {
    for (std::size_t round = 0; round < rounds_.size(); ++round)
      wires_.push_back(std::make_unique<InProcessFabric>(job.ranks));
  }

  InProcessFabric& wire(std::size_t round) { return *wires_[round]; }

  /// `body` has the rank's tasks and settings to run them with.
  using Tasks = std::map<std::uint32_t, std::unique_ptr<TaskRun>>;
  void run(const std::function<void(transport::Exchange&, const Tasks&)>& body) {
    std::vector<std::thread> threads;
    for (schedule::Rank rank = 0; rank < job_.ranks; ++rank)
      threads.emplace_back([&, rank] {
        const auto exchange = all_.exchange(rank);
        std::vector<std::unique_ptr<transport::Exchange>> of_rounds;
        const Tasks tasks = connect(rank, of_rounds);
        exchange->all_gather({});
        body(*exchange, tasks);
        exchange->all_gather({});  // nobody goes while a peer may still send to it
      });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  Tasks connect(schedule::Rank rank, std::vector<std::unique_ptr<transport::Exchange>>& exchanges) {
    Tasks tasks;
    for (std::size_t round = 0; round < rounds_.size(); ++round) {
      exchanges.push_back(wires_[round]->exchange(rank));
      for (const std::uint32_t number : rounds_[round]) {
        const workload::Task& task = job_.tasks[number];
        if (std::ranges::count(task.members, rank) == 0) continue;
        const schedule::Schedule made = schedule_of(job_, task, 0, "");
        const auto channels =
            executor::channels_of(schedule::among(made, task.members), rank, kStripes);
        tasks[number] = std::make_unique<TaskRun>(
            job_, number, made, rank, wires_[round]->join(*exchanges.back(), channels),
            Planes{{0, 0}, {2, 0}}, kStripes,
            executor::ExecutorSettings{.chunk_bytes = 1024, .window = 2});
      }
    }
    return tasks;
  }

  const Job& job_;
  std::vector<std::vector<std::uint32_t>> rounds_;
  InProcessFabric all_;
  std::vector<std::unique_ptr<InProcessFabric>> wires_;
};

StepRun::Settings settings() {
  return {.sleeps = true, .rails = 3, .end = [](TaskRun* task, executor::Ending) {
            throw std::runtime_error(task == nullptr ? "stopped" : task->name());
          }};
}

/// The first thing that is wrong in a few steps of all ranks.
std::string wrong_in_steps(const std::string& kind, schedule::Rank ranks,
                           const workload::Settings& parameters) {
  const Workload workload = workload::make(kind, "");
  const Job job = workload::job_of(workload, ranks, parameters);
  check(workload, job);
  std::mutex mutex;
  std::string wrong;
  Ranks(job).run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
    StepRun steps(job, exchange.rank(), tasks, settings());
    for (std::uint64_t step = 1; step < 4; ++step) {
      for (const auto& [number, task] : tasks) task->prepare(step);
      exchange.all_gather({});
      steps.run();
      exchange.all_gather({});
      const std::lock_guard lock(mutex);
      for (const auto& [number, task] : tasks) {
        if (wrong.empty()) wrong = task->verify().first;
      }
    }
  });
  return wrong;
}

const workload::Settings kSmall{{"hidden", 32}, {"heads", 4},     {"kv_heads", 2},
                                {"ffn", 48},    {"sequence", 16}, {"tflops", 1000}};

TEST(StepRun, RunsADenseStepOnAnyNumberOfRanks) {
  for (const schedule::Rank ranks : {1, 2, 3, 5, 6, 7, 8, 12, 13}) {
    workload::Settings parameters = kSmall;
    parameters["tp"] = ranks % 2 == 0 ? 2 : 1;
    parameters["pp"] = ranks % 3 == 0 ? 3 : 1;
    parameters["layers"] = 2 * parameters["pp"];
    for (const std::int64_t zero : {1, 3}) {
      parameters["zero"] = zero;
      EXPECT_EQ(wrong_in_steps("dense", ranks, parameters), "") << ranks << " " << zero;
    }
  }
}

TEST(StepRun, RunsExpertsOnAnyNumberOfRanks) {
  for (const schedule::Rank ranks : {1, 2, 3, 5, 6, 7, 8, 12, 13}) {
    for (const std::int64_t alpha : {0, 1500}) {
      EXPECT_EQ(wrong_in_steps("moe", ranks,
                               {{"hidden", 16},
                                {"moe_layers", 3},
                                {"tokens", 13},
                                {"alpha", alpha},
                                {"attention_us", 1},
                                {"expert_us", 1}}),
                "")
          << ranks << " " << alpha;
    }
  }
}

TEST(StepRun, RunsTransfersToOneRank) {
  for (const schedule::Rank ranks : {2, 3, 7, 8, 13}) {
    EXPECT_EQ(wrong_in_steps("kv", ranks,
                             {{"prefill", ranks - 1},
                              {"layers", 1},
                              {"hidden", 8},
                              {"heads", 4},
                              {"kv_heads", 2},
                              {"prompt", 100},
                              {"page", 1},
                              {"prefill_us", 10}}),
              "")
        << ranks;
  }
}

/// A collective that adds up, and one beside it.
Workload two_streams(const std::string& after) {
  return workload::workload_in(
      R"({"schema": "railgauge/workload/1", "name": "test", "groups": [{"name": "g", "size": "ranks"}],
      "classes": [{"name": "all", "streams": [
        {"name": "a", "operations": [{"name": "wait", "kind": "compute", "microseconds": 20000}]},
        {"name": "b", "operations": [{"name": "sum", "kind": "collective", "type": "all_reduce",
          "group": "g", "bytes": 64)" +
          after + "}, {\"name\": \"end\", \"kind\": \"marker\"}]}]}]}",
      "test.json");
}

/// Of rank 0 in a step.
StepRun::Step step_of(const Workload& workload) {
  const Job job = workload::job_of(workload, 2);
  StepRun::Step step;
  Ranks(job).run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
    StepRun steps(job, exchange.rank(), tasks, settings());
    steps.run();
    if (exchange.rank() == 0) step = steps.step();
  });
  return step;
}

TEST(StepRun, OverlapsStreamsUnlessOneWaits) {
  constexpr std::chrono::milliseconds kCompute{20};
  const StepRun::Step beside = step_of(two_streams(""));
  EXPECT_GT(beside.overlapped.count(), 0);
  EXPECT_LE(beside.overlapped, beside.communication);
  EXPECT_LE(beside.communication, beside.time);
  EXPECT_GE(beside.time, kCompute);
  EXPECT_EQ(beside.compute, kCompute);
  EXPECT_EQ(beside.operations[1].times, 1U);
  EXPECT_LT(beside.operations[2].all, beside.time);
  const StepRun::Step behind = step_of(two_streams(R"(, "after": ["wait"])"));
  EXPECT_GE(behind.operations[2].all, kCompute) << "a marker since the step began";
  EXPECT_EQ(behind.overlapped.count(), 0);
  EXPECT_LE(behind.communication + kCompute, behind.time);
}

TEST(StepRun, BeginsNothingBeforeItArrives) {
  constexpr std::chrono::milliseconds kArrival{15};
  const StepRun::Step late = step_of(two_streams(R"(, "arrival": 15000)"));
  EXPECT_GE(late.operations[2].all, kArrival) << "a marker since the step began";
}

/// Sums that arrive every millisecond while the stream is busy for 30.
TEST(StepRun, TimesFromTheArrivalWhatWaitsForTheOneBefore) {
  const StepRun::Step step = step_of(workload::workload_in(
      R"({"schema": "railgauge/workload/1", "name": "test", "groups": [{"name": "g", "size": "ranks"}],
      "classes": [{"name": "all", "streams": [{"name": "a", "operations": [
        {"name": "busy", "kind": "compute", "microseconds": 30000},
        {"kind": "block", "times": 20, "index": "i", "operations": [
          {"name": "sum", "kind": "collective", "type": "all_reduce", "group": "g", "bytes": 64,
           "arrival": "i * 1000"}]}]}]}]})",
      "test.json"));
  ASSERT_EQ(step.latencies.size(), 20U) << "of 'busy' there is none";
  std::chrono::nanoseconds all{0};
  for (std::size_t i = 0; i < step.latencies.size(); ++i) {
    EXPECT_EQ(step.latencies[i].operation, 1U);
    EXPECT_GE(step.latencies[i].time, std::chrono::milliseconds(30 - i));
    all += step.latencies[i].time;
  }
  EXPECT_EQ(step.operations[1].all, all);
  EXPECT_LE(step.tasks[0].all + std::chrono::milliseconds(30), step.time) << "from its begin";
}

/// Of a transfer there is one, where its data arrive.
TEST(StepRun, HasTheLatencyOfATransferFromItsReceiver) {
  const Workload workload = workload::workload_in(
      R"({"schema": "railgauge/workload/1", "name": "test", "classes": [
      {"name": "from", "when": "rank == 0", "streams": [{"name": "a", "operations": [
        {"name": "t", "kind": "send", "to": 1, "bytes": 64, "arrival": 2000, "times": 3}]}]},
      {"name": "to", "streams": [{"name": "a", "operations": [
        {"name": "t", "kind": "receive", "from": 0, "bytes": 64, "arrival": 2000, "times": 3}]}]}]})",
      "test.json");
  const Job job = workload::job_of(workload, 2);
  std::atomic<std::size_t> found{0};
  Ranks(job).run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
    StepRun steps(job, exchange.rank(), tasks, settings());
    steps.run();
    EXPECT_GE(steps.step().time, std::chrono::milliseconds(2));
    EXPECT_EQ(steps.step().latencies.size(), exchange.rank() == 0 ? 0U : 3U);
    found += steps.step().latencies.size();
  });
  EXPECT_EQ(found, 3U);
}

/// The parts of a mix: one that computes for 5 ms, and one that does for 20.
TEST(StepRun, HasTheTimeOfEachPart) {
  Workload mix = workload::mixed({two_streams(""), two_streams("")}, {"long", "short"});
  mix.parts[1].classes[0].streams[0].operations[0].microseconds.text = "5000";
  const Job once = workload::job_of(mix, 2);
  for (const std::vector<unsigned>& times : {std::vector<unsigned>{1, 2}, {1, 0}}) {
    const Job job = workload::repeated(once, times);
    Ranks(job).run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
      StepRun steps(job, exchange.rank(), tasks, settings());
      steps.run();
      ASSERT_EQ(steps.step().parts.size(), 2U);
      EXPECT_GE(steps.step().parts[0], std::chrono::milliseconds(20));
      EXPECT_LE(steps.step().parts[0], steps.step().time);
      EXPECT_GE(steps.step().parts[1], times[1] * std::chrono::milliseconds(5));
      EXPECT_EQ(steps.step().parts[1].count() == 0, times[1] == 0) << "it has not run";
      EXPECT_EQ(steps.step().operations[3].times, times[1]) << "computes of the second";
    });
  }
}

TEST(StepRun, HasComputesWork) {
  const Workload workload = two_streams("");
  const Job job = workload::job_of(workload, 2);
  std::atomic<std::uint64_t> pieces{0};
  Ranks(job).run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
    ComputeWork work(Compute::touch, 1000);
    StepRun::Settings working = settings();
    working.work = &work;
    StepRun steps(job, exchange.rank(), tasks, working);
    while (work.pieces() == 0) steps.run();
    pieces += work.pieces();
  });
  EXPECT_GT(pieces, 1U);
}

TEST(StepRun, TimesOperationsOnEachRail) {
  const Workload workload = two_streams("");
  const Job job = workload::job_of(workload, 2);
  Ranks(job).run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
    StepRun steps(job, exchange.rank(), tasks, settings());
    steps.run();
    exchange.all_gather({});
    steps.run();
    const StepRun::Step& step = steps.step();
    for (std::size_t number = 0; number < job.operations.size(); ++number) {
      const bool moves = job.operations[number].kind == workload::Kind::collective;
      for (std::size_t rail = 0; rail < 3; ++rail) {
        const StepRun::Times& times = step.rails[3 * number + rail];
        EXPECT_EQ(times.times, moves && rail != 1 ? step.operations[number].times : 0U);
        EXPECT_LE(times.all, step.operations[number].all);
      }
    }
  });
}

TEST(StepRun, NamesTheTaskThatDoesNotEnd) {
  const Workload workload = two_streams("");
  const Job job = workload::job_of(workload, 2);
  Ranks ranks(job);
  std::atomic<int> told{0};
  ranks.run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
    if (exchange.rank() == 1) return;  // never comes
    StepRun::Settings never = settings();
    never.limit = std::chrono::seconds(0);
    StepRun steps(job, exchange.rank(), tasks, never);
    try {
      steps.run();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "'sum' of g[0]");
      ++told;
    }
  });
  EXPECT_EQ(told, 1);
}

TEST(StepRun, NamesTheTaskWhoseWireFails) {
  const Workload workload = two_streams("");
  const Job job = workload::job_of(workload, 2);
  Ranks ranks(job);
  ranks.wire(0).fail(0, 1);
  ranks.wire(0).fail(1, 0);
  ranks.run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
    StepRun steps(job, exchange.rank(), tasks, settings());
    EXPECT_THROW(steps.run(), std::runtime_error);
  });
}

TEST(TaskRun, FindsAWrongByte) {
  const Workload workload = two_streams("");
  const Job job = workload::job_of(workload, 2);
  Ranks(job).run([&](transport::Exchange& exchange, const Ranks::Tasks& tasks) {
    StepRun steps(job, exchange.rank(), tasks, settings());
    TaskRun& task = *tasks.begin()->second;
    task.prepare(1);
    exchange.all_gather({});
    EXPECT_GT(task.verify().wrong, 0U) << "nothing has run";
    steps.run();
    EXPECT_EQ(task.verify().wrong, 0U);
    exchange.all_gather({});
    task.prepare(2 + exchange.rank());  // ranks that disagree about the data
    exchange.all_gather({});
    steps.run();
    EXPECT_GT(task.verify().wrong, 0U);
    EXPECT_EQ(task.verify().first.find("'sum' of g[0] (ring), block "), 0U) << task.verify().first;
  });
}

}  // namespace
}  // namespace railgauge::runner
