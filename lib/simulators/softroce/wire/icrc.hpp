#pragma once

#include <sys/uio.h>

#include <array>
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
/// the first must hold the whole BTH (12 bytes). IPv4 packets are taken to have DF set, 20
/// bytes of IP header.
std::uint32_t icrc(const Envelope& envelope, std::span<const iovec> parts);

/// Checks a received datagram (BTH ... ICRC). The ICRC covers IPv4's identification, which a UDP
/// socket does not show, so if it is not `envelope.identification` it is computed: the CRC is
/// linear, so the residue must lie in the image of 16 unknown bits, which leaves 16 of 32 bits of
/// redundancy. At most one identification fits. Returns it, or nothing if none fits: the packet is
/// damaged. (A caller who knows what its peer puts there can compare, and has all 32 bits again.)
/// For IPv6 returns `envelope.identification` or nothing. Thread-safe.
std::optional<std::uint16_t> verify_icrc(const Envelope& envelope,
                                         std::span<const std::byte> datagram);

// Polynomials over GF(2) modulo that of Ethernet's CRC-32, in which a CRC is a remainder.

/// Ethernet's polynomial, reflected: bit 31 is the coefficient of x^0, bit 0 that of x^31.
inline constexpr std::uint32_t kPolynomial = 0xedb88320;

constexpr std::uint32_t times_x(std::uint32_t value) {
  return value >> 1 ^ (kPolynomial & (0U - (value & 1U)));
}

constexpr std::uint32_t multiply(std::uint32_t left, std::uint32_t right) {
  std::uint32_t product = 0;
  for (unsigned power = 0; power < 32; ++power) {
    product ^= right & (0U - (left >> (31 - power) & 1U));
    right = times_x(right);
  }
  return product;
}

/// x to the power of -8 * 2^i, for every bit of a packet's size: 1 = x * x^-1 modulo the polynomial
/// gives x^-1, and squaring gives the rest.
inline constexpr std::array<std::uint32_t, 17> kInverseOfBytes = [] {
  constexpr std::uint32_t kOne = 1U << 31;
  std::uint32_t power = (kOne ^ kPolynomial) << 1 | 1U;
  for (int doubling = 0; doubling < 3; ++doubling) power = multiply(power, power);
  std::array<std::uint32_t, 17> inverses{};
  for (std::uint32_t& inverse : inverses) {
    inverse = power;
    power = multiply(power, power);
  }
  return inverses;
}();

/// x to the power of -8 * bytes.
constexpr std::uint32_t inverse_of_bytes(std::uint32_t bytes) {
  std::uint32_t product = 1U << 31;
  for (const std::uint32_t inverse : kInverseOfBytes) {
    if ((bytes & 1U) != 0) product = multiply(product, inverse);
    bytes >>= 1;
  }
  return product;
}

}  // namespace railgauge::softroce
