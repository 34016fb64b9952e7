#pragma once

#include <vector>

#include "finding/finding.hpp"
#include "results/document.hpp"

namespace railgauge::runner {

/// What the failures of a job say of the fabric, each place once: both ends of a dead link and all
/// its queue pairs are one finding, and the dead links of one port of a rail are that port. Where a
/// path loses large packets, what fails in the other direction is a consequence and is left out. A
/// dead link is only possible if nobody at its other end reported, and a port if none of its ranks
/// did: who does not answer may have ended. Nothing of failures that do not concern the fabric:
/// usage, environment, signals.
[[nodiscard]] std::vector<finding::Finding> findings_of(
    const std::vector<results::Failure>& failures);

/// Of a link that is dead between the only two ports of its rail, in which direction: one received
/// nothing of what the other sent, and was heard itself. Of a port: it receives, and as much is
/// missing on its rail as it sent. Without that the place stays as it is.
void tell_directions(std::vector<finding::Finding>& findings,
                     const std::vector<results::PortEvents>& events,
                     const std::vector<results::Rank>& ranks);

}  // namespace railgauge::runner
