#pragma once

#include <cstddef>

#include "runner/collective/collective_options.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {

/// How many progress threads a rank has by default that drives so many rails and has so many cores
/// to itself: one a rail, or if there are not enough cores for all of them, one. On software
/// devices what the NIC would do needs a core, too.
[[nodiscard]] unsigned default_progress_threads(unsigned rails, std::size_t cores,
                                                bool on_software);

/// Collective: how many each rank has, all alike. `asked` is what the user wants, 0 for the
/// default; what comes of it is in the record as --progress-threads.
[[nodiscard]] unsigned settle_progress_threads(Session& session, unsigned asked,
                                               SameHost same_host);

}  // namespace railgauge::runner
