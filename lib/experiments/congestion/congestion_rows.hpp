#pragma once

#include <span>
#include <string>
#include <vector>

#include "congestion/observation.hpp"
#include "congestion/scenario.hpp"
#include "results/congestion.hpp"

namespace railgauge::runner {

/// The record of the last of these steps: its verdict, and what it rests on.
[[nodiscard]] results::CongestionRow row_of(std::span<const congestion::Step> steps,
                                            std::vector<results::CongestionFlow> flows,
                                            const results::CongestionSampling& sampling);

/// What all NICs counted, in so many parts of the time at most.
[[nodiscard]] std::vector<results::CongestionSample> timeline_of(const congestion::Step& step,
                                                                 std::size_t most);

}  // namespace railgauge::runner
