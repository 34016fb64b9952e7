#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace railgauge::softfabric {

inline constexpr std::size_t kEthernetBytes = 14;
inline constexpr std::size_t kIpv4Bytes = 20;  ///< without options
inline constexpr std::size_t kUdpBytes = 8;
inline constexpr std::size_t kBthBytes = 12;
inline constexpr std::size_t kIcrcBytes = 4;
inline constexpr std::uint8_t kIcmp = 1;
inline constexpr std::uint8_t kUdp = 17;
inline constexpr std::uint16_t kRocePort = 4791;

/// What ECN's two bits say (RFC 3168).
enum class Ecn : std::uint8_t { not_capable = 0, capable_1 = 1, capable_0 = 2, congested = 3 };

/// What a switch reads of a frame. Addresses and ports are numbers in the host's byte order.
struct Headers {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint16_t source_port = 0;  ///< of UDP and TCP; 0 in fragments but the first, and elsewhere
  std::uint16_t destination_port = 0;
  std::uint16_t ip_bytes = 0;  ///< the IP packet's length
  std::uint16_t ip_header_bytes = 0;
  std::uint8_t protocol = 0;
  std::uint8_t dscp = 0;
  Ecn ecn = Ecn::not_capable;
  std::uint8_t ttl = 0;
  bool roce = false;             ///< UDP to port 4791 that holds a BTH and an ICRC
  std::uint8_t opcode = 0;       ///< of the BTH
  std::uint32_t queue_pair = 0;  ///< the destination's number, of the BTH
};

/// Reads Ethernet, IPv4, UDP or TCP ports, and BTH. Nothing for what a switch does not forward:
/// other protocols than IPv4, and packets that contradict themselves.
std::optional<Headers> parse(std::span<const std::byte> frame);

/// EtherType, in a frame of at least 14 bytes.
std::uint16_t ether_type(std::span<const std::byte> frame);

// What a switch writes. Both frame and headers change; IPv4's checksum follows (RFC 1624), so what
// was right stays right, and what was wrong stays wrong.

void decrement_ttl(std::span<std::byte> frame, Headers& headers);
void set_ecn(std::span<std::byte> frame, Headers& headers, Ecn ecn);
void set_dscp(std::span<std::byte> frame, Headers& headers, std::uint8_t dscp);

/// The two MAC addresses, six bytes each.
void set_mac_addresses(std::span<std::byte> frame, const std::byte* destination,
                       const std::byte* source);

/// The Internet checksum of some bytes (RFC 1071), as it stands in a header.
std::uint16_t internet_checksum(std::span<const std::byte> bytes);

/// A checksum after a 16-bit word under it has changed (RFC 1624).
std::uint16_t updated_checksum(std::uint16_t checksum, std::uint16_t before, std::uint16_t after);

// Numbers as they stand in packets: big-endian.
std::uint16_t read_16(const std::byte* at);
std::uint32_t read_32(const std::byte* at);
void write_16(std::byte* at, std::uint16_t value);
void write_32(std::byte* at, std::uint32_t value);

}  // namespace railgauge::softfabric
