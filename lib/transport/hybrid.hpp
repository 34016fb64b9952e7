#pragma once

#include <functional>
#include <memory>
#include <span>

#include "transport/verbs_transport.hpp"

namespace railgauge::transport {

/// Collective: connects the channels to ranks of this host by shared memory, whatever their rail,
/// and the others by verbs. `on_this_host` says which is which, and every two ranks have to agree.
/// Channels keep the caller's numbers, and all regions are known to both wires. Polling looks at
/// both; sleeping waits for both, at the cost of one more ppoll() than with shared memory alone.
/// The rest, errors included, is that of connect_verbs() and connect_shared_memory();
/// settings.memory must be empty.
std::unique_ptr<Transport> connect_hybrid(Exchange& exchange, std::span<const verbs::Port> rails,
                                          std::span<const ChannelRequest> channels,
                                          const std::function<bool(Rank)>& on_this_host,
                                          const VerbsSettings& settings);

}  // namespace railgauge::transport
