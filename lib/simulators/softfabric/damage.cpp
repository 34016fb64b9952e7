#include "softfabric/damage.hpp"

#include <array>

namespace railgauge::softfabric {
namespace {

/// Bits 0 to 31 by the BTH's operation: which have an extended header (InfiniBand volume 1, table
/// 38).
constexpr std::uint32_t bits(std::initializer_list<unsigned> operations) {
  std::uint32_t all = 0;
  for (const unsigned operation : operations) all |= 1U << operation;
  return all;
}
constexpr std::uint32_t kRemoteAddress = bits({0x06, 0x0a, 0x0b});    // RETH, 16 bytes
constexpr std::uint32_t kAcknowledge = bits({0x0d, 0x0f, 0x10});      // AETH, 4
constexpr std::uint32_t kImmediate = bits({0x03, 0x05, 0x09, 0x0b});  // ImmDt, 4
constexpr std::uint32_t kInvalidate = bits({0x16, 0x17});             // IETH, 4
constexpr std::uint32_t kNoPayload = bits({0x0c, 0x11, 0x12, 0x13, 0x14, 0x15});
constexpr unsigned kDatagram = 3;    // the service with a DETH, 8 bytes
constexpr unsigned kCongestion = 4;  // notifications have no payload

std::size_t extended_header_bytes(unsigned opcode) {
  const std::uint32_t bit = 1U << (opcode & 0x1fU);
  const auto when = [bit](std::uint32_t set, std::size_t bytes) { return (set & bit) ? bytes : 0; };
  return when(kRemoteAddress, 16) + when(kAcknowledge, 4) + when(kImmediate, 4) +
         when(kInvalidate, 4) + (opcode >> 5U == kDatagram ? 8 : 0);
}

/// From the UDP header to the end of the IP packet.
std::span<std::byte> datagram_of(std::span<std::byte> frame, const Headers& headers) {
  return frame.subspan(kEthernetBytes + headers.ip_header_bytes,
                       std::size_t{headers.ip_bytes} - headers.ip_header_bytes);
}

struct Part {
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

/// The RDMA payload within a UDP datagram.
Part payload_of(std::span<const std::byte> datagram, const Headers& headers) {
  const bool none = (kNoPayload >> (headers.opcode & 0x1fU) & 1U) != 0;
  if (!headers.roce || none || headers.opcode >> 5U >= kCongestion) return {};
  const std::size_t padding = std::to_integer<unsigned>(datagram[kUdpBytes + 1]) >> 4U & 3U;
  const std::size_t begin = kUdpBytes + kBthBytes + extended_header_bytes(headers.opcode);
  const std::size_t behind = kIcrcBytes + padding;
  if (begin + behind >= datagram.size()) return {};
  return {begin, datagram.size() - behind - begin};
}

/// Flips a bit of `part` and returns where its byte is.
std::size_t flip(std::span<std::byte> datagram, Part part, std::uint64_t number) {
  const std::size_t at = part.begin + number / 8 % part.bytes;
  datagram[at] ^= std::byte{1} << (number % 8);
  return at;
}

/// UDP's checksum after one byte has changed; 0 says that there is none, so 0 is written as ones.
void match_checksum(std::span<std::byte> datagram, std::size_t at, std::byte difference) {
  std::byte* const checksum = datagram.data() + 6;
  if (read_16(checksum) == 0) return;
  const bool high = at % 2 == 0;
  const auto now =
      static_cast<std::uint16_t>(std::to_integer<unsigned>(datagram[at]) << (high ? 8U : 0U));
  const auto changed =
      static_cast<std::uint16_t>(std::to_integer<unsigned>(difference) << (high ? 8U : 0U));
  const auto before = static_cast<std::uint16_t>(now ^ changed);
  const std::uint16_t updated = updated_checksum(read_16(checksum), before, now);
  write_16(checksum, updated == 0 ? 0xffff : updated);
}

constexpr std::uint32_t kPolynomial = 0xedb88320;  // Ethernet's CRC-32, reflected

constexpr auto kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1U ^ ((value & 1U) ? kPolynomial : 0U);
    table[byte] = value;
  }
  return table;
}();

/// How the CRC changes with a byte that is followed by so many others: it is linear, so neither
/// these nor what is in front of it matter.
std::uint32_t crc_difference(std::byte difference, std::size_t following) {
  std::uint32_t crc = kCrcTable[std::to_integer<std::size_t>(difference)];
  for (; following > 0; --following) crc = crc >> 8U ^ kCrcTable[crc & 0xffU];
  return crc;
}

}  // namespace

bool corrupt(std::span<std::byte> frame, const Headers& headers, std::uint64_t number) {
  const auto datagram = datagram_of(frame, headers);
  const std::size_t begin = headers.roce ? kUdpBytes : 0;
  if (begin >= datagram.size()) return false;
  if (!headers.roce) {
    flip(datagram, {begin, datagram.size() - begin}, number);
    return true;
  }
  // The ICRC does not cover the byte with FECN and BECN, the fifth of the BTH.
  const Part covered{begin + 5, datagram.size() - begin - 5};
  match_checksum(datagram, flip(datagram, covered, number), std::byte{1} << (number % 8));
  return true;
}

bool corrupt_payload(std::span<std::byte> frame, const Headers& headers, std::uint64_t number) {
  const auto datagram = datagram_of(frame, headers);
  const Part payload = payload_of(datagram, headers);
  if (payload.bytes == 0) return false;
  const std::byte bit = std::byte{1} << (number % 8);
  const std::size_t at = flip(datagram, payload, number);
  match_checksum(datagram, at, bit);
  const std::size_t icrc = datagram.size() - kIcrcBytes;
  const std::uint32_t change = crc_difference(bit, icrc - at - 1);
  for (std::size_t i = 0; i < kIcrcBytes; ++i) {
    const auto part = static_cast<std::byte>(change >> (8 * i));
    datagram[icrc + i] ^= part;
    match_checksum(datagram, icrc + i, part);
  }
  return true;
}

}  // namespace railgauge::softfabric
