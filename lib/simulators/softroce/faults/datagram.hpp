#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "softroce/wire/address.hpp"

namespace railgauge::softroce {

/// Large enough for any UDP payload.
inline constexpr std::size_t kDatagramBytes = 65536;

/// A UDP payload (BTH ... ICRC) in flight, by value.
struct Datagram {
  Address source{};
  Address destination{};
  std::uint16_t source_port = 0;
  std::uint8_t traffic_class = 0;  ///< with the ECN bits: 3 is CE
  std::uint8_t hop_limit = kDefaultHopLimit;
  std::uint16_t identification = 0;
  std::vector<std::byte> bytes{};
};

/// The size of the IP packet: 20 (IPv4 without options) or 40 (IPv6) bytes and 8 of UDP on top.
std::size_t ip_packet_bytes(const Datagram& datagram);

/// Sets CE. Returns false and does nothing if it is not ECN-capable, because a switch drops or
/// passes but never marks such a packet (RFC 3168, section 5), or if it has CE already.
bool mark_congestion(Datagram& datagram);

/// Flips one bit: `number` modulo the number of bits. False if it is empty.
bool flip_bit(Datagram& datagram, std::uint64_t number);

/// Flips one bit of the payload, `number` modulo the number of bits, and updates the ICRC so that
/// it matches if it did before. Returns false and does nothing for a packet without payload.
bool corrupt_payload(Datagram& datagram, std::uint64_t number);

}  // namespace railgauge::softroce
