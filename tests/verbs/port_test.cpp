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

}  // namespace
}  // namespace railgauge::verbs
