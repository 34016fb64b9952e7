#pragma once

#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// Whether a text has the head of Gloo's benchmark.
bool is_gloo(std::string_view text);

/// Gloo's benchmark, of all versions (their heads differ). Times are p50 of rank 0, and bandwidths
/// are worked out from them: its own are means, in 2^30 bytes. It counts elements, of all-gather,
/// scatter and all-to-all one rank's part; where it does not print bytes too, throws
/// std::invalid_argument unless `stated` names their type. Left out: what is no collective
/// (sendrecv_roundtrip, allreduce_local), and several inputs or threads at the same time.
LogContent read_gloo(std::string_view text, const Stated& stated);

}  // namespace railgauge::verdict
