#include "softfabric/headers.hpp"

#include <cstring>

namespace railgauge::softfabric {
namespace {

constexpr std::uint16_t kEtherTypeIpv4 = 0x0800;
constexpr std::uint8_t kTcp = 6;
constexpr std::uint16_t kFragmentOffset = 0x1fff;
constexpr std::uint32_t kQueuePairBits = 0xffffff;
constexpr std::size_t kMacBytes = 6;
// Within the IPv4 header.
constexpr std::size_t kTosAt = 1;
constexpr std::size_t kTtlAt = 8;
constexpr std::size_t kChecksumAt = 10;

std::uint8_t byte_at(std::span<const std::byte> bytes, std::size_t at) {
  return std::to_integer<std::uint8_t>(bytes[at]);
}

void read_bth(std::span<const std::byte> datagram, Headers& headers) {
  headers.roce = headers.destination_port == kRocePort &&
                 datagram.size() >= kUdpBytes + kBthBytes + kIcrcBytes;
  if (!headers.roce) return;
  headers.opcode = byte_at(datagram, kUdpBytes);
  headers.queue_pair = read_32(datagram.data() + kUdpBytes + 4) & kQueuePairBits;
}

void read_ports(std::span<const std::byte> segment, Headers& headers) {
  const bool has_ports = headers.protocol == kUdp || headers.protocol == kTcp;
  if (!has_ports || segment.size() < kUdpBytes) return;
  headers.source_port = read_16(segment.data());
  headers.destination_port = read_16(segment.data() + 2);
  if (headers.protocol == kUdp) read_bth(segment, headers);
}

Headers read_ip(std::span<const std::byte> packet) {
  Headers headers;
  headers.ip_header_bytes = static_cast<std::uint16_t>(4 * (byte_at(packet, 0) & 0x0fU));
  headers.ip_bytes = read_16(packet.data() + 2);
  headers.dscp = static_cast<std::uint8_t>(byte_at(packet, kTosAt) >> 2U);
  headers.ecn = static_cast<Ecn>(byte_at(packet, kTosAt) & 3U);
  headers.ttl = byte_at(packet, kTtlAt);
  headers.protocol = byte_at(packet, 9);
  headers.source = read_32(packet.data() + 12);
  headers.destination = read_32(packet.data() + 16);
  return headers;
}

/// Changes the aligned word of the IPv4 header that holds a byte.
void change_byte(std::span<std::byte> frame, std::size_t at, std::uint8_t value) {
  std::byte* const ip = frame.data() + kEthernetBytes;
  std::byte* const word = ip + at / 2 * 2;
  const std::uint16_t before = read_16(word);
  ip[at] = std::byte{value};
  write_16(ip + kChecksumAt, updated_checksum(read_16(ip + kChecksumAt), before, read_16(word)));
}

void write_traffic_class(std::span<std::byte> frame, const Headers& headers) {
  const unsigned tos = unsigned{headers.dscp} << 2U | static_cast<unsigned>(headers.ecn);
  change_byte(frame, kTosAt, static_cast<std::uint8_t>(tos));
}

}  // namespace

std::optional<Headers> parse(std::span<const std::byte> frame) {
  std::optional<Headers> headers;
  if (frame.size() < kEthernetBytes + kIpv4Bytes) return headers;
  const auto packet = frame.subspan(kEthernetBytes);
  if (ether_type(frame) != kEtherTypeIpv4 || byte_at(packet, 0) >> 4U != 4) return headers;
  const Headers read = read_ip(packet);
  if (read.ip_header_bytes < kIpv4Bytes || read.ip_bytes < read.ip_header_bytes) return headers;
  if (read.ip_bytes > packet.size()) return headers;
  headers = read;
  if ((read_16(packet.data() + 6) & kFragmentOffset) == 0) {
    read_ports(packet.first(read.ip_bytes).subspan(read.ip_header_bytes), *headers);
  }
  return headers;
}

std::uint16_t ether_type(std::span<const std::byte> frame) {
  return read_16(frame.data() + 12);
}

void decrement_ttl(std::span<std::byte> frame, Headers& headers) {
  --headers.ttl;
  change_byte(frame, kTtlAt, headers.ttl);
}

void set_ecn(std::span<std::byte> frame, Headers& headers, Ecn ecn) {
  headers.ecn = ecn;
  write_traffic_class(frame, headers);
}

void set_dscp(std::span<std::byte> frame, Headers& headers, std::uint8_t dscp) {
  headers.dscp = dscp;
  write_traffic_class(frame, headers);
}

void set_mac_addresses(std::span<std::byte> frame, const std::byte* destination,
                       const std::byte* source) {
  std::memcpy(frame.data(), destination, kMacBytes);
  std::memcpy(frame.data() + kMacBytes, source, kMacBytes);
}

std::uint16_t internet_checksum(std::span<const std::byte> bytes) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) sum += read_16(bytes.data() + at);
  if (bytes.size() % 2 != 0) sum += std::uint32_t{byte_at(bytes, bytes.size() - 1)} << 8U;
  while (sum > 0xffff) sum = (sum & 0xffffU) + (sum >> 16U);
  return static_cast<std::uint16_t>(~sum);
}

std::uint16_t updated_checksum(std::uint16_t checksum, std::uint16_t before, std::uint16_t after) {
  std::uint32_t sum = (~checksum & 0xffffU) + (~before & 0xffffU) + after;
  while (sum > 0xffff) sum = (sum & 0xffffU) + (sum >> 16U);
  return static_cast<std::uint16_t>(~sum);
}

std::uint16_t read_16(const std::byte* at) {
  std::uint16_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return __builtin_bswap16(value);
}

std::uint32_t read_32(const std::byte* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return __builtin_bswap32(value);
}

void write_16(std::byte* at, std::uint16_t value) {
  value = __builtin_bswap16(value);
  std::memcpy(at, &value, sizeof value);
}

void write_32(std::byte* at, std::uint32_t value) {
  value = __builtin_bswap32(value);
  std::memcpy(at, &value, sizeof value);
}

}  // namespace railgauge::softfabric
