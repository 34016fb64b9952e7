#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <thread>

#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// Where whoever reads can have a line taken away again: stderr if it is a terminal, or what the
/// launcher, which knows its own, has said; null for nowhere. Of two ways to one terminal stdout is
/// the better one, because launchers do not keep the order of two.
[[nodiscard]] std::ostream* progress_stream(RunOptions::Progress where);

/// How far the row is that is being measured. One thread counts, without a lock or a clock; others
/// may read.
class IterationCount {
 public:
  /// So many iterations are to come; 0: nobody knows.
  void begin(std::uint64_t planned) {
    planned_.store(planned, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }
  void count() {
    done_.store(done_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t planned() const { return planned_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> planned_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
};

/// A line on a terminal about how much of a long run is left; nothing for a short one.
class Progress {
  using Clock = std::chrono::steady_clock;

 public:
  /// `rows` are to come since `begun`, and so much work: what a row takes is about proportional to
  /// its. With `iterations`, which have to outlive it, the line goes on within a row, each second.
  Progress(std::ostream& terminal, std::uint64_t rows, double work,
           Clock::time_point begun = Clock::now(), const IterationCount* iterations = nullptr);

  /// A row of that much work is done.
  void row(double work);
  /// So many rows are done, of equal work.
  void rows(std::uint64_t count);
  /// Takes the line away, before anything else is printed; it comes back with the next row.
  void clear();

 private:
  void advance(std::uint64_t rows, double work);
  void show();
  void watch(const std::stop_token& stop);

  std::mutex mutex_;  // of everything below
  std::condition_variable_any wake_;
  std::ostream& terminal_;
  std::uint64_t rows_;
  std::uint64_t rows_done_ = 0;
  double work_;
  double work_done_ = 0;
  Clock::time_point begun_;
  Clock::time_point row_begun_ = begun_;
  const IterationCount* iterations_;
  bool shown_ = false;
  bool quiet_ = false;   // something else is being printed
  std::jthread thread_;  // uses all of them
};

}  // namespace railgauge::runner
