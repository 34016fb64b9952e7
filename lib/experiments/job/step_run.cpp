#include "experiments/job/step_run.hpp"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

namespace railgauge::runner {
namespace {

using executor::Ending;
using executor::Executor;
using workload::Entry;
using workload::Kind;

constexpr unsigned kTurnsPerLookUp = 1024;
constexpr std::chrono::microseconds kSpin{50};  // idle, before it sleeps
constexpr std::chrono::microseconds kSleep{200};

std::chrono::microseconds delay_of(const std::vector<workload::RankStream>& streams) {
  std::uint64_t computes = 0;
  std::uint64_t last_arrival = 0;
  for (const workload::RankStream& stream : streams) {
    for (const Entry& entry : stream.entries) {
      computes += entry.microseconds;
      last_arrival = std::max(last_arrival, entry.arrival_us);
    }
  }
  return std::chrono::microseconds(computes + last_arrival);
}

}  // namespace

StepRun::StepRun(const workload::Job& job, transport::Rank rank,
                 const std::map<std::uint32_t, std::unique_ptr<TaskRun>>& tasks, Settings settings)
    : job_(job), settings_(std::move(settings)) {
  for (const auto& streams : job.streams)
    longest_delay_ = std::max(longest_delay_, delay_of(streams));
  std::size_t arrivals = 0;
  for (const workload::RankStream& stream : job.streams[rank]) {
    StreamRun& run = streams_.emplace_back(StreamRun{.stream = &stream});
    for (const Entry& entry : stream.entries) {
      const auto task = tasks.find(entry.task);
      run.tasks.push_back(task == tasks.end() ? nullptr : task->second.get());
      run.places.push_back(static_cast<std::size_t>(std::distance(tasks.begin(), task)));
      if (job.operations[entry.operation].arrives) ++arrivals;
    }
  }
  step_.operations.resize(job.operations.size());
  step_.tasks.resize(tasks.size());
  free_.reserve(streams_.size());
  step_.rails.resize(job.operations.size() * settings_.rails);
  step_.latencies.reserve(arrivals);
  step_.parts.resize(job.parts.size());
}

void StepRun::run() {
  for (StreamRun& run : streams_) run.done = 0;
  std::ranges::fill(step_.operations, Times{});
  std::ranges::fill(step_.tasks, Times{});
  std::ranges::fill(step_.rails, Times{});
  std::ranges::fill(step_.parts, Clock::duration{});
  step_.latencies.clear();
  step_.compute = step_.communication = step_.overlapped = step_.slept = step_.descheduled = {};
  begin_ = computes_until_ = counted_until_ = Clock::now();
  Clock::time_point last_event = begin_;
  unsigned turns = 0;
  choose();
  while (!is_over()) {
    bool busy = false;
    for (StreamRun* run : free_) busy = advance(*run) || busy;
    if (std::exchange(finished_, false)) choose();
    const bool sleeps = settings_.sleeps && !busy;
    if (!sleeps && ++turns % kTurnsPerLookUp != 0) continue;
    look_up();
    if (!sleeps) continue;
    const Clock::time_point now = Clock::now();
    if (turns != 0) last_event = now;
    turns = 0;
    if (now - last_event > kSpin) {
      wait();
      step_.slept += Clock::now() - now;
    } else {
      std::this_thread::yield();
    }
  }
  step_.time = Clock::now() - begin_;
}

/// Others need not be looked at until something has finished: groups that are idle take no time.
void StepRun::choose() {
  left_ = 0;
  free_.clear();
  for (StreamRun& run : streams_) {
    if (run.done == run.stream->entries.size()) continue;
    ++left_;
    if (is_free(run)) free_.push_back(&run);
  }
}

/// Whether nothing is left that its next entry waits for.
bool StepRun::is_free(const StreamRun& run) const {
  return std::ranges::all_of(
      run.stream->entries[run.done].after,
      [&](const workload::Awaited& one) { return streams_[one.stream].done > one.position; });
}

/// Of its next entry.
StepRun::Clock::time_point StepRun::arrival_of(const StreamRun& run) const {
  return begin_ + std::chrono::microseconds(run.stream->entries[run.done].arrival_us);
}

/// What has been under way until now; something begins or ends.
void StepRun::count(Clock::time_point now) {
  const auto time = now - std::exchange(counted_until_, now);
  if (tasks_under_way_ == 0) return;
  step_.communication += time;
  if (computes_under_way_ > 0) step_.overlapped += time;
}

void StepRun::count_rails(const StreamRun& run) {
  const TaskRun& task = *run.tasks[run.done];
  const std::size_t first = run.stream->entries[run.done].operation * settings_.rails;
  for (std::size_t plane = 0; plane < task.planes().size(); ++plane) {
    const std::chrono::nanoseconds time = task.time_on(plane);
    if (time.count() > 0) step_.rails[first + task.planes()[plane].rail].add(time);
  }
}

/// Whether anything happened.
bool StepRun::advance(StreamRun& run) {
  if (!run.active) return begin(run);
  TaskRun* const task = run.tasks[run.done];
  if (task == nullptr) {
    if (Clock::now() < run.until) return false;
    finish(run);
    return true;
  }
  switch (task->take_turn()) {
    case Executor::Turn::busy: return true;
    case Executor::Turn::idle: return false;
    case Executor::Turn::failed: settings_.end(task, Ending::failed); return true;
    case Executor::Turn::done: break;
  }
  finish(run);
  return true;
}

bool StepRun::begin(StreamRun& run) {
  const Entry& entry = run.stream->entries[run.done];
  run.begun = Clock::now();
  if (run.begun < arrival_of(run)) return false;
  run.active = true;
  count(run.begun);
  if (TaskRun* const task = run.tasks[run.done]; task != nullptr) {
    ++tasks_under_way_;
    task->begin();
    return true;
  }
  run.until = run.begun + std::chrono::microseconds(entry.microseconds);
  ++computes_under_way_;
  if (settings_.work != nullptr) settings_.work->begin();
  if (run.until > computes_until_) {
    step_.compute += run.until - std::max(run.begun, computes_until_);
    computes_until_ = run.until;
  }
  return true;
}

void StepRun::finish(StreamRun& run) {
  const Entry& entry = run.stream->entries[run.done];
  const workload::NamedOperation& operation = job_.operations[entry.operation];
  const bool marks = operation.kind == Kind::marker;
  const Clock::time_point now = Clock::now();
  const auto since = operation.arrives ? arrival_of(run) : marks ? begin_ : run.begun;
  step_.operations[entry.operation].add(now - since);
  if (operation.arrives && !entry.sends) step_.latencies.push_back({entry.operation, now - since});
  count(now);
  if (run.tasks[run.done] != nullptr) {
    --tasks_under_way_;
    step_.tasks[run.places[run.done]].add(now - run.begun);
    count_rails(run);
  } else {
    --computes_under_way_;
    if (settings_.work != nullptr) settings_.work->end();
  }
  run.active = false;
  finished_ = true;
  ++run.done;
  if (run.done == run.stream->entries.size()) step_.parts[run.stream->part] = now - begin_;
}

/// Ends the run if it has to.
void StepRun::look_up() {
  const Clock::time_point now = Clock::now();
  const bool stops = settings_.stop();
  for (StreamRun& run : streams_) {
    if (!run.active || run.tasks[run.done] == nullptr) continue;
    if (now - run.begun > settings_.limit + longest_delay_)
      settings_.end(run.tasks[run.done], Ending::deadline);
    if (stops) settings_.end(run.tasks[run.done], Ending::stopped);
  }
  if (stops) settings_.end(nullptr, Ending::stopped);
}

/// Until a compute ends, an operation arrives, or for a short while: there may be several wires to
/// look at.
void StepRun::wait() {
  const Clock::time_point now = Clock::now();
  Clock::time_point until = now + kSleep;
  TaskRun* only = nullptr;
  bool several = false;
  for (const StreamRun& run : streams_) {
    if (run.done == run.stream->entries.size()) continue;
    if (!run.active) {
      if (arrival_of(run) > now) until = std::min(until, arrival_of(run));
    } else if (run.tasks[run.done] == nullptr) {
      until = std::min(until, run.until);
    } else {
      several = only != nullptr;
      only = run.tasks[run.done];
    }
  }
  const auto left = std::chrono::duration_cast<std::chrono::microseconds>(until - Clock::now());
  if (left.count() <= 0) return;
  if (only != nullptr && !several) {
    only->idle(left);
  } else {
    constexpr std::chrono::microseconds kShort{50};
    std::this_thread::sleep_for(several ? std::min(left, kShort) : left);
  }
  constexpr std::chrono::milliseconds kLate{1};
  const auto late = Clock::now() - until;
  if (late > kLate) step_.descheduled += late;
}

}  // namespace railgauge::runner
