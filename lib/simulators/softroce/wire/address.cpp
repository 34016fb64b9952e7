#include "softroce/wire/address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace railgauge::softroce {
namespace {

// RFC 4291, section 2.5.5.2: IPv4 addresses as IPv6 ones, which is also how RoCEv2 GIDs hold them
// (annex A17.4.5.2).
constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

Address mapped(const void* network_order) {
  Address address;
  std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), address.bytes.begin());
  std::memcpy(address.bytes.data() + kMappedPrefix.size(), network_order, 4);
  return address;
}

const std::uint8_t* ipv4_bytes(const Address& address) {
  return address.bytes.data() + kMappedPrefix.size();
}

}  // namespace

bool is_ipv4(const Address& address) {
  return std::memcmp(address.bytes.data(), kMappedPrefix.data(), kMappedPrefix.size()) == 0;
}

bool is_loopback(const Address& address) {
  constexpr Address kLoopback6{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
  return address == kLoopback6 || (is_ipv4(address) && *ipv4_bytes(address) == 127);
}

Address ipv4(std::uint32_t host_order) {
  const std::uint32_t network_order = htonl(host_order);
  return mapped(&network_order);
}

std::string to_text(const Address& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (is_ipv4(address)) {
    inet_ntop(AF_INET, ipv4_bytes(address), text.data(), text.size());
  } else {
    inet_ntop(AF_INET6, address.bytes.data(), text.data(), text.size());
  }
  return text.data();
}

std::optional<Address> parse_address(std::string_view text) {
  // inet_pton() would stop at a zero byte and take what stands before it.
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string terminated(text);
  in_addr four{};
  if (inet_pton(AF_INET, terminated.c_str(), &four) == 1) return mapped(&four);
  Address address;
  if (inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

socklen_t to_sockaddr(const Address& address, std::uint16_t port, sockaddr_storage& out) {
  out = {};
  if (is_ipv4(address)) {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    std::memcpy(&four.sin_addr, ipv4_bytes(address), sizeof four.sin_addr);
    std::memcpy(&out, &four, sizeof four);
    return sizeof four;
  }
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  std::memcpy(&six.sin6_addr, address.bytes.data(), address.bytes.size());
  std::memcpy(&out, &six, sizeof six);
  return sizeof six;
}

Address from_sockaddr(const sockaddr_storage& from) {
  if (from.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &from, sizeof four);
    return mapped(&four.sin_addr);
  }
  Address address;
  if (from.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &from, sizeof six);
    std::memcpy(address.bytes.data(), &six.sin6_addr, address.bytes.size());
  }
  return address;
}

std::uint16_t port_of(const sockaddr_storage& from) {
  sockaddr_in6 either{};  // sin_port and sin6_port are at the same place, and zero means neither
  if (from.ss_family == AF_INET || from.ss_family == AF_INET6) {
    std::memcpy(&either, &from, sizeof either);
  }
  return ntohs(either.sin6_port);
}

}  // namespace railgauge::softroce
