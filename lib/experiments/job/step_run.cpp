#include "experiments/job/step_run.hpp"

#include <algorithm>
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

std::chrono::microseconds compute_of(const std::vector<workload::RankStream>& streams) {
  std::uint64_t all = 0;
  for (const workload::RankStream& stream : streams) {
    for (const Entry& entry : stream.entries) all += entry.microseconds;
  }
  return std::chrono::microseconds(all);
}

}  // namespace

StepRun::StepRun(const workload::Job& job, transport::Rank rank,
                 const std::map<std::uint32_t, std::unique_ptr<TaskRun>>& tasks, Settings settings)
    : job_(job), settings_(std::move(settings)) {
  for (const auto& streams : job.streams)
    longest_compute_ = std::max(longest_compute_, compute_of(streams));
  for (const workload::RankStream& stream : job.streams[rank]) {
    StreamRun& run = streams_.emplace_back(StreamRun{.stream = &stream});
    for (const Entry& entry : stream.entries)
      run.tasks.push_back(entry.task == Entry::kNoTask ? nullptr : tasks.at(entry.task).get());
  }
  step_.operations.resize(job.operations.size());
}

void StepRun::run() {
  for (StreamRun& run : streams_) run.done = 0;
  std::ranges::fill(step_.operations, Times{});
  step_.compute = {};
  begin_ = computes_until_ = Clock::now();
  Clock::time_point last_event = begin_;
  unsigned turns = 0;
  while (!is_over()) {
    bool busy = false;
    for (StreamRun& run : streams_) busy = advance(run) || busy;
    const bool sleeps = settings_.sleeps && !busy;
    if (!sleeps && ++turns % kTurnsPerLookUp != 0) continue;
    look_up();
    if (!sleeps) continue;
    const Clock::time_point now = Clock::now();
    if (turns != 0) last_event = now;
    turns = 0;
    if (now - last_event > kSpin) {
      wait();
    } else {
      std::this_thread::yield();
    }
  }
  step_.time = Clock::now() - begin_;
}

bool StepRun::is_over() const {
  return std::ranges::all_of(
      streams_, [](const StreamRun& run) { return run.done == run.stream->entries.size(); });
}

/// Whether anything happened.
bool StepRun::advance(StreamRun& run) {
  if (run.done == run.stream->entries.size()) return false;
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
  for (const workload::Awaited& one : entry.after) {
    if (streams_[one.stream].done <= one.position) return false;
  }
  run.begun = Clock::now();
  run.active = true;
  if (TaskRun* const task = run.tasks[run.done]; task != nullptr) {
    task->begin();
    return true;
  }
  run.until = run.begun + std::chrono::microseconds(entry.microseconds);
  if (run.until > computes_until_) {
    step_.compute += run.until - std::max(run.begun, computes_until_);
    computes_until_ = run.until;
  }
  return true;
}

void StepRun::finish(StreamRun& run) {
  const Entry& entry = run.stream->entries[run.done];
  const bool marks = job_.operations[entry.operation].kind == Kind::marker;
  Times& times = step_.operations[entry.operation];
  ++times.times;
  times.all += Clock::now() - (marks ? begin_ : run.begun);
  run.active = false;
  ++run.done;
}

/// Ends the run if it has to.
void StepRun::look_up() {
  const Clock::time_point now = Clock::now();
  const bool stops = settings_.stop();
  for (StreamRun& run : streams_) {
    if (!run.active || run.tasks[run.done] == nullptr) continue;
    if (now - run.begun > settings_.limit + longest_compute_)
      settings_.end(run.tasks[run.done], Ending::deadline);
    if (stops) settings_.end(run.tasks[run.done], Ending::stopped);
  }
  if (stops) settings_.end(nullptr, Ending::stopped);
}

/// Until a compute ends, or for a short while: there may be several wires to look at.
void StepRun::wait() {
  Clock::time_point until = Clock::now() + kSleep;
  TaskRun* only = nullptr;
  bool several = false;
  for (const StreamRun& run : streams_) {
    if (!run.active) continue;
    if (run.tasks[run.done] == nullptr) {
      until = std::min(until, run.until);
    } else {
      several = only != nullptr;
      only = run.tasks[run.done];
    }
  }
  const auto left = std::chrono::duration_cast<std::chrono::microseconds>(until - Clock::now());
  if (left.count() <= 0) return;
  if (only != nullptr && !several) return only->idle(left);
  constexpr std::chrono::microseconds kShort{50};
  std::this_thread::sleep_for(several ? std::min(left, kShort) : left);
}

}  // namespace railgauge::runner
