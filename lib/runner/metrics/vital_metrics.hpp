#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "metrics/registry.hpp"

namespace railgauge::runner {

// What an alert asks first: whether all is well, and whether anybody still looks.

/// railgauge_verdict: of a check, the verdict that holds is 1 and the others are 0, so that no
/// number stands for a word. UNKNOWN is one of them: what was not looked at has not passed.
/// `verdict`: PASS, FAIL or UNKNOWN; INCONCLUSIVE counts as UNKNOWN.
void set_verdict(metrics::Registry& registry, const std::string& check, std::string_view verdict);

/// railgauge_last_sample_timestamp_seconds: when a row or a window was last measured.
void set_last_sample(metrics::Registry& registry, std::chrono::system_clock::time_point time);

}  // namespace railgauge::runner
