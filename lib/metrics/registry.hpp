#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "metrics/snapshot.hpp"

namespace railgauge::metrics {

/// Where figures are kept between one snapshot and the next. Not thread-safe: one thread has it,
/// and hands out snapshots.
///
/// A monitoring system keeps every series that it ever saw, so their number is bounded: of metrics
/// that are `passing` (one series for each size of a sweep, say) the series that was not touched
/// for longest is forgotten for a new one, and counted. The others are as many as there is
/// hardware.
class Registry {
 public:
  static constexpr std::size_t kMostPassing = 3500;

  explicit Registry(std::size_t most_passing = kMostPassing) : most_passing_(most_passing) {}

  /// A gauge's value from here on.
  void set(const Metric& metric, const Labels& labels, double value);
  /// A counter grows; 0 makes it known, so that a monitoring system sees the first event as growth.
  /// What is negative, a counter of hardware that was reset, does not count.
  void add(const Metric& metric, const Labels& labels, double by);
  /// A counter grows to so much, if it is not there yet.
  void raise(const Metric& metric, const Labels& labels, double to);
  /// It is not known any more. Of a metric that is not passing.
  void remove(const Metric& metric, const Labels& labels);
  /// A histogram, to add to before the next call.
  [[nodiscard]] TimeHistogram& times(const Metric& metric, const Labels& labels);

  /// In order of names, then labels.
  [[nodiscard]] Snapshot snapshot() const;
  /// Series that had to go.
  [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }

 private:
  struct Held {
    double value = 0;
    TimeHistogram times{};
    std::uint64_t touched = 0;
  };
  struct HeldFamily {
    Metric metric{};
    std::map<Labels, Held> series{};
  };

  Held& find(const Metric& metric, const Labels& labels);
  void make_room(std::size_t needed);
  void forget_oldest();

  std::size_t most_passing_;
  std::size_t passing_ = 0;      // series of metrics that are
  std::uint64_t forgotten_ = 0;  // series
  std::uint64_t touches_ = 0;
  std::map<std::string_view, HeldFamily> families_;
};

}  // namespace railgauge::metrics
