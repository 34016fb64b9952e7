#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "experiments/job/compute_work.hpp"
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
    std::chrono::seconds limit{60};  // of each task, beyond longest_delay_
    bool sleeps = false;             // when idle, since ranks share processors
    ComputeWork* work = nullptr;     // what computes do; has to outlive the steps
    std::size_t rails = 0;           // of the job, numbered from 0
    /// Whether the run has to stop. Asked every few milliseconds; must not throw.
    std::function<bool()> stop = [] { return false; };
    /// Throws, because of the task that this rank waits for; null: of none.
    std::function<void(TaskRun* task, executor::Ending why)> end = {};
  };
  /// `tasks` of this rank, by their numbers in the job. All have to outlive it.
  StepRun(const workload::Job& job, transport::Rank rank,
          const std::map<std::uint32_t, std::unique_ptr<TaskRun>>& tasks, Settings settings);

  /// Of one operation in a step, from its arrival if it has one; or of one task, from its begin.
  struct Times {
    std::uint64_t times = 0;
    std::chrono::nanoseconds all{0};  // of a marker since the step began
    std::chrono::nanoseconds least{std::chrono::nanoseconds::max()};

    void add(std::chrono::nanoseconds one) {
      ++times;
      all += one;
      least = std::min(least, one);
    }
  };
  /// Of one operation that had an arrival: from then until it was over. Of a transfer its
  /// receiver's.
  struct Latency {
    std::uint32_t operation = 0;
    std::chrono::nanoseconds time{0};
  };
  struct Step {
    std::chrono::nanoseconds time{0};
    std::chrono::nanoseconds compute{0};  // in which at least one stream computed
    std::chrono::nanoseconds communication{
        0};                                   // in which at least one task was under way, of which
    std::chrono::nanoseconds overlapped{0};   // a stream computed, too
    std::chrono::nanoseconds slept{0};        // for want of anything to do, of which
    std::chrono::nanoseconds descheduled{0};  // it came back too late, by a millisecond or more
    std::vector<Times> operations{};          // as of the job
    std::vector<Latency> latencies{};         // in the order in which they ended
    std::vector<Times> tasks{};               // of this rank, in the order of their numbers
    std::vector<Times> rails{};  // [operation * rails + rail] until the data there were over
    std::vector<std::chrono::nanoseconds> parts{};  // of the job, until all of one was over
  };
  /// Throws what settings.end does. Then the rank can run no more.
  void run();
  /// The last one.
  [[nodiscard]] const Step& step() const { return step_; }

 private:
  struct StreamRun {
    const workload::RankStream* stream = nullptr;
    std::vector<TaskRun*> tasks{};      // [entry]
    std::vector<std::size_t> places{};  // [entry] of its task in Step::tasks
    std::size_t done = 0;               // entries
    bool active = false;                // its entry has begun
    Clock::time_point begun{};
    Clock::time_point until{};  // of a compute
  };

  void count(Clock::time_point now);
  void count_rails(const StreamRun& run);
  bool advance(StreamRun& run);
  bool begin(StreamRun& run);
  void finish(StreamRun& run);
  [[nodiscard]] Clock::time_point arrival_of(const StreamRun& run) const;
  void choose();
  [[nodiscard]] bool is_free(const StreamRun& run) const;
  [[nodiscard]] bool is_over() const { return left_ == 0; }
  void look_up();
  void wait();

  const workload::Job& job_;
  Settings settings_;
  std::chrono::microseconds longest_delay_{0};  // of any rank: its computes, and its last arrival
  std::vector<StreamRun> streams_;
  std::vector<StreamRun*> free_{};  // those that have begun, or wait for nobody
  std::size_t left_ = 0;            // streams that are not over
  bool finished_ = false;           // an entry, since free_ was chosen
  Clock::time_point begin_{};
  Clock::time_point computes_until_{};
  unsigned tasks_under_way_ = 0;
  unsigned computes_under_way_ = 0;
  Clock::time_point counted_until_{};
  Step step_{};
};

}  // namespace railgauge::runner
