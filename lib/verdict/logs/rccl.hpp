#pragma once

#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// Whether a text is what rccl-tests' --output_file writes.
bool is_rccl(std::string_view text);

/// rccl-tests' --output_file: CSV with a head, a JSON list, or the JSON objects one a line that it
/// wrote before 2025-07. One run for each collective and number of ranks.
LogContent read_rccl(std::string_view text);

}  // namespace railgauge::verdict
