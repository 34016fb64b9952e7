#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "soak/places.hpp"

namespace railgauge::soak {

using RailKey = std::pair<int, int>;  // rail and plane

/// Packets that were sent in a window and never arrived.
struct Lost {
  RailKey rail{};
  std::uint64_t window = 0;
  std::int64_t packets = 0;
};

/// Counts packets in and out. Software devices of ours (softroce) are each a process's own and
/// count every packet, so on a rail that only they use all that was sent was received, or is lost.
/// That distinguishes a loss from packets that overtook each other, which leave the same gap in
/// what arrives, and from the time-outs of a busy machine; and it sees a packet that nothing
/// follows, of which there is no gap.
///
/// A window ends between two iterations, but an acknowledgement or a congestion notification may
/// still be in flight: on a busy machine in four windows of a hundred. So what is missing is lost
/// if it is missing for some windows more: two if somebody noticed a gap or sent again, else five.
class PacketBalance {
 public:
  static constexpr std::size_t kMoreIfNoticed = 2;
  static constexpr std::size_t kMore = 5;

  /// What is proved lost with this window. The first window counts for itself: the devices began
  /// to count one after the other.
  [[nodiscard]] std::vector<Lost> take(const Window& window, const Places& places);

  /// Whether it counts this rail: not with other devices, nor with counters that could not be read.
  [[nodiscard]] bool knows(const RailKey& rail) const { return rails_.contains(rail); }

  /// Packets are missing, on any rail, that are not yet known to be lost.
  [[nodiscard]] bool is_undecided() const;

  /// The devices start to count at 0 again.
  void forget() { rails_.clear(); }

 private:
  struct End {
    std::uint64_t window = 0;
    std::int64_t missing = 0;
    bool noticed = false;
  };
  struct Rail {             // at most kMore + 1 ends
    std::int64_t lost = 0;  // found already
    std::deque<End> ends{};
  };

  static void decide(const RailKey& key, Rail& rail, std::vector<Lost>& all);

  std::map<RailKey, Rail> rails_;
};

}  // namespace railgauge::soak
