#pragma once

#include <cstddef>
#include <vector>

#include "softroce/device/acknowledgement.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

/// Packets that came before their turn, over a network that sprays a connection over several paths,
/// until those before them have come. For queue pairs of ports with `any_order` only.
class EarlyPackets {
 public:
  /// How far ahead of its turn a packet may be: more than any window.
  static constexpr std::uint32_t kFarthest = 512;

  struct Early {
    bool here = false;
    bool placed = false;  ///< its payload is in the program's memory already
    Packet packet{};      ///< its payload is a view into `bytes`; none if it is placed
    std::vector<std::byte> bytes{};
  };

  bool empty() const { return count_ == 0; }
  bool has(Psn psn) const { return find(psn) != nullptr; }
  /// Copies it, unless it is here.
  void keep(const Packet& packet);
  /// Only what its headers say.
  void keep_placed(const Packet& packet);
  /// Null if it has not come.
  const Early* find(Psn psn) const;
  void drop(Psn psn);
  void clear();

 private:
  Early& place_of(Psn psn) { return places_[psn % kFarthest]; }
  Early& take(const Packet& packet);

  std::vector<Early> places_;  // none until the first comes; then by PSN modulo their number
  std::size_t count_ = 0;
};

inline const EarlyPackets::Early* EarlyPackets::find(Psn psn) const {
  if (count_ == 0) return nullptr;
  const Early& early = places_[psn % kFarthest];
  return early.here && early.packet.psn == psn ? &early : nullptr;
}

}  // namespace railgauge::softroce
