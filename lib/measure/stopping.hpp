#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "measure/histogram.hpp"

namespace railgauge::measure {

/// When enough iterations have been timed.
struct StoppingRule {
  std::uint64_t iterations = 20;                   // at least
  std::optional<std::chrono::seconds> duration{};  // go on until so much time has passed
  std::optional<double> interval{};                // go on until the median's 95 % interval is this
                                                   // part of it (0.01), or the duration has passed
};

enum class StoppedBy : std::uint8_t { iterations, duration, interval };

/// Empty: go on. `elapsed` is the time since the row's first iteration.
[[nodiscard]] std::optional<StoppedBy> stop(const StoppingRule& rule, const Histogram& times,
                                            std::chrono::nanoseconds elapsed);

/// How many iterations to time before the next look, at most `most`: what is missing, or what takes
/// about a second (or what is left of the duration), by what they have taken so far.
[[nodiscard]] std::uint64_t next_batch(const StoppingRule& rule, const Histogram& times,
                                       std::chrono::nanoseconds elapsed, std::uint64_t most);

}  // namespace railgauge::measure
