#pragma once

#include <span>
#include <string>

#include "executor/plan.hpp"
#include "executor/progress.hpp"

namespace railgauge::executor {

/// What a rank still waits for, a line a channel: the step, the blocks, how many chunks are
/// missing, and where the channel runs. Empty when it waits for nothing. `channels` by channel
/// number.
[[nodiscard]] std::string waiting_for(const Plan& plan, std::span<const ChannelProgress> channels,
                                      const transport::Transport& transport);

}  // namespace railgauge::executor
