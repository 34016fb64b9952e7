#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "softroce/engine/peer_sockets.hpp"
#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// Keeps what nobody repeats (UC, UD) from overflowing the sockets of peers on this host: a network
/// of RoCE is built to lose nothing when a receiver is busy (priority flow control), and the kernel
/// would drop it silently. To other hosts everything leaves at once.
class PeerCredits {
 public:
  explicit PeerCredits(PeerSockets& sockets) : sockets_(sockets) {}

  /// Takes room for a packet of what the last look() found. False if not enough is left.
  bool take(const Address& peer, std::size_t bytes);
  /// Asks the kernel, to which all must have been sent by now that room was taken for. A peer that
  /// reads nothing for kPatience counts as one with room.
  void look(const Address& peer, Time now);

 private:
  struct Room {
    std::uint64_t left = 0;  ///< of what we may send before we look again
    std::uint64_t waiting = 0;
    Time looked_at{};
    nanoseconds in_vain{};  ///< since it last turned out to have read something
  };
  static constexpr nanoseconds kPatience = std::chrono::seconds(1);
  PeerSockets& sockets_;
  std::map<std::array<std::uint8_t, 16>, Room> rooms_;
};

}  // namespace railgauge::softroce
