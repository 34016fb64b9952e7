#pragma once

#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// Whether a text has the head of Gloo's benchmark.
bool is_gloo(std::string_view text);

/// Gloo's benchmark. Times are p50 of rank 0, and bandwidths are worked out from them: its own are
/// means, in 2^30 bytes. It counts elements; where it does not print bytes too, throws
/// std::invalid_argument unless `stated` names their type.
LogContent read_gloo(std::string_view text, const Stated& stated);

}  // namespace railgauge::verdict
