#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace railgauge::soak {

/// A level that has risen, and stays so.
struct Step {
  std::uint64_t first_window = 0;  // of those at the new level
  double by = 0;                   // the median of these over the old level
};

/// Finds steps in a series of one value a window, against its own past. What it learns from is the
/// past of two hours of windows of a minute; a level that stays for half an hour is the new one.
///
/// It is a step if kRun windows in a row are above the past's median by half of `least` each, and
/// their mean is above that of any kRun windows in a row of the past by `least`. So what is noisy
/// has to rise by more than its noise ever did, however that is distributed or hangs together: no
/// false alarm for a job beside ours that comes and goes, at the price of small steps in such
/// noise.
class StepDetector {
 public:
  static constexpr std::size_t kPast = 120;
  static constexpr std::size_t kEnough = 10;  // windows, before anything is told
  static constexpr std::size_t kEnoughOfSoftware = 30;
  static constexpr std::size_t kRun = 3;  // windows that make a step
  static constexpr std::size_t kRunOfSoftware = 5;
  static constexpr std::size_t kAccepted = 30;
  /// So many starts of windows are worth keeping: an event may be dated that far back.
  static constexpr std::size_t kStartsKept = 2 * kAccepted;

  explicit StepDetector(std::size_t run = kRun, std::size_t enough = kEnough)
      : run_(run), enough_(enough) {}

  /// The step that this window completes.
  std::optional<Step> take(std::uint64_t window, double value, double least);

  /// The median of the past, as of the last window; empty before there is enough of one.
  [[nodiscard]] std::optional<double> level() const;

  /// Whether the level is that of a step that was found.
  [[nodiscard]] bool is_raised() const { return raised_; }

  /// How far its last windows, at most kRun, are above the past's median, on average; 0 before
  /// there is enough of a past.
  [[nodiscard]] double excess() const;

 private:
  struct Value {
    std::uint64_t window = 0;
    double value = 0;
  };

  void add(double value);
  void accept();
  [[nodiscard]] double median_of_run() const;
  [[nodiscard]] Step step(double median) const;

  std::size_t run_;
  std::size_t enough_;
  std::deque<float> past_;
  std::vector<Value> above_;  // the last windows in a row that are above the past
  double level_ = 0;
  bool raised_ = false;
};

}  // namespace railgauge::soak
