#include "softroce/engine/peer_credits.hpp"

#include <algorithm>
#include <utility>

namespace railgauge::softroce {

namespace {

// What the kernel counts for a packet in addition to its bytes (sk_buff and the unused end of its
// pages): 832 bytes for a small one, as measured. With this much nothing overflowed.
constexpr std::uint64_t kBookkeeping = 2048;
// Of the room that is left, as others may fill it at the same time.
constexpr std::uint64_t kShare = 4;
// A process that looks again only later was stopped itself, or had nothing to send.
constexpr nanoseconds kLongestStep = std::chrono::milliseconds(1);
// Before we look again whether a peer has come up on this host.
constexpr std::uint64_t kElsewhere = std::uint64_t{4} << 20;

}  // namespace

void PeerCredits::look(const Address& peer, Time now) {
  Room& room = rooms_[peer.bytes];
  const auto backlog = sockets_.backlog(peer);
  if (!backlog) {
    room = {.left = kElsewhere};
    return;
  }
  const auto [waiting, capacity] = *backlog;
  const bool has_read = waiting < room.waiting || waiting == 0;
  const nanoseconds since = now - std::exchange(room.looked_at, now);
  room.in_vain = has_read ? nanoseconds{0} : room.in_vain + std::min(since, kLongestStep);
  room.waiting = waiting;
  const bool stopped = room.in_vain >= kPatience;
  room.left = stopped ? kElsewhere : (capacity - std::min(waiting, capacity)) / kShare;
}

bool PeerCredits::take(const Address& peer, std::size_t bytes) {
  Room& room = rooms_[peer.bytes];
  const std::uint64_t needed = bytes + kBookkeeping;
  if (room.left < needed) return false;
  room.left -= needed;
  return true;
}

}  // namespace railgauge::softroce
