#pragma once

#include <span>
#include <string>

#include "executor/plan.hpp"
#include "executor/progress.hpp"

namespace railgauge::executor {

/// What a rank still waits for, a line a lane: the step, the blocks, how many pieces are missing,
/// and where the lane runs. Empty when it waits for nothing. `lanes` by lane number.
[[nodiscard]] std::string waiting_for(const Plan& plan, std::span<const LaneProgress> lanes,
                                      const transport::Transport& transport);

}  // namespace railgauge::executor
