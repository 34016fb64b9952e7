#pragma once

#include <memory>
#include <vector>

#include "benchmarks/session.hpp"
#include "executor/lanes.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::benchmarks {

/// Collective: the lanes that these schedules need, on these rails of this rank, as the session's
/// options and the setting say. Throws RunFailure: the fabric's fault, or this host's.
[[nodiscard]] std::unique_ptr<transport::Transport> connect(
    Session& session, const Setting& setting, const RailSet& rails,
    const std::vector<schedule::Schedule>& schedules, const executor::Stripes& stripes);

}  // namespace railgauge::benchmarks
