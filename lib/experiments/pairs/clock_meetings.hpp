#pragma once

#include <functional>
#include <optional>

#include "congestion/clock_offset.hpp"
#include "job/communicator.hpp"

namespace railgauge::runner {

/// Collective, over some barriers: what has to be added to this rank's clock to have rank 0's.
/// `seconds` reads this rank's. Empty: the clocks drifted too far meanwhile.
[[nodiscard]] std::optional<congestion::ClockOffset> offset_to_first(
    job::Communicator& communicator, const std::function<double()>& seconds);

}  // namespace railgauge::runner
