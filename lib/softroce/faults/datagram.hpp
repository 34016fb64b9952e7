#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "softroce/wire/address.hpp"

namespace railgauge::softroce {

/// Room for any UDP payload.
inline constexpr std::size_t kDatagramBytes = 65536;

/// A UDP payload (BTH ... ICRC) on its way, by value.
struct Datagram {
  Address source{};
  Address destination{};
  std::uint16_t source_port = 0;
  std::uint8_t traffic_class = 0;  ///< with the ECN bits: 3 is CE
  std::uint16_t identification = 0;
  std::vector<std::byte> bytes{};
};

/// The size of the IP packet: 20 (IPv4 without options) or 40 (IPv6) bytes and 8 of UDP more.
std::size_t ip_packet_bytes(const Datagram& datagram);

/// Makes it CE. False, and nothing is done, if it is not ECN-capable, as a switch drops or passes
/// but never marks such a packet (RFC 3168, section 5), or if it is CE already.
bool mark_congestion(Datagram& datagram);

/// Flips one bit: `number` modulo the bits there are. False if there is none.
bool flip_bit(Datagram& datagram, std::uint64_t number);

/// Flips one bit of the payload, `number` modulo the bits there are, and changes the ICRC so that
/// it fits if it did before. False, and nothing is done, for a packet without payload.
bool corrupt_payload(Datagram& datagram, std::uint64_t number);

}  // namespace railgauge::softroce
