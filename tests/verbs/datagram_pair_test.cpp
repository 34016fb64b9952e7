#include "verbs/datagram_pair.hpp"

#include <gtest/gtest.h>

#include <array>

namespace railgauge::verbs {
namespace {

using Header = std::array<std::byte, kRouteHeaderBytes>;

/// Behind 20 bytes in which devices leave what they like.
Header ipv4(std::uint8_t traffic_class) {
  Header header{};
  header.fill(std::byte{0x6f});
  header[20] = std::byte{0x45};
  header[21] = std::byte{traffic_class};
  return header;
}

Header ipv6(std::uint8_t traffic_class) {
  Header header{};
  header[0] = std::byte{static_cast<std::uint8_t>(0x60U | (traffic_class >> 4U))};
  header[1] = std::byte{static_cast<std::uint8_t>(((traffic_class & 0xfU) << 4U) | 0x7U)};
  return header;
}

TEST(DatagramPair, ShowsTheTrafficClassOfEveryHeader) {
  for (const int number : {0, 1, 104, 106, 184, 255}) {
    const auto traffic_class = static_cast<std::uint8_t>(number);
    EXPECT_EQ(traffic_class_in(ipv4(traffic_class), true), traffic_class);
    EXPECT_EQ(traffic_class_in(ipv6(traffic_class), false), traffic_class);
  }
}

TEST(DatagramPair, ShowsNothingWhereNoHeaderIs) {
  EXPECT_FALSE(traffic_class_in(Header{}, true));
  EXPECT_FALSE(traffic_class_in(Header{}, false));
  EXPECT_FALSE(traffic_class_in(ipv6(104), true));
  const Header whole = ipv4(104);
  EXPECT_FALSE(traffic_class_in(std::span(whole).first(kRouteHeaderBytes - 1), true));
}

}  // namespace
}  // namespace railgauge::verbs
