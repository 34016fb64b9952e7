#include "softroce/device/gid_table.hpp"

#include <gtest/gtest.h>

namespace railgauge::softroce {
namespace {

Address at(const char* text) {
  return parse_address(text).value();
}

TEST(GidTable, ProgramsThatNameAnIndexFindRoceV2ThereAndMostTheAddress) {
  const GidTable table = gid_table(at("127.64.0.1"));
  for (const std::size_t index : {0U, 1U, 3U})
    EXPECT_EQ(table.at(index).type, GidType::roce_v2) << index;
  for (const std::size_t index : {0U, 2U, 3U})
    EXPECT_EQ(table.at(index).address, at("127.64.0.1")) << index;
  EXPECT_EQ(table[1].address, at("fe80::5efe:7f40:1"));
  EXPECT_EQ(table[2].type, GidType::roce_v1);
}

TEST(GidTable, AnAddressIsReadFromItsLinkLocalGid) {
  for (const char* address : {"127.64.0.1", "10.1.255.254", "0.0.0.0", "255.255.255.255"}) {
    EXPECT_NE(link_local(at(address)), at(address));
    EXPECT_EQ(address_of(link_local(at(address))), at(address));
  }
}

TEST(GidTable, AllOtherGidsAreAddressesThemselves) {
  for (const char* gid : {"10.1.0.1", "fd00::1", "fe80::1", "fe80::200:5efe:7f40:1",
                          "fe80::202:c9ff:fe12:3456", "fe80:1::5efe:7f40:1"}) {
    EXPECT_EQ(address_of(at(gid)), at(gid));
  }
}

TEST(GidTable, AnIpv6AddressIsInAllPlaces) {
  for (const Gid& gid : gid_table(at("fd00::1"))) EXPECT_EQ(gid.address, at("fd00::1"));
}

}  // namespace
}  // namespace railgauge::softroce
