#include <gtest/gtest.h>

#include <algorithm>

#include "doctor/hosts.hpp"
#include "doctor/text.hpp"

namespace railgauge::doctor {
namespace {

/// Many hosts of 8 NICs are one screen: what is alike is told once.
TEST(Scale, ManyHostsAreOneScreen) {
  auto hosts = fleet(machine("mlx5"), 256, 8);
  hosts[200].files["bus/pci/devices/0000:14:00.0/current_link_width"] = "8";
  hosts[201].files["proc/sys/kernel/osrelease"] = "6.5.0";
  for (std::size_t i = 0; i < 90; ++i) hosts[i].files["class/net/eth5/mtu"] = "4500";
  const Examination found = examined(std::move(hosts));
  const std::string text = as_text(found);
  EXPECT_LE(std::ranges::count(text, '\n'), 60) << text;
  EXPECT_NE(text.find("node201 mlx5_3"), std::string::npos) << text;
  EXPECT_NE(text.find("node202: kernel is 6.5.0"), std::string::npos) << text;
  EXPECT_EQ(found.ports, 2048U);
}

}  // namespace
}  // namespace railgauge::doctor
