#pragma once

#include "runner/options/option_table.hpp"

namespace railgauge::runner {

/// Options of nccl-tests that are about GPUs, and former names of ours: whoever gives one is told
/// what to use instead, because a script that means it would not get what it asks for.
void refuse_options(OptionTable& table);

}  // namespace railgauge::runner
