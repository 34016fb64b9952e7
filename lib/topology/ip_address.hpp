#pragma once

// lib/topology holds a host as it is: its ports, which rail each of them is on, whether all hosts
// agree, and where ranks belong. It must not know verbs, connections, or what will be run.

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace railgauge::topology {

/// An IPv4 or IPv6 address as a number, so that two spellings of one address are equal. IPv4 is
/// held as its IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2), which is also how RoCE v2 writes it in
/// a GID.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a literal zero in every <=>
  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;
};

/// Reads "10.10.0.1" or "fd00::1"; empty if the text is neither.
std::optional<IpAddress> parse_ip_address(const std::string& text);

/// From the four bytes of an IPv4 address in network order.
IpAddress ipv4_address(const std::array<std::uint8_t, 4>& bytes);

/// "10.10.0.1" for IPv4 and IPv4-mapped, else IPv6 as RFC 5952 writes it.
std::string to_string(const IpAddress& address);

bool is_ipv4(const IpAddress& address);

/// 127/8 or ::1: of a host's own loopback interface, never on a wire (RFC 1122, 3.2.1.3; RFC 4291,
/// 2.5.3).
bool is_loopback(const IpAddress& address);

/// Bits of an address of this family: 32 or 128.
int address_bits(const IpAddress& address);

/// The address with all but the first `prefix_length` bits cleared. The prefix is counted in the
/// address's own family: 24 keeps 10.10.0 of 10.10.0.1.
IpAddress network_of(const IpAddress& address, int prefix_length);

/// The address with all but the first `prefix_length` bits set, counted likewise.
IpAddress broadcast_of(const IpAddress& address, int prefix_length);

/// An address of a network device, and its subnet's prefix length: 24 for 10.10.0.1/24.
struct NetAddress {
  std::string netdev{};
  IpAddress address{};
  int prefix_length = 0;
};

/// All addresses of this host's network devices, in the kernel's order. Throws std::system_error if
/// the kernel's list of addresses cannot be read.
std::vector<NetAddress> addresses_here();

/// The prefix length of the subnet that this host has `address` in: 24 for 10.10.0.1/24. Empty if
/// no network device of this host has that address. Throws as addresses_here() does.
std::optional<int> prefix_length_of(const IpAddress& address);

}  // namespace railgauge::topology
