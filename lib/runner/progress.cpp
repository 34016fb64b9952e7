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

Progress::Progress(std::ostream& terminal, std::uint64_t rows, double work, Clock::time_point begun)
    : terminal_(terminal), rows_(rows), work_(work), begun_(begun) {}

void Progress::row(double work) {
  ++rows_done_;
  work_done_ += work;
  show();
}

void Progress::rows(std::uint64_t count) {
  rows_done_ += count;
  work_done_ += static_cast<double>(count);
  show();
}

void Progress::show() {
  const std::chrono::duration<double> passed = Clock::now() - begun_;
  if (passed < kShort || rows_done_ >= rows_ || work_done_ <= 0) return;
  const double left = passed.count() * std::max(work_ - work_done_, 0.0) / work_done_;
  terminal_ << "\r\033[K" << rows_done_ << " of " << rows_ << " rows, about " << in_words(left)
            << " left" << std::flush;
  shown_ = true;
}

void Progress::clear() {
  if (shown_) terminal_ << "\r\033[K" << std::flush;
  shown_ = false;
}

}  // namespace railgauge::runner
