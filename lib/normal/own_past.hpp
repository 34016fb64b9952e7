#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace railgauge::normal {

/// A level that has risen, and stays so.
struct Step {
  std::uint64_t first_window = 0;                 ///< of those at the new level
  std::chrono::system_clock::time_point begin{};  ///< of that window
  double by = 0;                                  ///< the median of these over the old level
};

/// Finds steps in a series of one value a window, against its own past. What it learns from is the
/// past of two hours of windows of a minute; a level that stays for half an hour is the new one.
///
/// It is a step if `run` windows in a row are above the past's median by half of `least` each, and
/// their median is above that of any `run` windows in a row of the past by `least`. So what is
/// noisy has to rise by more than its noise ever did, however that is distributed or hangs
/// together: no false alarm for another job that comes and goes, at the price of small steps in
/// such noise.
class StepDetector {
 public:
  static constexpr std::size_t kPast = 120;
  static constexpr std::size_t kEnough = 10;    ///< windows, before anything is found
  static constexpr std::size_t kRun = 3;        ///< windows that make a step
  static constexpr std::size_t kAccepted = 30;  ///< windows after which a level is the new one

  explicit StepDetector(std::size_t run = kRun, std::size_t enough = kEnough)
      : run_(run), enough_(enough) {}

  /// The step that this window completes.
  std::optional<Step> take(std::uint64_t window, double value, double least,
                           std::chrono::system_clock::time_point begin = {});

  /// The median of the past, as of the last window; empty before there is enough of one.
  [[nodiscard]] std::optional<double> level() const;

  /// Whether the level is that of a step that was found.
  [[nodiscard]] bool is_raised() const { return raised_; }

  /// How far the median of its last windows, at most `run`, is above that of the past; 0 before
  /// there is enough of a past.
  [[nodiscard]] double excess() const;

 private:
  void accept();
  [[nodiscard]] double median_of_run() const;
  [[nodiscard]] double highest_median() const;
  [[nodiscard]] Step step(double median) const;

  std::size_t run_;
  std::size_t enough_;
  std::deque<float> past_;
  std::vector<Step> above_;  // the last windows in a row that are above the past; by: the value
  double level_ = 0;
  bool raised_ = false;
};

}  // namespace railgauge::normal
