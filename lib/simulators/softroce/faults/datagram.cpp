#include "softroce/faults/datagram.hpp"

#include <array>
#include <span>

#include "softroce/wire/icrc.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {
namespace {

// RFC 3168, section 5: the low two bits of the traffic class; 1 and 2 are ECT(1) and ECT(0).
constexpr std::uint8_t kEcnBits = 3;
constexpr std::uint8_t kNotEcnCapable = 0;
constexpr std::uint8_t kCongestionExperienced = 3;

/// Over everything but the ICRC itself, under an arbitrary envelope: only differences matter, and
/// no envelope changes those, because the CRC is linear.
std::uint32_t crc_of(std::span<std::byte> packet) {
  const std::array<iovec, 1> parts{{{packet.data(), packet.size()}}};
  return icrc({}, parts);
}

}  // namespace

std::size_t ip_packet_bytes(const Datagram& datagram) {
  return datagram.bytes.size() + (is_ipv4(datagram.destination) ? 28 : 48);
}

bool mark_congestion(Datagram& datagram) {
  const unsigned ecn = datagram.traffic_class & kEcnBits;
  if (ecn == kNotEcnCapable || ecn == kCongestionExperienced) return false;
  datagram.traffic_class |= kCongestionExperienced;
  return true;
}

bool flip_bit(Datagram& datagram, std::uint64_t number) {
  if (datagram.bytes.empty()) return false;
  const std::uint64_t bit = number % (datagram.bytes.size() * 8);
  datagram.bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  return true;
}

bool corrupt_payload(Datagram& datagram, std::uint64_t number) {
  if (datagram.bytes.size() <= kIcrcBytes) return false;
  const std::span packet = std::span(datagram.bytes).first(datagram.bytes.size() - kIcrcBytes);
  const auto parsed = parse(packet);
  if (!parsed || parsed->payload.empty()) return false;
  const auto begin = static_cast<std::size_t>(parsed->payload.data() - packet.data());
  const std::uint64_t bit = number % (parsed->payload.size() * 8);
  std::uint32_t change = crc_of(packet);
  packet[begin + bit / 8] ^= std::byte{1} << (bit % 8);
  change ^= crc_of(packet);
  for (std::size_t i = 0; i < kIcrcBytes; ++i) {
    datagram.bytes[packet.size() + i] ^= static_cast<std::byte>(change >> (8 * i));
  }
  return true;
}

}  // namespace railgauge::softroce
