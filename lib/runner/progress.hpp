#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>

#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// Where whoever reads can have a line taken away again: stderr if it is a terminal, or what the
/// launcher, which knows its own, has said; null for nowhere. Of two ways to one terminal stdout is
/// the better one, because launchers do not keep the order of two.
[[nodiscard]] std::ostream* progress_stream(RunOptions::Progress where);

/// A line on a terminal about how much of a long run is left; nothing for a short one.
class Progress {
  using Clock = std::chrono::steady_clock;

 public:
  /// `rows` are to come since `begun`, and so much work: what a row takes is about proportional to
  /// its.
  Progress(std::ostream& terminal, std::uint64_t rows, double work,
           Clock::time_point begun = Clock::now());

  /// A row of that much work is done.
  void row(double work);
  /// So many rows are done, of equal work.
  void rows(std::uint64_t count);
  /// Takes the line away, before anything else is printed.
  void clear();

 private:
  void show();

  std::ostream& terminal_;
  std::uint64_t rows_;
  std::uint64_t rows_done_ = 0;
  double work_;
  double work_done_ = 0;
  Clock::time_point begun_;
  bool shown_ = false;
};

}  // namespace railgauge::runner
