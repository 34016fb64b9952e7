#pragma once

#include <memory>
#include <span>

#include "transport/transport.hpp"

namespace railgauge::transport {

/// Collective: connects every channel through memory that both processes map. All ranks must be on
/// this host and belong to one user. Channels between two ranks pair up in the order in which both
/// list them; rails are labels only. `exchange` must outlive the transport. Throws
/// std::system_error, for example if a peer is not on this host, or std::runtime_error.
///
/// The writer copies the bytes, so a write is complete when write() returns. The only system calls
/// are to sleep and to wake a sleeper. If a peer's process ends before its transport does, the
/// channels to it fail as soon as this side idles; a peer that destroys its transport has left in
/// order, which is no failure.
std::unique_ptr<Pollable> connect_shared_memory(Exchange& exchange,
                                                std::span<const ChannelRequest> channels);

}  // namespace railgauge::transport
