#include "verbs/port.hpp"

#include <gtest/gtest.h>

namespace railgauge::verbs {
namespace {

const Port kGood{.device = "mlx5_0", .state = "active", .link_layer = "Ethernet"};

TEST(WhyUnusable, NothingIsWrong) {
  EXPECT_EQ(why_unusable(kGood, ""), "");
}

TEST(WhyUnusable, LinkLayerComesFirst) {
  Port port = kGood;
  port.link_layer = "InfiniBand";
  port.state = "down";
  EXPECT_EQ(why_unusable(port, "no GID"),
            "its link layer is InfiniBand, not Ethernet: only RoCE v2 is measured");
}

TEST(WhyUnusable, DownIsMoreThanAMissingGid) {
  Port port = kGood;
  port.state = "down";
  EXPECT_EQ(why_unusable(port, "no GID"),
            "it is down, not active: look at cable, switch port and `ip link`");
}

TEST(WhyUnusable, MissingGidKeepsItsReason) {
  EXPECT_EQ(why_unusable(kGood, "it has no GID"), "it has no GID");
}

TEST(IsSoftware, IsWhatHasNoVendorOrSaysSo) {
  EXPECT_TRUE(is_software(0xffffff, "0.0.0"));  // rdma_rxe
  EXPECT_TRUE(is_software(0, "softroce 0.1.0"));
  EXPECT_FALSE(is_software(0x02c9, "22.36.1010"));  // mlx5
  EXPECT_FALSE(is_software(0, ""));                 // a driver that tells nothing
}

TEST(HasShortcut, IsReadFromTheFirmware) {
  Port port = kGood;
  port.firmware = "softroce 0.1.0";
  EXPECT_FALSE(port.has_shortcut());
  port.firmware = "softroce 0.1.0 shortcut";
  EXPECT_TRUE(port.has_shortcut());
}

TEST(FindPorts, NeverThrowsWhateverTheKernelHas) {
  EXPECT_NO_THROW(find_ports());
  for (const Port& port : find_ports(250)) EXPECT_FALSE(port.usable()) << port.device;
}

TEST(ExplainNoUsablePort, SaysWhatWasLookedAtAndWhyEachIsUnusable) {
  Port down = kGood;
  down.unusable = "it is down";
  Port second = kGood;
  second.number = 2;
  second.unusable = "it has no GID";
  const std::string text = explain_no_usable_port(std::vector{down, second});
  EXPECT_TRUE(text.starts_with("no usable RDMA port. Looked at: libibverbs lists")) << text;
  EXPECT_TRUE(
      text.ends_with("\n  mlx5_0 port 1: it is down"
                     "\n  mlx5_0 port 2: it has no GID"))
      << text;
}

TEST(Port, WithoutGidItHasNeitherAddressNorInterface) {
  EXPECT_EQ(kGood.address(), "");
  EXPECT_EQ(kGood.netdev(), "");
}

// Width codes of the kernel's enum ib_port_width.
constexpr int k1x = 1;
constexpr int k2x = 16;
constexpr int k4x = 2;
constexpr int k8x = 4;

TEST(Link, SpeedIsLaneSpeedTimesLanes) {
  EXPECT_DOUBLE_EQ(link_gbps(1, k1x), 2.5);     // SDR: software RoCE on a virtual interface
  EXPECT_DOUBLE_EQ(link_gbps(8, k4x), 41.25);   // FDR10
  EXPECT_DOUBLE_EQ(link_gbps(16, k4x), 56.25);  // FDR
  EXPECT_DOUBLE_EQ(link_gbps(32, k1x), 25);     // EDR: 25GbE
  EXPECT_DOUBLE_EQ(link_gbps(32, k4x), 100);    // 100GbE
  EXPECT_DOUBLE_EQ(link_gbps(64, k4x), 200);    // HDR
  EXPECT_DOUBLE_EQ(link_gbps(128, k4x), 400);   // NDR
  EXPECT_DOUBLE_EQ(link_gbps(128, k2x), 200);   // NDR200
  EXPECT_DOUBLE_EQ(link_gbps(128, k8x), 800);   // two NDR ports as one
  EXPECT_DOUBLE_EQ(link_gbps(256, k4x), 800);   // XDR
}

TEST(Link, UnknownCodesAreZero) {
  EXPECT_EQ(link_gbps(3, k4x), 0);
  EXPECT_EQ(link_gbps(128, 3), 0);
  EXPECT_EQ(link_gbps(0, 0), 0);
}

TEST(Link, SpeedFromSysfs) {
  EXPECT_DOUBLE_EQ(link_gbps("400 Gb/sec (4X NDR)"), 400);
  EXPECT_DOUBLE_EQ(link_gbps("2.5 Gb/sec (1X SDR)"), 2.5);
  EXPECT_EQ(link_gbps(""), 0);
  EXPECT_EQ(link_gbps("400"), 0);
  EXPECT_EQ(link_gbps("fast Gb/sec"), 0);
}

TEST(Link, MtuCodesAndBytes) {
  for (const int bytes : {256, 512, 1024, 2048, 4096}) EXPECT_EQ(mtu_bytes(mtu_code(bytes)), bytes);
  EXPECT_EQ(mtu_bytes(static_cast<ibv_mtu>(0)), 0);
  EXPECT_EQ(mtu_bytes(static_cast<ibv_mtu>(6)), 0);
}

TEST(Link, MtuCodeIsTheLargestThatFits) {
  EXPECT_EQ(mtu_code(1500), IBV_MTU_1024);
  EXPECT_EQ(mtu_code(4095), IBV_MTU_2048);
  EXPECT_EQ(mtu_code(9000), IBV_MTU_4096);
  EXPECT_EQ(mtu_code(1), IBV_MTU_256);
}

TEST(Link, States) {
  EXPECT_EQ(words(IBV_PORT_ACTIVE), "active");
  EXPECT_EQ(words(IBV_PORT_DOWN), "down");
  EXPECT_EQ(link_layer_words(IBV_LINK_LAYER_ETHERNET), "Ethernet");
  EXPECT_EQ(link_layer_words(IBV_LINK_LAYER_INFINIBAND), "InfiniBand");
  EXPECT_EQ(link_layer_words(77), "unspecified");
}

}  // namespace
}  // namespace railgauge::verbs
