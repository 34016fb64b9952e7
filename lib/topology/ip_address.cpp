#include "topology/ip_address.hpp"

#include <arpa/inet.h>

#include <algorithm>

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

IpAddress network_of(const IpAddress& address, int prefix_length) {
  const int kept = is_ipv4(address) ? kMappedBits + prefix_length : prefix_length;
  IpAddress network = address;
  for (int bit = kept; bit < 128; ++bit) {
    const auto in_byte = static_cast<unsigned>(bit % 8);
    network.bytes[static_cast<std::size_t>(bit / 8)] &=
        static_cast<std::uint8_t>(~(0x80U >> in_byte));
  }
  return network;
}

}  // namespace railgauge::topology
