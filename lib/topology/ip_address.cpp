#include "topology/ip_address.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

namespace railgauge::topology {
namespace {

constexpr std::array<std::uint8_t, 12> kIpv4Mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr int kMappedBits = 96;

}  // namespace

std::optional<IpAddress> parse_ip_address(const std::string& text) {
  IpAddress address;
  if (inet_pton(AF_INET6, text.c_str(), address.bytes.data()) == 1) return address;
  std::array<std::uint8_t, 4> ipv4{};
  if (inet_pton(AF_INET, text.c_str(), ipv4.data()) == 1) return ipv4_address(ipv4);
  return std::nullopt;
}

IpAddress ipv4_address(const std::array<std::uint8_t, 4>& bytes) {
  IpAddress address;
  const auto mapped = std::ranges::copy(kIpv4Mapped, address.bytes.begin()).out;
  std::ranges::copy(bytes, mapped);
  return address;
}

std::string to_string(const IpAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (is_ipv4(address)) {
    inet_ntop(AF_INET, address.bytes.data() + kIpv4Mapped.size(), text.data(), text.size());
  } else {
    inet_ntop(AF_INET6, address.bytes.data(), text.data(), text.size());
  }
  return text.data();
}

bool is_ipv4(const IpAddress& address) {
  return std::equal(kIpv4Mapped.begin(), kIpv4Mapped.end(), address.bytes.begin());
}

bool is_loopback(const IpAddress& address) {
  constexpr std::uint8_t kLoopbackNetwork = 127;
  if (is_ipv4(address)) return address.bytes[kIpv4Mapped.size()] == kLoopbackNetwork;
  IpAddress loopback;
  loopback.bytes.back() = 1;
  return address == loopback;
}

int address_bits(const IpAddress& address) {
  return is_ipv4(address) ? 32 : 128;
}

namespace {

/// The bits of each byte that are not in the prefix.
IpAddress host_bits(const IpAddress& address, int prefix_length) {
  const int kept = is_ipv4(address) ? kMappedBits + prefix_length : prefix_length;
  IpAddress bits;
  for (int byte = 0; byte < 16; ++byte) {
    const int of_prefix = std::clamp(kept - byte * 8, 0, 8);
    bits.bytes[static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(0xffU >> of_prefix);
  }
  return bits;
}

}  // namespace

IpAddress network_of(const IpAddress& address, int prefix_length) {
  const IpAddress bits = host_bits(address, prefix_length);
  IpAddress network = address;
  for (std::size_t i = 0; i < bits.bytes.size(); ++i)
    network.bytes[i] &= static_cast<std::uint8_t>(~bits.bytes[i]);
  return network;
}

IpAddress broadcast_of(const IpAddress& address, int prefix_length) {
  const IpAddress bits = host_bits(address, prefix_length);
  IpAddress broadcast = address;
  for (std::size_t i = 0; i < bits.bytes.size(); ++i) broadcast.bytes[i] |= bits.bytes[i];
  return broadcast;
}

namespace {

/// The address in an entry of the kernel's list. A mask is held like an address. Empty if it is
/// neither IPv4 nor IPv6: the list also has every device's hardware address.
std::optional<IpAddress> ip_of(const sockaddr* entry) {
  if (entry == nullptr) return std::nullopt;
  if (entry->sa_family == AF_INET) {
    sockaddr_in socket{};
    std::memcpy(&socket, entry, sizeof socket);
    return ipv4_address(std::bit_cast<std::array<std::uint8_t, 4>>(socket.sin_addr.s_addr));
  }
  if (entry->sa_family == AF_INET6) {
    sockaddr_in6 socket{};
    std::memcpy(&socket, entry, sizeof socket);
    return IpAddress{std::to_array(socket.sin6_addr.s6_addr)};
  }
  return std::nullopt;
}

int leading_ones(const IpAddress& mask) {
  int ones = 0;
  for (const std::uint8_t byte : mask.bytes) ones += std::popcount(byte);
  return ones;
}

}  // namespace

std::vector<NetAddress> addresses_here() {
  ifaddrs* listed = nullptr;
  if (::getifaddrs(&listed) != 0) {
    throw std::system_error(errno, std::generic_category(),
                            "cannot list this host's addresses: getifaddrs");
  }
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(listed, &::freeifaddrs);
  std::vector<NetAddress> addresses;
  for (const ifaddrs* entry = listed; entry != nullptr; entry = entry->ifa_next) {
    const auto address = ip_of(entry->ifa_addr);
    const auto mask = ip_of(entry->ifa_netmask);
    if (!address || !mask) continue;
    // An IPv4 mask comes as an IPv4-mapped address: without its own bits, ::ffff:0.0.0.0 has 16.
    const int in_prefix = is_ipv4(*address) ? leading_ones(ipv4_address({})) : 0;
    addresses.push_back({entry->ifa_name, *address, leading_ones(*mask) - in_prefix});
  }
  return addresses;
}

std::optional<int> prefix_length_of(const IpAddress& address) {
  for (const NetAddress& one : addresses_here()) {
    if (one.address == address) return one.prefix_length;
  }
  return std::nullopt;
}

}  // namespace railgauge::topology
