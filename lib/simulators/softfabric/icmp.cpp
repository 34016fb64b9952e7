#include "softfabric/icmp.hpp"

#include <algorithm>
#include <cstring>

#include "softfabric/headers.hpp"

namespace railgauge::softfabric {
namespace {

constexpr std::size_t kIcmpBytes = 8;
constexpr std::size_t kLongestPacket = 576;  // of the IP packet
constexpr std::byte kTimeExceeded{11};
constexpr std::byte kInternetworkControl{0xc0};  // RFC 1812, 4.3.2.5
constexpr std::byte kTtl{64};

void write_ip(std::span<std::byte> ip, std::uint32_t from, std::uint32_t to) {
  std::ranges::fill(ip.first(kIpv4Bytes), std::byte{});
  ip[0] = std::byte{0x45};
  ip[1] = kInternetworkControl;
  write_16(&ip[2], static_cast<std::uint16_t>(ip.size()));
  ip[8] = kTtl;
  ip[9] = std::byte{kIcmp};
  write_32(&ip[12], from);
  write_32(&ip[16], to);
  write_16(&ip[10], internet_checksum(ip.first(kIpv4Bytes)));
}

}  // namespace

std::size_t write_time_exceeded(std::span<const std::byte> expired, std::uint32_t from,
                                std::span<std::byte> room) {
  const auto packet = expired.subspan(kEthernetBytes);
  const std::size_t quoted = std::min<std::size_t>(
      {packet.size(), read_16(&packet[2]), kLongestPacket - kIpv4Bytes - kIcmpBytes});
  const std::size_t bytes = kIpv4Bytes + kIcmpBytes + quoted;
  std::memcpy(room.data(), expired.data(), kEthernetBytes);
  const auto ip = room.subspan(kEthernetBytes, bytes);
  write_ip(ip, from, read_32(&packet[12]));
  const auto icmp = ip.subspan(kIpv4Bytes);
  std::ranges::fill(icmp.first(kIcmpBytes), std::byte{});
  icmp[0] = kTimeExceeded;
  std::memcpy(&icmp[kIcmpBytes], packet.data(), quoted);
  write_16(&icmp[2], internet_checksum(icmp));
  return kEthernetBytes + bytes;
}

}  // namespace railgauge::softfabric
