#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge::softroce {

/// An IP address as a RoCE GID has it: IPv6, or IPv4 mapped into ::ffff:0:0/96. Network order.
struct Address {
  std::array<std::uint8_t, 16> bytes{};
  bool operator==(const Address&) const = default;
};

/// As Linux has it (net.ipv4.ip_default_ttl).
inline constexpr std::uint8_t kDefaultHopLimit = 64;

bool is_ipv4(const Address& address);         ///< mapped
bool is_loopback(const Address& address);     ///< 127.0.0.0/8 or ::1
Address ipv4(std::uint32_t host_order);       ///< 0x7f400001 is 127.64.0.1
std::string to_text(const Address& address);  ///< "127.64.0.1", "fd00::1"
std::optional<Address> parse_address(
    std::string_view text);  ///< either form; nothing if it is neither

/// For bind() and sendmsg(): AF_INET or AF_INET6 as the address says. Returns the length used.
socklen_t to_sockaddr(const Address& address, std::uint16_t port, sockaddr_storage& out);
Address from_sockaddr(const sockaddr_storage& from);
std::uint16_t port_of(const sockaddr_storage& from);

}  // namespace railgauge::softroce
