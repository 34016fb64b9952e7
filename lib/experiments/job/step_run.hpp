#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "experiments/job/task_run.hpp"
#include "workload/job.hpp"

namespace railgauge::runner {

/// Runs steps of a rank, all its streams on the caller's thread: a stream that computes waits for
/// its time to pass, as a host does whose GPU computes, while the others communicate. Nothing is
/// allocated in a step.
class StepRun {
 public:
  using Clock = std::chrono::steady_clock;

  struct Settings {
    std::chrono::seconds limit{60};  // of each task, beyond the longest compute of any rank's step
    bool sleeps = false;             // when idle, since ranks share processors
    /// Whether the run has to stop. Asked every few milliseconds; must not throw.
    std::function<bool()> stop = [] { return false; };
    /// Throws, because of the task that this rank waits for; null: of none.
    std::function<void(TaskRun* task, executor::Ending why)> end = {};
  };
  /// `tasks` of this rank, by their numbers in the job. All have to outlive it.
  StepRun(const workload::Job& job, transport::Rank rank,
          const std::map<std::uint32_t, std::unique_ptr<TaskRun>>& tasks, Settings settings);

  /// Of one operation in a step.
  struct Times {
    std::uint64_t times = 0;
    std::chrono::nanoseconds all{0};  // of a marker since the step began
  };
  struct Step {
    std::chrono::nanoseconds time{0};
    std::chrono::nanoseconds compute{0};  // in which at least one stream computed
    std::vector<Times> operations{};      // as of the job
  };
  /// Throws what settings.end does. Then the rank can run no more.
  void run();
  /// The last one.
  [[nodiscard]] const Step& step() const { return step_; }

 private:
  struct StreamRun {
    const workload::RankStream* stream = nullptr;
    std::vector<TaskRun*> tasks{};  // [entry]
    std::size_t done = 0;           // entries
    bool active = false;            // its entry has begun
    Clock::time_point begun{};
    Clock::time_point until{};  // of a compute
  };

  bool advance(StreamRun& run);
  bool begin(StreamRun& run);
  void finish(StreamRun& run);
  [[nodiscard]] bool is_over() const;
  void look_up();
  void wait();

  const workload::Job& job_;
  Settings settings_;
  std::chrono::microseconds longest_compute_{0};
  std::vector<StreamRun> streams_;
  Clock::time_point begin_{};
  Clock::time_point computes_until_{};
  Step step_{};
};

}  // namespace railgauge::runner
