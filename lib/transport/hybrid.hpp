#pragma once

#include <functional>
#include <memory>
#include <span>

#include "transport/verbs_transport.hpp"

namespace railgauge::transport {

/// Collective: connects the channels to ranks of this host through shared memory, whatever their
/// rail, and the others over verbs. `on_this_host` says which is which; any two ranks must agree.
/// Channels keep the caller's numbers, and both wires know all regions. Polling checks both;
/// sleeping waits for both, at the cost of one more ppoll() than shared memory alone. The rest,
/// errors included, is as for connect_verbs() and connect_shared_memory(); settings.memory must be
/// empty.
std::unique_ptr<Transport> connect_hybrid(Exchange& exchange, std::span<const verbs::Port> rails,
                                          std::span<const ChannelRequest> channels,
                                          const std::function<bool(Rank)>& on_this_host,
                                          const VerbsSettings& settings);

}  // namespace railgauge::transport
