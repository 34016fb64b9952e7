#pragma once

// lib/measure holds what turns time stamps into numbers: sizes of a sweep, times of iterations,
// their distribution, bandwidths. It must not know how a collective runs or who reads the numbers.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "measure/histogram.hpp"

namespace railgauge::measure {

/// The distribution of one row's iterations, each the slowest rank's: percentiles of ranks' means
/// would hide the tail.
struct Summary {
  std::uint64_t n = 0;  // iterations
  double min_us = 0;    // min and max exactly, percentiles to Histogram::kRelativeError
  double p50_us = 0;
  double p90_us = 0;
  double p99_us = 0;
  double p999_us = 0;
  double max_us = 0;
  double mean_us = 0;  // of the middles of the bins
};

/// Throws std::out_of_range if nothing was timed.
[[nodiscard]] Summary summarize(const Histogram& times);

/// Coefficient of variation: standard deviation over mean, from the middles of the bins; 0 if
/// nothing was timed.
[[nodiscard]] double variation(const Histogram& times);

/// Of an even number of values, the lower of the middle two. Throws std::invalid_argument if there
/// are none.
[[nodiscard]] double median(std::span<const double> values);

/// Where the median of a distribution lies with 95 % confidence, whatever its form.
struct MedianInterval {
  static constexpr double kConfidence = 0.95;
  double low_us = 0;
  double high_us = 0;
};

/// Between two order statistics, as Hoefler & Belli ("Scientific Benchmarking of Parallel Computing
/// Systems", SC'15, rule 5) ask for: exactly by the binomial distribution for up to 70 durations,
/// by its normal approximation beyond (J.-Y. Le Boudec, "Performance Evaluation of Computer and
/// Communication Systems", 2010, theorem 2.1 and table A.1). Fewer than six durations have none.
[[nodiscard]] std::optional<MedianInterval> median_interval(const Histogram& times);

/// Whether the durations fall into two groups or more, which one median does not describe: two
/// peaks more than 10 % apart, each with at least a tenth of all durations on its side of the
/// valley between them. The valley is less than half as high as the lower peak, and lower by more
/// than three standard deviations of the peak's count. Looks at cells 5 % wide. A hint to look at
/// the histogram, not a hypothesis test; fewer than twenty durations have no groups.
[[nodiscard]] bool is_bimodal(const Histogram& times);

/// A rank that the others wait for.
struct Straggler {
  std::size_t rank = 0;
  double own_us = 0;     // what it does itself in an iteration
  double others_us = 0;  // what ranks usually do
};

/// All ranks of a collective end at about the same time, because they wait for the slowest, so
/// their times do not tell which it is. How long a rank did not wait does. `own_us[rank]` is the
/// median of that over iterations, `iteration_us` the median time of an iteration. The straggler is
/// the rank with the longest own time if that is above the ranks' median by more than three times
/// the median absolute deviation, and by more than a quarter of an iteration: less would not be
/// noticed.
///
/// At least three ranks are needed: two have no usual time to differ from. In a collective with a
/// root, and in a tree, some ranks have more to do than others, and may be named for that.
[[nodiscard]] std::optional<Straggler> find_straggler(std::span<const double> own_us,
                                                      double iteration_us);

}  // namespace railgauge::measure
