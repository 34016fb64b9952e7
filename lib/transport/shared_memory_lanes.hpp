#pragma once

#include <memory>
#include <span>
#include <vector>

#include "transport/host_mates.hpp"
#include "transport/note_ring.hpp"
#include "transport/transport.hpp"

namespace railgauge::transport {

struct SharedLane {
  HostMate& mate;
  Lane back;  // the number the peer has given to it
  Outbox outbox;
  std::uint64_t written = 0;
  std::uint32_t unreported = 0;
  bool to_report = false;
};

struct SharedConnections {
  std::vector<std::unique_ptr<HostMate>> mates;
  std::vector<SharedLane> lanes;
};

/// Collective, in two rounds of the exchange: meets the peers of these lanes. Throws
/// std::logic_error for a lane that the peer has not, and what meet_host_mates() does.
SharedConnections connect_shared_lanes(Exchange& exchange, std::span<const LaneRequest> lanes,
                                       const OwnStation& own);

}  // namespace railgauge::transport
