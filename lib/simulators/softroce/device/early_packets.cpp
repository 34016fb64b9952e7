#include "softroce/device/early_packets.hpp"

namespace railgauge::softroce {

EarlyPackets::Early& EarlyPackets::take(const Packet& packet) {
  if (places_.empty()) places_.resize(kFarthest);
  Early& early = place_of(packet.psn);
  if (!early.here) ++count_;
  early.here = true;
  early.packet = packet;
  early.packet.payload = {};
  return early;
}

void EarlyPackets::keep(const Packet& packet) {
  if (has(packet.psn)) return;
  Early& early = take(packet);
  early.placed = false;
  early.bytes.assign(packet.payload.begin(), packet.payload.end());
  early.packet.payload = early.bytes;
}

void EarlyPackets::keep_placed(const Packet& packet) {
  take(packet).placed = true;
}

void EarlyPackets::drop(Psn psn) {
  if (!has(psn)) return;
  place_of(psn).here = false;
  --count_;
}

void EarlyPackets::clear() {
  for (Early& early : places_) early.here = false;
  count_ = 0;
}

}  // namespace railgauge::softroce
