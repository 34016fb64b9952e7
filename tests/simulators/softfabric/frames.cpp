#include "softfabric/frames.hpp"

#include <array>
#include <cstring>
#include <span>

#include "softfabric/headers.hpp"
#include "softroce/wire/icrc.hpp"

namespace railgauge::softfabric {
namespace {

constexpr std::size_t kUdpAt = kEthernetBytes + kIpv4Bytes;
constexpr std::size_t kBthAt = kUdpAt + kUdpBytes;
constexpr std::size_t kPayloadAt = kBthAt + kBthBytes;

void write_ip(Frame& frame, const FrameOf& what) {
  std::byte* const ip = &frame[kEthernetBytes];
  ip[0] = std::byte{0x45};
  ip[1] = static_cast<std::byte>(what.dscp << 2U | what.ecn);
  write_16(ip + 2, static_cast<std::uint16_t>(frame.size() - kEthernetBytes));
  write_16(ip + 6, 0x4000);  // DF
  ip[8] = std::byte{what.ttl};
  ip[9] = std::byte{kUdp};
  write_32(ip + 12, what.source);
  write_32(ip + 16, what.destination);
  write_16(ip + 10, internet_checksum({ip, kIpv4Bytes}));
}

std::span<const std::byte> datagram_in(const Frame& frame) {
  return std::span(frame).subspan(kBthAt);
}

std::uint32_t icrc_in(const Frame& frame) {
  const softroce::Envelope envelope{
      .source = softroce::ipv4(read_32(&frame[kEthernetBytes + 12])),
      .destination = softroce::ipv4(read_32(&frame[kEthernetBytes + 16])),
      .source_port = read_16(&frame[kUdpAt]),
      .identification = read_16(&frame[kEthernetBytes + 4])};
  const auto datagram = datagram_in(frame);
  const iovec covered{const_cast<std::byte*>(datagram.data()), datagram.size() - kIcrcBytes};
  return softroce::icrc(envelope, {&covered, 1});
}

/// Over the pseudo-header too; 0 if the checksum in the segment is right.
std::uint16_t udp_checksum(const Frame& frame) {
  const std::span udp = std::span(frame).subspan(kUdpAt);
  std::vector<std::byte> covered(12);
  std::memcpy(covered.data(), &frame[kEthernetBytes + 12], 8);
  covered[9] = std::byte{kUdp};
  write_16(&covered[10], static_cast<std::uint16_t>(udp.size()));
  covered.insert(covered.end(), udp.begin(), udp.end());
  return internet_checksum(covered);
}

}  // namespace

Frame frame_of(const FrameOf& what) {
  Frame frame(kPayloadAt + what.payload_bytes + kIcrcBytes);
  write_16(&frame[12], 0x0800);
  write_ip(frame, what);
  std::byte* const udp = &frame[kUdpAt];
  write_16(udp, what.source_port);
  write_16(udp + 2, what.destination_port);
  write_16(udp + 4, static_cast<std::uint16_t>(frame.size() - kUdpAt));
  frame[kBthAt] = std::byte{what.opcode};
  write_16(&frame[kBthAt + 2], 0xffff);
  write_32(&frame[kBthAt + 4], what.queue_pair);
  if (what.payload_bytes >= 4) write_32(&frame[kPayloadAt], what.number);
  const std::uint32_t crc = icrc_in(frame);
  std::memcpy(&frame[frame.size() - kIcrcBytes], &crc, kIcrcBytes);
  if (what.udp_checksum) write_16(udp + 6, udp_checksum(frame));
  return frame;
}

std::uint32_t number_in(const Frame& frame) {
  return read_32(&frame[kPayloadAt]);
}

bool ip_checksum_is_right(const Frame& frame) {
  return internet_checksum(std::span(frame).subspan(kEthernetBytes, kIpv4Bytes)) == 0;
}

bool udp_checksum_is_right(const Frame& frame) {
  return read_16(&frame[kUdpAt + 6]) == 0 || udp_checksum(frame) == 0;
}

bool icrc_is_right(const Frame& frame) {
  std::uint32_t crc = 0;
  std::memcpy(&crc, &frame[frame.size() - kIcrcBytes], kIcrcBytes);
  return crc == icrc_in(frame);
}

}  // namespace railgauge::softfabric
