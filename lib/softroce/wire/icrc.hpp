#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "softroce/wire/address.hpp"

namespace railgauge::softroce {

/// The parts of IP and UDP that the invariant CRC covers (annex A17.3.3: TTL, traffic class, IP and
/// UDP checksums, flow label and the BTH's resv8a are masked with ones).
struct Envelope {
  Address source{};
  Address destination{};
  std::uint16_t source_port = 4791;
  std::uint16_t identification = 0;  ///< IPv4's, covered; IPv6 has none
};

/// The ICRC of one packet, as the number whose little-endian bytes end the datagram.
/// `parts` are BTH, extended headers, payload and padding, in this order, in any number of pieces;
/// the first piece has to hold the whole BTH (12 bytes). IPv4 packets are taken to have DF set, 20
/// bytes of IP header.
std::uint32_t icrc(const Envelope& envelope, std::span<const iovec> parts);

/// Checks a received datagram (BTH ... ICRC). A UDP socket does not show IPv4's identification,
/// which the ICRC covers, and so it is found when it is not `envelope.identification`: the CRC is
/// linear, and so the residue must lie in the image of 16 unknown bits, which leaves 16 of 32 bits
/// of redundancy. At most one identification fits. Returns it; nothing when none does: a damaged
/// packet. (A caller who knows what its peer puts there can compare, and has all 32 bits again.)
/// Of IPv6 it returns `envelope.identification`, or nothing. Thread-safe.
std::optional<std::uint16_t> verify_icrc(const Envelope& envelope,
                                         std::span<const std::byte> datagram);

}  // namespace railgauge::softroce
