#pragma once

#include <span>

#include "transport/transport.hpp"

namespace railgauge::transport {

/// The peer's lane that meets `lane` of ours: the k-th of ours to that peer on that rail meets the
/// k-th of theirs to us. Throws std::logic_error if the peer has asked for none.
[[nodiscard]] Lane counterpart(std::span<const LaneRequest> ours, Lane lane, Rank us,
                               std::span<const LaneRequest> theirs);

}  // namespace railgauge::transport
