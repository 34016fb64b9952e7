#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace railgauge::metrics {

/// Durations in few buckets, three for a decade from a microsecond to ten seconds: for a monitoring
/// system, which adds up histograms of many runs and so wants the same buckets of all. The exact
/// distribution is in the result document.
class TimeHistogram {
 public:
  /// A bucket's longest duration. What takes longer than the last is in a bucket of its own.
  static constexpr std::array<double, 22> kBoundsSeconds{
      1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3,
      5e-3, 1e-2, 2e-2, 5e-2, 0.1,  0.2,  0.5,  1,    2,    5,    10};
  static constexpr std::size_t kBuckets = kBoundsSeconds.size() + 1;
  /// In Prometheus: the buckets, the sum and the count.
  static constexpr std::size_t kSeries = kBuckets + 2;

  void add(double seconds, std::uint64_t count = 1) {
    const auto bound = std::ranges::lower_bound(kBoundsSeconds, seconds);
    counts_.at(static_cast<std::size_t>(bound - kBoundsSeconds.begin())) += count;
    sum_seconds_ += seconds * static_cast<double>(count);
  }

  /// [bucket] of it alone, not of all below it.
  [[nodiscard]] const std::array<std::uint64_t, kBuckets>& counts() const { return counts_; }
  [[nodiscard]] double sum_seconds() const { return sum_seconds_; }

 private:
  std::array<std::uint64_t, kBuckets> counts_{};
  double sum_seconds_ = 0;
};

}  // namespace railgauge::metrics
