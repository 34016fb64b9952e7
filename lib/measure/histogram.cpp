#include "measure/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace railgauge::measure {
namespace {

constexpr double kNanosecondsPerMicrosecond = 1e3;

double microseconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / kNanosecondsPerMicrosecond;
}

}  // namespace

/// The highest bits select the power of two, the eight below them the part of it.
std::size_t Histogram::bucket_of(std::uint64_t nanoseconds) noexcept {
  const auto bits = static_cast<unsigned>(std::bit_width(nanoseconds));
  if (bits <= kBitsOfBucket) return nanoseconds;
  const unsigned shift = bits - kBitsOfBucket - 1;
  return (std::size_t{shift} << kBitsOfBucket) + (nanoseconds >> shift);
}

std::uint64_t Histogram::lower_bound_of(std::size_t bucket) noexcept {
  const std::size_t power = bucket >> kBitsOfBucket;
  if (power <= 1) return bucket;
  const std::size_t part = bucket - ((power - 1) << kBitsOfBucket);
  return std::uint64_t{part} << (power - 1);
}

void Histogram::record(std::chrono::nanoseconds duration, std::uint64_t times) noexcept {
  constexpr std::uint64_t kLongest = (std::uint64_t{1} << kBitsOfLongest) - 1;
  const auto positive = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
  const std::uint64_t nanoseconds = std::min(positive, kLongest);
  counts_[bucket_of(nanoseconds)] += times;
  least_ = count_ == 0 ? nanoseconds : std::min(least_, nanoseconds);
  greatest_ = std::max(greatest_, nanoseconds);
  count_ += times;
}

void Histogram::clear() noexcept {
  std::ranges::fill(counts_, 0);
  count_ = least_ = greatest_ = 0;
}

double Histogram::min_us() const {
  return microseconds(least_);
}

double Histogram::max_us() const {
  return microseconds(greatest_);
}

double Histogram::order_statistic_us(std::uint64_t rank) const {
  if (rank == 0 || rank > count_) {
    throw std::out_of_range("there is no such duration: nothing, or not enough, was timed");
  }
  std::size_t bucket = 0;
  for (std::uint64_t passed = counts_[0]; passed < rank; passed += counts_[bucket]) ++bucket;
  const double lower = microseconds(lower_bound_of(bucket));
  const double last = microseconds(lower_bound_of(bucket + 1) - 1);
  return std::clamp((lower + last) / 2, min_us(), max_us());
}

double Histogram::quantile_us(unsigned per_mille) const {
  // Rounded up in whole numbers: 0.99 * 100 in floating point may land on either side of 99.
  const std::uint64_t rank = count_ / 1000 * per_mille + (count_ % 1000 * per_mille + 999) / 1000;
  return order_statistic_us(std::max<std::uint64_t>(rank, 1));
}

std::vector<Histogram::Bin> Histogram::bins() const {
  std::vector<Bin> bins;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    if (counts_[bucket] == 0) continue;
    bins.push_back({microseconds(lower_bound_of(bucket)), microseconds(lower_bound_of(bucket + 1)),
                    counts_[bucket]});
  }
  return bins;
}

void Histogram::add(std::span<const Bin> bins, double min_us, double max_us) noexcept {
  const auto duration = [](double us) {
    return std::chrono::nanoseconds(std::llround(kNanosecondsPerMicrosecond * us));
  };
  for (const Bin& bin : bins) record(duration(std::max(bin.lower_us, min_us)), bin.count);
  if (!bins.empty()) record(duration(max_us), 0);
}

}  // namespace railgauge::measure
