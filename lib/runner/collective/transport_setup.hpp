#pragma once

#include <memory>
#include <vector>

#include "executor/channels.hpp"
#include "runner/collective/collective_session.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// Collective: the channels that these schedules need, on these rails of this rank, as the
/// session's options and the combination say. Throws job::RunFailure: the fabric's fault, or this
/// host's.
[[nodiscard]] std::unique_ptr<transport::Transport> connect_channels(
    CollectiveSession& session, const Combination& combination, const RailSet& rails,
    const std::vector<schedule::Schedule>& schedules, const executor::Stripes& stripes);

}  // namespace railgauge::runner
