#pragma once

#include <string>
#include <vector>

#include "normal/cohorts.hpp"
#include "results/pairs.hpp"

namespace railgauge::pairs {

/// How fast an attempt was, in what unit ever its mode has: GB/s, or one over the median latency; 0
/// if it failed.
[[nodiscard]] double speed_of(const results::PairFigures& figures);
[[nodiscard]] double speed_of(const results::PairRow& row);

/// Whether it failed only for want of acknowledgements: its packets arrive, as every attempt has it
/// that knows, and the other direction is dead.
[[nodiscard]] bool lacks_answers(const results::PairRow& row);

/// Whether that mode asks whether NICs reach each other, and how fast no more than roughly.
[[nodiscard]] bool is_connect(const std::string& mode);
/// Whether that mode is judged by bandwidth; the others by latency.
[[nodiscard]] bool is_bandwidth(const std::string& mode);

/// What a row is compared by with its cohort. Speeds are as they were before anything was retested
/// alone: that may be faster for nothing but that, and must not make others look slow.
[[nodiscard]] normal::Sample sample_of(const results::PairRow& row);
[[nodiscard]] normal::Cohorts cohorts_of(const std::vector<results::PairRow>& rows);

}  // namespace railgauge::pairs
