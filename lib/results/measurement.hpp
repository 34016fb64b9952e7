#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/statistics.hpp"
#include "measure/timing.hpp"
#include "results/rail_result.hpp"

namespace railgauge::results {

/// A rank that the others wait for: measure/statistics.hpp says how it is found.
struct Straggler {
  int rank = 0;
  std::string host{};
  double own_us = 0;
  double others_us = 0;
};

/// nccl-tests' -I: iterations without the first few.
struct PerIteration {
  std::uint64_t skipped = 0;
  double min_us = 0;
  double max_us = 0;
  double p99_us = 0;
  double variation_percent = 0;  // standard deviation over mean
};

/// What was measured in one placement of the buffers (in place or out of place).
struct Measurement {
  measure::Summary time{};                                   // over iterations
  std::optional<measure::MedianInterval> median_interval{};  // empty of too few iterations
  bool bimodal = false;                                      // see measure/statistics.hpp
  measure::StoppedBy stopped_by = measure::StoppedBy::iterations;
  std::vector<measure::Histogram::Bin> histogram{};
  double algbw_gigabytes_per_second = 0;  // 1e9 bytes, at time.p50_us
  double busbw_gigabytes_per_second = 0;
  std::vector<RailResult> rails{};            // those that were in use
  std::optional<double> line_rate_percent{};  // verdict/line_rate.hpp; empty: not known
  std::vector<double> rank_medians_us{};      // [rank]
  std::vector<double> rank_own_us{};          // [rank] of which it did not wait
  std::optional<Straggler> straggler{};
  std::optional<PerIteration> per_iteration{};  // if asked for
  std::optional<std::uint64_t> wrong{};         // elements over all ranks; empty: not checked
  std::uint64_t verified_iterations = 0;
  double verification_us = 0;  // what that took, outside of what was timed
};

/// "iterations", "duration", "interval".
[[nodiscard]] std::string_view word(measure::StoppedBy stopped_by);

void to_json(nlohmann::ordered_json& json, const Measurement& placement);

}  // namespace railgauge::results
