#include "transport/transport.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace railgauge::transport {

Channel counterpart(std::span<const ChannelRequest> ours, Channel channel, Rank us,
                    std::span<const ChannelRequest> theirs) {
  const ChannelRequest wanted = ours[channel];
  auto before = std::count(ours.begin(), ours.begin() + channel, wanted);
  for (Channel i = 0; i < theirs.size(); ++i) {
    if (theirs[i] == ChannelRequest{us, wanted.rail} && before-- == 0) return i;
  }
  throw std::logic_error("rank " + std::to_string(wanted.peer) + " has no channel to rank " +
                         std::to_string(us) + " on rail " + std::to_string(wanted.rail));
}

}  // namespace railgauge::transport
