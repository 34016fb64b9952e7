#pragma once

#include <span>

#include "transport/transport.hpp"

namespace railgauge::transport {

/// The peer's channel that meets `channel` of ours: the k-th of ours to that peer on that rail
/// meets the k-th of theirs to us. Throws std::logic_error if the peer has asked for none.
[[nodiscard]] Channel counterpart(std::span<const ChannelRequest> ours, Channel channel, Rank us,
                                  std::span<const ChannelRequest> theirs);

}  // namespace railgauge::transport
