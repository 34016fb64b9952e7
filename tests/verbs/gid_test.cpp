#include "verbs/gid.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

namespace railgauge::verbs {
namespace {

Gid gid(const char* text) {
  Gid result{};
  const std::string address = text;
  const bool ipv4 = address.find(':') == std::string::npos;
  const std::string ipv6 = ipv4 ? "::ffff:" + address : address;
  EXPECT_EQ(inet_pton(AF_INET6, ipv6.c_str(), result.data()), 1) << text;
  return result;
}

GidEntry entry(int index, const char* address, GidType type, const char* netdev = "ens1f0np0") {
  return {.index = index, .gid = gid(address), .type = type, .netdev = netdev};
}

constexpr auto kV1 = GidType::roce_v1;
constexpr auto kV2 = GidType::roce_v2;

/// As a ConnectX shows it: every address twice, the VLAN's after the port's own.
const std::vector<GidEntry> kMlx5{entry(0, "fe80::ba3f:d2ff:fe01:203", kV1),
                                  entry(1, "fe80::ba3f:d2ff:fe01:203", kV2),
                                  entry(2, "10.1.0.7", kV1),
                                  entry(3, "10.1.0.7", kV2),
                                  entry(4, "fe80::ba3f:d2ff:fe01:203", kV1, "ens1f0np0.100"),
                                  entry(5, "fe80::ba3f:d2ff:fe01:203", kV2, "ens1f0np0.100"),
                                  entry(6, "10.100.0.7", kV1, "ens1f0np0.100"),
                                  entry(7, "10.100.0.7", kV2, "ens1f0np0.100")};

/// As rdma_rxe shows it.
const std::vector<GidEntry> kRxe{entry(0, "fe80::5054:ff:fe12:3456", kV2, "eth1"),
                                 entry(1, "10.10.0.1", kV2, "eth1")};

TEST(Gid, TextIsAQuadOrIpv6) {
  EXPECT_EQ(to_text(gid("10.1.0.7")), "10.1.0.7");
  EXPECT_EQ(to_text(gid("fe80::1")), "fe80::1");
  EXPECT_EQ(to_text(GidType::roce_v2), "RoCE v2");
}

TEST(Gid, LinkLocal) {
  EXPECT_TRUE(is_link_local(gid("fe80::1")));
  EXPECT_TRUE(is_link_local(gid("febf::1")));
  EXPECT_TRUE(is_link_local(gid("169.254.1.1")));
  EXPECT_FALSE(is_link_local(gid("fec0::1")));
  EXPECT_FALSE(is_link_local(gid("169.253.1.1")));
}

TEST(ChooseGid, Mlx5TakesTheIpv4OfRoceV2) {
  const GidChoice choice = choose_gid(kMlx5);
  ASSERT_TRUE(choice.entry);
  EXPECT_EQ(choice.entry->index, 3);
  EXPECT_TRUE(choice.reason.empty());
}

TEST(ChooseGid, RxeTakesTheIpv4) {
  EXPECT_EQ(choose_gid(kRxe).entry->index, 1);
}

TEST(ChooseGid, OrderInTheTableDoesNotMatter) {
  // The VLAN was configured first, so that the usual "index 3" would be another network's v1.
  std::vector<GidEntry> table(kMlx5.rbegin(), kMlx5.rend());
  EXPECT_EQ(choose_gid(table).entry->index, 3);
  for (GidEntry& moved : table) moved.index = 7 - moved.index;
  EXPECT_EQ(to_text(choose_gid(table).entry->gid), "10.100.0.7");
}

TEST(ChooseGid, Ipv4GoesBeforeGlobalIpv6EvenLaterInTheTable) {
  const std::vector<GidEntry> table{entry(0, "fd00::7", kV2), entry(9, "10.1.0.7", kV2)};
  EXPECT_EQ(choose_gid(table).entry->index, 9);
}

TEST(ChooseGid, GlobalIpv6WhenThereIsNoIpv4) {
  const std::vector<GidEntry> table{entry(0, "fe80::7", kV2), entry(1, "fd00::7", kV1),
                                    entry(2, "fd00::7", kV2)};
  EXPECT_EQ(choose_gid(table).entry->index, 2);
}

TEST(ChooseGid, Ipv4OfOneLinkIsTheLastToBeTaken) {
  std::vector<GidEntry> table{entry(0, "fe80::7", kV2), entry(1, "169.254.3.7", kV1),
                              entry(2, "169.254.3.7", kV2)};
  EXPECT_EQ(choose_gid(table).entry->index, 2);
  table.push_back(entry(3, "fd00::7", kV2));
  EXPECT_EQ(choose_gid(table).entry->index, 3);
}

TEST(ChooseGid, LinkLocalOnlyIsRefusedWithWhatThereIs) {
  const std::vector<GidEntry> table{entry(0, "fe80::7", kV1), entry(1, "fe80::7", kV2)};
  const GidChoice choice = choose_gid(table);
  EXPECT_FALSE(choice.entry);
  EXPECT_EQ(choice.reason,
            "it has no routable RoCE v2 GID, only 0: fe80::7 (RoCE v1), 1: fe80::7 (RoCE v2); give "
            "its network interface an IP address");
}

TEST(ChooseGid, RoceV1OnlyIsRefused) {
  const std::vector<GidEntry> table{entry(2, "10.1.0.7", kV1)};
  EXPECT_EQ(choose_gid(table).reason,
            "it has no routable RoCE v2 GID, only 2: 10.1.0.7 (RoCE v1); give its network "
            "interface an IP address");
}

TEST(ChooseGid, EmptyTable) {
  EXPECT_EQ(choose_gid({}).reason, "it has no GID; give its network interface an IP address");
  EXPECT_FALSE(choose_gid({}, 3).entry);
}

TEST(ChooseGid, ExplicitIndexIsTakenWhenItIsRoceV2) {
  EXPECT_EQ(choose_gid(kMlx5, 7).entry->index, 7);
  EXPECT_EQ(choose_gid(kMlx5, 1).entry->index, 1);  // link-local, on the user's word
}

TEST(ChooseGid, ExplicitIndexIsValidated) {
  const GidChoice version1 = choose_gid(kMlx5, 2);
  EXPECT_FALSE(version1.entry);
  EXPECT_TRUE(version1.reason.starts_with("GID index 2 is RoCE v1, not RoCE v2; it has 0: fe80::"));
  EXPECT_TRUE(choose_gid(kRxe, 3).reason.starts_with("GID index 3 is empty; it has 0: fe80::"));
}

}  // namespace
}  // namespace railgauge::verbs
