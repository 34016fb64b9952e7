#include "softroce/faults/datagram.hpp"

namespace railgauge::softroce {
namespace {

// RFC 3168, section 5: the low two bits of the traffic class; 1 and 2 are ECT(1) and ECT(0).
constexpr std::uint8_t kEcnBits = 3;
constexpr std::uint8_t kNotEcnCapable = 0;
constexpr std::uint8_t kCongestionExperienced = 3;

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

}  // namespace railgauge::softroce
