#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "experiments/collective/buffer.hpp"
#include "experiments/collective/geometry.hpp"
#include "experiments/collective/rail_times.hpp"
#include "measure/pattern.hpp"
#include "schedule/schedule.hpp"
#include "workload/job.hpp"

namespace railgauge::runner {

/// The tasks in rounds, of one part each, and of each of which a rank has one at most: a round is
/// connected in one go.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> rounds_of(const workload::Job& job);

/// The schedule of a task, in the numbers of its members: of a collective the default algorithm,
/// `small` up to its size; of a transfer one message.
[[nodiscard]] schedule::Schedule schedule_of(const workload::Job& job, const workload::Task& task,
                                             std::uint64_t small_bytes,
                                             std::string_view small_algorithm);

/// Where the data of a task lie, to the byte: elements of what only moves are bytes.
[[nodiscard]] Geometry geometry_of(const workload::Job& job, const workload::Task& task,
                                   const schedule::Schedule& schedule, schedule::Rank number);

/// One task of this rank, ready to be run: connections, plan and buffers of its own, so that it
/// runs beside all others.
class TaskRun {
 public:
  /// Collective among the members. `wire` has the channels of the schedule, as `among` the members.
  /// Stripe i is on the (i modulo their number)-th of `planes`.
  TaskRun(const workload::Job& job, std::uint32_t task, const schedule::Schedule& schedule,
          schedule::Rank rank, std::unique_ptr<transport::Transport> wire, Planes planes,
          const executor::Stripes& stripes, const executor::ExecutorSettings& settings);
  ~TaskRun() = default;
  TaskRun(const TaskRun&) = delete;
  TaskRun& operator=(const TaskRun&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// New inputs, and an output that holds nothing that could pass for a result.
  void prepare(std::uint64_t step);
  /// As those of the executor.
  void begin() { executor_.begin(reduction_, regions_); }
  [[nodiscard]] executor::Executor::Turn take_turn() { return executor_.take_turn(); }
  [[nodiscard]] executor::Outcome ended(executor::Ending ending) { return executor_.ended(ending); }
  /// Planes of rails that it was connected on.
  [[nodiscard]] const Planes& planes() const { return planes_; }
  /// How long the last run had data under way on that plane; 0: it had none there.
  [[nodiscard]] std::chrono::nanoseconds time_on(std::size_t plane) const;
  void idle(std::chrono::microseconds limit) { wire_->idle(limit); }

  /// Collective among the members, as those of the executor: of all chunks since forget_samples().
  [[nodiscard]] executor::Outcome exchange_samples(const executor::RunLimits& limits) {
    return executor_.exchange_samples(limits);
  }
  [[nodiscard]] std::span<const transport::ChannelRequest> channels() const {
    return wire_->channels();
  }
  [[nodiscard]] std::vector<executor::EdgeSample> samples(transport::Channel channel) const {
    return executor_.samples(channel);
  }
  /// Collective among the members.
  void forget_samples() { executor_.load(executor::Plan(executor_.plan())); }

  struct Verdict {
    std::uint64_t wrong = 0;  // elements
    std::string first{};      // in words
  };
  /// Of what it did since prepare().
  [[nodiscard]] Verdict verify() const;

 private:
  [[nodiscard]] measure::Verdict verdict_on(schedule::Block block) const;
  [[nodiscard]] Buffer buffer(std::size_t bytes);

  std::string name_;
  schedule::Schedule schedule_;  // in the members' numbers
  schedule::Rank number_;
  bool transfers_;
  std::size_t element_bytes_;
  Geometry geometry_;
  std::unique_ptr<transport::Transport> wire_;
  Planes planes_;
  executor::Executor executor_;
  std::size_t used_;
  Buffer output_;
  std::optional<Buffer> input_;  // of a transfer the output
  Buffer scratch_;
  executor::Regions regions_;
  reduce::Reduction reduction_;
  measure::Pattern pattern_;
  std::uint64_t first_seed_;
};

}  // namespace railgauge::runner
