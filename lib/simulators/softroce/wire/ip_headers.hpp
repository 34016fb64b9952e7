#pragma once

#include "softroce/wire/big_endian.hpp"
#include "softroce/wire/icrc.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

inline constexpr std::size_t kIpv4HeaderBytes = 20;
inline constexpr std::size_t kIpv6HeaderBytes = 40;
inline constexpr std::size_t kUdpHeaderBytes = 8;
inline constexpr std::size_t kMaxIpUdpBytes = kIpv6HeaderBytes + kUdpHeaderBytes;

/// What routers may change in transit, and so the ICRC does not cover.
struct Variant {
  std::uint8_t traffic_class = 0;
  std::uint32_t flow_label = 0;  ///< 20 bits, IPv6 only
  std::uint8_t hop_limit = kDefaultHopLimit;
  std::uint16_t ip_checksum = 0;
  std::uint16_t udp_checksum = 0;
};

inline constexpr std::uint16_t kDoNotFragment = 0x4000;
inline constexpr std::uint8_t kUdpProtocol = 17;

/// The headers of a datagram of `datagram_bytes` (BTH ... ICRC): RFC 791, RFC 8200, RFC 768.
/// `out` has space for kMaxIpUdpBytes. Returns their end. Inline, because every packet's ICRC needs
/// them.
inline std::byte* write_ip_udp(const Envelope& envelope, const Variant& variant,
                               std::size_t datagram_bytes, std::byte* out) {
  const auto udp_bytes = static_cast<std::uint16_t>(kUdpHeaderBytes + datagram_bytes);
  Writer writer(out);
  if (is_ipv4(envelope.destination)) {
    constexpr std::uint8_t kVersionAndWords = 4 << 4 | kIpv4HeaderBytes / 4;
    writer.number(kVersionAndWords);
    writer.number(variant.traffic_class);
    writer.number(static_cast<std::uint16_t>(kIpv4HeaderBytes + udp_bytes));
    writer.number(envelope.identification);
    writer.number(kDoNotFragment);
    writer.number(variant.hop_limit);
    writer.number(kUdpProtocol);
    writer.number(variant.ip_checksum);
    writer.bytes(envelope.source.bytes.data() + 12, 4);
    writer.bytes(envelope.destination.bytes.data() + 12, 4);
  } else {
    constexpr std::uint32_t kVersion = 6U << 28;
    writer.number(kVersion | std::uint32_t{variant.traffic_class} << 20 | variant.flow_label);
    writer.number(udp_bytes);
    writer.number(kUdpProtocol);
    writer.number(variant.hop_limit);
    writer.bytes(envelope.source.bytes.data(), 16);
    writer.bytes(envelope.destination.bytes.data(), 16);
  }
  writer.number(envelope.source_port);
  writer.number(kRocePort);
  writer.number(udp_bytes);
  writer.number(variant.udp_checksum);
  return writer.end();
}

}  // namespace railgauge::softroce
