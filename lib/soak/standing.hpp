#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/histogram.hpp"
#include "soak/judge.hpp"
#include "soak/record.hpp"
#include "soak/watcher.hpp"

namespace railgauge::soak {

/// How long a phase's iterations took in the first hour: what later windows are compared with.
class Baseline {
 public:
  static constexpr double kSeconds = 3600;

  explicit Baseline(std::size_t phases) : medians_(phases) {}

  /// Fills the ratios of a window, which follows on `measured_s` seconds of others. A window of the
  /// first hour is part of what it is compared with.
  void take(Window& window, double measured_s);
  /// [phase] The median of the windows' medians; 0: none yet.
  [[nodiscard]] std::vector<double> microseconds() const;

 private:
  std::vector<measure::Histogram> medians_;  // [phase]
};

/// Phases over all windows.
class Totals {
 public:
  explicit Totals(const std::vector<Phase>& plan);

  void take(const Window& window);
  [[nodiscard]] std::vector<results::SoakRow> rows() const;

 private:
  struct OfPhase {
    results::SoakRow row{};
    measure::Histogram p50{};
    measure::Histogram p99{};
    measure::Histogram p999{};
    double busbw_us = 0;  // bandwidth times median, the same in every window
    double ratios = 0;    // of job completion time: how many, and of them
    double mean = 0;      // the mean and
    double squares = 0;   // the squares of what they differ from it (Welford)

    void take(const PhaseSample& sample);
    void take_ratio(double ratio);
    [[nodiscard]] results::SoakRow so_far() const;
  };

  std::vector<OfPhase> phases_;
};

/// All that a soak has come to so far, window by window: on rank 0 while it runs, and again from
/// its record when it is resumed. Memory is bounded but for events.
class Standing {
 public:
  explicit Standing(const Header& header);

  /// A window that has just been measured: its ratios are filled. Returns what came to light.
  [[nodiscard]] std::vector<Event> take(Window& window);
  /// A run goes on after this gap.
  [[nodiscard]] std::vector<Event> take(const Gap& gap);
  /// A line of the record, in its order; its events are those that were seen then.
  void take_again(Line line);

  [[nodiscard]] std::uint64_t last_window() const { return last_window_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] double measured_s() const { return measured_s_; }
  /// When the last window ended; the header's start if there was none.
  [[nodiscard]] std::chrono::system_clock::time_point until() const { return until_; }
  [[nodiscard]] Judgement judgement() const { return judge_.judgement(); }
  /// Whether the next windows will tell that packets were lost, or late (Watcher).
  [[nodiscard]] bool misses_packets() const { return watcher_.misses_packets(); }

  /// Fills a document's part: judgement, events, gaps, rows.
  void fill(results::SoakBody& body) const;
  /// Fills a state but for the ports.
  void fill(State& state) const;

 private:
  void take_whole(const Window& window);
  void take_event(const Event& event);

  std::string run_;
  Watcher watcher_;
  Judge judge_;
  Baseline baseline_;
  Totals totals_;
  std::vector<Event> first_events_;
  std::vector<Gap> gaps_;
  std::uint64_t events_ = 0;
  std::uint64_t last_window_ = 0;
  double measured_s_ = 0;
  std::chrono::system_clock::time_point until_;
};

}  // namespace railgauge::soak
