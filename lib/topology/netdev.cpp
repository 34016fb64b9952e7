#include "topology/netdev.hpp"

#include <ifaddrs.h>
#include <netinet/in.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

namespace railgauge::topology {
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
