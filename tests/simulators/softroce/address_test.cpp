#include "softroce/wire/address.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <cstring>

namespace railgauge::softroce {
namespace {

TEST(Address, Ipv4IsMapped) {
  const Address address = ipv4(0x7f400001);
  const Address expected{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 64, 0, 1}};
  EXPECT_EQ(address, expected);
  EXPECT_TRUE(is_ipv4(address));
  EXPECT_EQ(to_text(address), "127.64.0.1");
  EXPECT_EQ(parse_address("127.64.0.1"), address);
  EXPECT_EQ(parse_address("::ffff:127.64.0.1"), address);
}

TEST(Address, Ipv6) {
  const auto address = parse_address("FD00:0::1");
  ASSERT_TRUE(address);
  EXPECT_FALSE(is_ipv4(*address));
  EXPECT_EQ(to_text(*address), "fd00::1");
  EXPECT_FALSE(is_ipv4(*parse_address("::fffe:127.64.0.1")));
  EXPECT_FALSE(is_ipv4(*parse_address("1::ffff:127.64.0.1")));
}

TEST(Address, WhatIsNoAddressIsRefused) {
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {""sv, "1.2.3"sv, "1.2.3.256"sv, "localhost"sv, " 1.2.3.4"sv, "1.2.3.4\0x"sv, "fe80::1%lo"sv,
        "fd00:::1"sv, "01.2.3.4.5"sv}) {
    EXPECT_FALSE(parse_address(text)) << text;
  }
}

TEST(Address, Ipv4SocketAddress) {
  sockaddr_storage storage{};
  ASSERT_EQ(to_sockaddr(ipv4(0xc0000201), 4791, storage), sizeof(sockaddr_in));
  sockaddr_in in{};
  std::memcpy(&in, &storage, sizeof in);
  EXPECT_EQ(in.sin_family, AF_INET);
  EXPECT_EQ(ntohs(in.sin_port), 4791);
  EXPECT_EQ(ntohl(in.sin_addr.s_addr), 0xc0000201U);
  EXPECT_EQ(from_sockaddr(storage), ipv4(0xc0000201));
  EXPECT_EQ(port_of(storage), 4791);
}

TEST(Address, Ipv6SocketAddress) {
  const Address address = parse_address("2001:db8::ff").value();
  sockaddr_storage storage{};
  ASSERT_EQ(to_sockaddr(address, 49152, storage), sizeof(sockaddr_in6));
  sockaddr_in6 in6{};
  std::memcpy(&in6, &storage, sizeof in6);
  EXPECT_EQ(in6.sin6_family, AF_INET6);
  EXPECT_EQ(ntohs(in6.sin6_port), 49152);
  EXPECT_EQ(from_sockaddr(storage), address);
  EXPECT_EQ(port_of(storage), 49152);
}

TEST(Address, ASocketAddressOfAnotherFamilyIsNone) {
  sockaddr_storage storage{};
  std::memset(&storage, 0x55, sizeof storage);
  storage.ss_family = AF_UNIX;
  EXPECT_EQ(from_sockaddr(storage), Address{});
  EXPECT_EQ(port_of(storage), 0);
}

TEST(Address, LoopbackIsAWholeNetworkOfIpv4AndOneAddressOfIpv6) {
  for (const char* text : {"127.0.0.1", "127.64.0.1", "127.255.255.255", "::1"}) {
    EXPECT_TRUE(is_loopback(*parse_address(text))) << text;
  }
  for (const char* text : {"128.0.0.1", "10.127.0.1", "::", "::2", "7f00::1"}) {
    EXPECT_FALSE(is_loopback(*parse_address(text))) << text;
  }
}

}  // namespace
}  // namespace railgauge::softroce
