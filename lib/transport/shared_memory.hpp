#pragma once

#include <memory>
#include <span>

#include "transport/pollable.hpp"

namespace railgauge::transport {

/// Collective: connects every channel through memory that both processes map, all of them on this
/// host and of one user. Channels of two ranks meet in the order in which both list them; their
/// rails are names only. `exchange` has to outlive the transport. Throws std::system_error, among
/// others when a peer is not on this host, or std::runtime_error.
///
/// A write is a copy by the writer, so it is complete when write() returns. Nobody makes a system
/// call but to sleep, and to wake one that sleeps. When a peer's process ends before its transport
/// does, the channels to it fail, as soon as this side idles; a peer that destroys its transport
/// has left, which is no failure.
std::unique_ptr<Pollable> connect_shared_memory(Exchange& exchange,
                                                std::span<const ChannelRequest> channels);

}  // namespace railgauge::transport
