#pragma once

#include <memory>
#include <span>
#include <vector>

#include "transport/local_peers.hpp"
#include "transport/notification_ring.hpp"
#include "transport/transport.hpp"

namespace railgauge::transport {

struct SharedChannel {
  LocalPeer& mate;
  Channel back;  // the number the peer has given to it
  Outbox outbox;
  std::uint64_t written = 0;
  std::uint32_t unreported = 0;
  bool to_report = false;
};

struct SharedConnections {
  std::vector<std::unique_ptr<LocalPeer>> mates;
  std::vector<SharedChannel> channels;
};

/// Collective, in two rounds of the exchange: meets the peers of these channels. Throws
/// std::logic_error for a channel that the peer has not, and what meet_host_mates() does.
SharedConnections connect_shared_channels(Exchange& exchange,
                                          std::span<const ChannelRequest> channels,
                                          const OwnStation& own);

}  // namespace railgauge::transport
