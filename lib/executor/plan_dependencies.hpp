#pragma once

#include <cstddef>

#include "executor/plan.hpp"

namespace railgauge::executor {

// What can be derived once all ops of a plan are known.

/// Marks those reductions of the last stripe, whose ops begin at number `first`, that are the last
/// to combine anything into their blocks. Throws std::logic_error if that is true for only some of
/// an op's blocks.
void mark_complete(Plan& plan, std::size_t first, schedule::Block all_blocks);

/// Lists, for every op, the channels of the ops that wait for it.
void list_waiting(Plan& plan);

}  // namespace railgauge::executor
