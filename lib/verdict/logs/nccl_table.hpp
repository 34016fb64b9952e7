#pragma once

#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// Whether a text has a row of nccl-tests' table, or the head of one.
bool is_nccl_table(std::string_view text);

/// nccl-tests' and rccl-tests' tables, and railgauge's own, with whatever NCCL_DEBUG and launchers
/// put between and before their lines. Every table is a run; so is every cycle of -N.
///
/// Learnt from the lines around the rows: the collective ("Collective test starting"), ranks and
/// hosts (the devices), NCCL's version, the algorithm that NCCL_ALGO forced; of railgauge's own
/// table also NICs and line rate.
LogContent read_nccl_table(std::string_view text);

}  // namespace railgauge::verdict
