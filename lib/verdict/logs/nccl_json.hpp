#pragma once

#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// Whether a text is what nccl-tests' -J writes.
bool is_nccl_json(std::string_view text);

/// nccl-tests' -J, versions 1 to 3. The collective is in the program's name; ranks are processes
/// times threads times GPUs. A complaint's line is the number of the result, counted from 1: JSON
/// has no lines to speak of. Throws std::runtime_error if a field is of the wrong type.
LogContent read_nccl_json(std::string_view text);

}  // namespace railgauge::verdict
