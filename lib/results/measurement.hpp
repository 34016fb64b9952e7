#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "json/members.hpp"
#include "measure/statistics.hpp"
#include "measure/timing.hpp"

namespace railgauge::results {

/// Whether the output lies over the input. Only what others published may not say.
enum class BufferMode : std::uint8_t { unstated, out_of_place, in_place };

/// "out_of_place", "in_place"; "unstated" for people.
[[nodiscard]] std::string_view word(BufferMode mode);

/// nccl-tests' -I: iterations without the first few.
struct PerIteration {
  std::uint64_t skipped = 0;
  double min_us = 0;
  double max_us = 0;
  double p99_us = 0;
  double variation_percent = 0;  // standard deviation over mean

  RAILGAUGE_FIELDS(skipped, min_us, max_us, p99_us, variation_percent)
};

/// What one rail, or one plane of it, did in one buffer mode. Ranks know when the last message over
/// it was done.
struct RailResult {
  unsigned rail = 0;
  std::uint64_t bytes = 0;  // payload that all ranks sent over it in an iteration, counted
  double busbw_gigabytes_per_second = 0;  // for its part of all bytes, at p50_us
  double p50_us = 0;                      // of the rank that took longest; 0: it was not needed
  double p99_us = 0;                      // the same
  std::vector<std::optional<double>> rank_us{};  // [rank] median; empty: it did not use the rail
  int plane = 0;

  RAILGAUGE_FIELDS((rail), plane, bytes, busbw_gigabytes_per_second, p50_us, p99_us, rank_us)
};

/// By how much the rail with most exceeds the one with least, in percent of the latter; planes are
/// compared one by one. Empty if there are fewer than two that carried something.
struct RailImbalance {
  std::optional<double> bytes_percent{};
  std::optional<double> time_percent{};  // of the medians

  RAILGAUGE_FIELDS(bytes_percent, time_percent)
};

[[nodiscard]] RailImbalance imbalance_of(std::span<const RailResult> rails);

/// The rail, or plane, that took longest. `rails` must not be empty.
[[nodiscard]] const RailResult& slowest(std::span<const RailResult> rails);

/// Gives each its part of the whole collective's bus bandwidth, which took the whole time_us.
void share_bandwidth(std::span<RailResult> rails, double gigabytes_per_second, double time_us);

/// What the GPUs of a collective did in an iteration, on average, by their own clocks: of the rank
/// where it took longest. It overlaps with what is under way between ranks.
struct GpuWork {
  double combining_us = 0;  // what arrived, with what was there
  double copying_us = 0;

  RAILGAUGE_FIELDS(combining_us, copying_us)
};

/// The histogram of a document: `Bins` is const where it is written.
template <class Bins>
struct BinsOf {
  explicit BinsOf(Bins& all) : bins(all) {}

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.computed("relative_error", measure::Histogram::kRelativeError);
    RAILGAUGE_VISIT(bins);
  }

  Bins& bins;
};

/// What was measured in one buffer mode.
struct Measurement {
  static constexpr std::uint64_t kMostKept = 10'000;  // iterations whose times are kept one by one

  measure::Summary time{};                                   // over iterations
  std::optional<measure::MedianInterval> median_interval{};  // empty of too few iterations
  bool bimodal = false;                                      // see measure/modes.hpp
  measure::StoppedBy stopped_by = measure::StoppedBy::iterations;
  std::vector<measure::Histogram::Bin> histogram{};
  double algbw_gigabytes_per_second = 0;  // 1e9 bytes, at time.p50_us
  double busbw_gigabytes_per_second = 0;
  std::vector<RailResult> rails{};                  // planes of rails that were in use
  std::optional<GpuWork> gpu{};                     // of data in memory of GPUs
  std::optional<double> line_rate_percent{};        // verdict/line_rate.hpp; empty: not known
  std::vector<double> rank_medians_us{};            // [rank]
  std::vector<double> rank_own_us{};                // [rank] of which it did not wait
  std::optional<PerIteration> per_iteration{};      // if asked for, as are
  std::vector<std::vector<double>> iteration_us{};  // [rank][iteration]: of the first kMostKept;
                                                    // in what nccl-tests' script reads, not here
  std::optional<std::uint64_t> wrong{};             // elements over all ranks; empty: not checked
  std::uint64_t verified_iterations = 0;
  double verification_us = 0;  // what that took, outside of what was timed

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("time", self.time);
    visit("median_interval_us", self.median_interval);
    RAILGAUGE_VISIT(bimodal, stopped_by, algbw_gigabytes_per_second, busbw_gigabytes_per_second,
                    line_rate_percent, rails);
    visit.not_below_zero({"algbw_gigabytes_per_second", "busbw_gigabytes_per_second"});
    visit.computed("rail_imbalance", imbalance_of(self.rails));
    RAILGAUGE_VISIT(rank_medians_us, rank_own_us, wrong, verified_iterations, verification_us);
    BinsOf histogram(self.histogram);
    visit("histogram", histogram);
    visit.if_any("per_iteration", self.per_iteration);
    visit.if_any("gpu", self.gpu);
  }
};

}  // namespace railgauge::results

// lib/measure knows no documents: what its fields are called there.
namespace railgauge::measure {

/// "iterations", "duration", "interval".
[[nodiscard]] std::string_view word(StoppedBy stopped_by);

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, Summary>
void fields(Self& self, Visit& visit) {
  RAILGAUGE_VISIT(n, min_us, (p50_us), p90_us, p99_us, p999_us, max_us, mean_us);
  visit.not_below_zero({"min_us", "p50_us", "p90_us", "p99_us", "p999_us", "max_us", "mean_us"});
}

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, MedianInterval>
void fields(Self& self, Visit& visit) {
  RAILGAUGE_VISIT((low_us), (high_us));
  visit.computed("confidence", MedianInterval::kConfidence);
}

}  // namespace railgauge::measure
