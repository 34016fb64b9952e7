#include "runner/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>

namespace railgauge::runner {
namespace {

constexpr std::chrono::seconds kShort{5};  // nobody wonders before

/// "2 h 5 min", "12 s".
std::string in_words(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 1);
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 3600;
  if (whole >= kHour) {
    return std::to_string(whole / kHour) + " h " + std::to_string(whole % kHour / kMinute) + " min";
  }
  if (whole >= kMinute) return std::to_string(whole / kMinute) + " min";
  return std::to_string(whole) + " s";
}

}  // namespace

std::ostream* progress_stream(RunOptions::Progress where) {
  switch (where) {
    case RunOptions::Progress::automatic:
      return ::isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr;
    case RunOptions::Progress::to_stdout: return &std::cout;
    case RunOptions::Progress::to_stderr: return &std::cerr;
    case RunOptions::Progress::none: break;
  }
  return nullptr;
}

Progress::Progress(std::ostream& terminal, std::uint64_t rows, double work, Clock::time_point begun,
                   const IterationCount* iterations)
    : terminal_(terminal), rows_(rows), work_(work), begun_(begun), iterations_(iterations) {
  if (iterations != nullptr)
    thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void Progress::row(double work) {
  advance(1, work);
}

void Progress::rows(std::uint64_t count) {
  advance(count, static_cast<double>(count));
}

void Progress::advance(std::uint64_t rows, double work) {
  const std::lock_guard lock(mutex_);
  rows_done_ += rows;
  work_done_ += work;
  row_begun_ = Clock::now();
  quiet_ = false;
  show();
}

void Progress::watch(const std::stop_token& stop) {
  constexpr std::chrono::seconds kEvery{1};
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, kEvery, [] { return false; });
    if (!quiet_ && iterations_->done() > 0 && !stop.stop_requested()) show();
  }
}

void Progress::show() {
  const auto now = Clock::now();
  using Seconds = std::chrono::duration<double>;
  const std::uint64_t done = iterations_ == nullptr ? 0 : iterations_->done();
  if (now - begun_ < kShort || rows_done_ >= rows_ || (work_done_ <= 0 && done == 0)) return;
  terminal_ << "\r\033[K" << rows_done_ << " of " << rows_ << " rows";
  if (done > 0) {
    const std::uint64_t planned = iterations_->planned();
    terminal_ << ", iteration " << done;
    if (planned > 0) terminal_ << " of " << std::max(planned, done);
    terminal_ << " after " << in_words(Seconds(now - row_begun_).count());
  }
  if (work_done_ > 0) {
    const double rows_took = Seconds(row_begun_ - begun_).count();
    const double left = rows_took * std::max(work_ - work_done_, 0.0) / work_done_ -
                        Seconds(now - row_begun_).count();
    if (left > 0) terminal_ << ", about " << in_words(left) << " left";
  }
  terminal_ << std::flush;
  shown_ = true;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) terminal_ << "\r\033[K" << std::flush;
  shown_ = false;
  quiet_ = true;
}

}  // namespace railgauge::runner
