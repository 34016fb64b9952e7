#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace railgauge::measure {

/// Durations in buckets whose width grows with the duration: any number of them, for days, in
/// memory of a fixed size, and each known to 0.2 % (in the manner of G. Tene's HdrHistogram). Every
/// power of two is divided into 256 buckets of equal width; below 256 ns a bucket is a nanosecond.
/// What takes longer than five hours is counted as five hours.
class Histogram {
 public:
  static constexpr double kRelativeError = 1.0 / 512;  // of a bucket's middle

  /// A bucket that holds something: durations from `lower` up to but not including `upper`.
  struct Bin {
    double lower_us = 0;
    double upper_us = 0;
    std::uint64_t count = 0;
  };

  Histogram() : counts_(kBuckets) {}

  /// Neither allocates nor fails; a negative duration counts as 0. `times`: as if it was recorded
  /// so often.
  void record(std::chrono::nanoseconds duration, std::uint64_t times = 1) noexcept;
  void clear() noexcept;

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The least and the greatest, exactly; 0 if there are none.
  [[nodiscard]] double min_us() const;
  [[nodiscard]] double max_us() const;

  /// The `rank`-th smallest duration, counted from 1: the middle of its bucket, but never beyond
  /// the least or the greatest. Throws std::out_of_range if there are fewer.
  [[nodiscard]] double order_statistic_us(std::uint64_t rank) const;
  /// The smallest duration that at least this part of all did not exceed ("nearest rank":
  /// definition 1 of Hyndman & Fan, "Sample Quantiles in Statistical Packages", The American
  /// Statistician 50, 1996). `per_mille`: 500 is the median. Throws std::out_of_range if there are
  /// none.
  [[nodiscard]] double quantile_us(unsigned per_mille) const;

  /// From the shortest to the longest.
  [[nodiscard]] std::vector<Bin> bins() const;
  /// Adds the bins of another histogram, with its min_us() and max_us(), such as of another rank.
  void add(std::span<const Bin> bins, double min_us, double max_us) noexcept;

 private:
  static constexpr unsigned kBitsOfBucket = 8;
  static constexpr unsigned kBitsOfLongest = 44;
  static constexpr std::size_t kBuckets = std::size_t{kBitsOfLongest - kBitsOfBucket + 1}
                                          << kBitsOfBucket;
  static std::size_t bucket_of(std::uint64_t nanoseconds) noexcept;
  static std::uint64_t lower_bound_of(std::size_t bucket) noexcept;

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t least_ = 0;
  std::uint64_t greatest_ = 0;
};

}  // namespace railgauge::measure
