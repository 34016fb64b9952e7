#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "executor/plan.hpp"
#include "executor/progress.hpp"

namespace railgauge::executor {

/// What a rank still waits for, one line per channel, each behind a line feed: the step, the
/// blocks, how many chunks are missing, and where the channel runs. Empty if it waits for nothing.
/// `channels` is indexed by channel number.
[[nodiscard]] std::string waiting_for(const Plan& plan, std::span<const ChannelProgress> channels,
                                      const transport::Transport& transport);

/// Time-outs, each at the path of what did not come: likely where data were sent and not
/// acknowledged, possible where data did not come, as their sender may wait for others itself.
[[nodiscard]] std::vector<finding::Finding> awaited(const Plan& plan,
                                                    std::span<const ChannelProgress> channels,
                                                    const transport::Transport& transport);

/// The channel that delivered the last data received or combined into an element of this rank's
/// output. Empty if no channel did: the data are its own, or were copied from scratch. For reports
/// about a wrong element.
[[nodiscard]] std::optional<transport::Channel> delivered_by(const Plan& plan, std::size_t element);

/// The block, of the schedule's `blocks`, as which an element of a rank's output is carried. A
/// vector's stripes have blocks of their own, so with several this is not the block of the whole
/// that the element lies in. Empty beyond the output.
[[nodiscard]] std::optional<schedule::Block> carried_as(const Plan& plan, schedule::Block blocks,
                                                        std::size_t element);

}  // namespace railgauge::executor
