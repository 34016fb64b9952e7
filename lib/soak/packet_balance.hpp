#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "soak/places.hpp"

namespace railgauge::soak {

using RailKey = std::pair<int, int>;  // rail and plane

/// What is known of a rail's packets at the end of a window.
struct Balance {
  std::int64_t missing = 0;      // sent in this window, and received by no port, whole or falsified
  std::int64_t lost_before = 0;  // missing since the end of the window before
};

/// Counts packets in and out. Software devices of ours (softroce) are each a process's own and
/// count every packet, so on a rail that only they use all that was sent was received, or is lost.
/// That tells a loss from packets that overtook each other, which leave the same gap in what
/// arrives, and from the time-outs of a busy machine; and it sees a packet that nothing follows, of
/// which there is no gap. A window ends between two iterations, when hardly anything is under way,
/// but only what is still missing a window later is proved lost by this count alone.
class PacketBalance {
 public:
  /// By rail. One of which not all is known is not there: other devices, counters that could not be
  /// read or that went back. The first window counts for itself: the devices began to count one
  /// after the other.
  [[nodiscard]] std::map<RailKey, Balance> take(const Window& window, const Places& places);

  /// What is missing on this rail has been told, so it is not lost_before in the next window.
  void settle(const RailKey& rail) { missing_[rail] = 0; }

  /// On any rail, at the end of the last window.
  [[nodiscard]] bool misses_any() const {
    return std::ranges::any_of(missing_, [](const auto& one) { return one.second > 0; });
  }

  /// The devices count anew from here.
  void forget() { missing_.clear(); }

 private:
  std::map<RailKey, std::int64_t> missing_;
};

}  // namespace railgauge::soak
