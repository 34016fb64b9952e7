#pragma once

#include "verdict/finding.hpp"
#include "verdict/policy.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::verdict {

/// Of a limit above 0, what is no more than this proves nothing: a machine that stalls for a moment
/// loses a few packets, which of a short run are many in a million.
constexpr std::int64_t kFewEvents = 10;

/// Holds what every port counted to a policy's limits, by what counters mean
/// (telemetry/meaning.hpp), as a share of the packets that they tell about: those that the port
/// sent, received, or, if it cannot be told which, sent. Several counters of a class tell of the
/// same packets, so the one that moved most is judged. Of software devices time-outs and
/// repetitions are not asked about, as a busy machine has them, too. A finding for every port and
/// class that is over its limit; one that has no answer, where a limit above 0 is asked of a port
/// that does not count packets; else one for all ports, which has no answer if none has such
/// counters.
[[nodiscard]] Findings against_counter_limits(const RunSet& run_set, const Policy& policy);

}  // namespace railgauge::verdict
