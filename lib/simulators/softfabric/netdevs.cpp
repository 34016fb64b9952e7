#include "softfabric/netdevs.hpp"

#include <charconv>
#include <cstdio>

namespace railgauge::softfabric {

std::string switch_netdev(std::size_t link, End end) {
  return "sw" + std::to_string(link) + (end == End::a ? "a" : "b");
}

std::string mac_address(std::size_t link, End end) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "02:72:67:%02x:%02x:0%c",
                static_cast<unsigned>(link >> 8U) & 0xffU, static_cast<unsigned>(link) & 0xffU,
                end == End::a ? 'a' : 'b');
  return text.data();
}

std::array<std::byte, 6> mac_of(const std::string& text) {
  std::array<std::byte, 6> bytes{};
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    unsigned value = 0;
    std::from_chars(text.data() + 3 * at, text.data() + 3 * at + 2, value, 16);
    bytes[at] = static_cast<std::byte>(value);
  }
  return bytes;
}

}  // namespace railgauge::softfabric
