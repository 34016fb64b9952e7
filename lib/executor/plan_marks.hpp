#pragma once

#include <cstddef>

#include "executor/plan.hpp"

namespace railgauge::executor {

// What is known of a plan's ops when all of them are.

/// Marks the reductions of the last stripe, whose ops begin with number `first`, after which
/// nothing more is combined into their blocks. Throws std::logic_error if that is so for some of an
/// op's blocks only.
void mark_complete(Plan& plan, std::size_t first, schedule::Block all_blocks);

/// Lists for every op the channels of those that wait for it.
void list_waiting(Plan& plan);

}  // namespace railgauge::executor
