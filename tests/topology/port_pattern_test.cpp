#include "topology/rail_map.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::topology {
namespace {

bool matches(const char* pattern, const char* device, int port = 1) {
  return PortPattern(pattern).matches(device, port);
}

TEST(PortPattern, IsTheBeginningOfAName) {
  EXPECT_TRUE(matches("mlx5", "mlx5_0"));
  EXPECT_TRUE(matches("mlx5_1", "mlx5_10"));
  EXPECT_FALSE(matches("mlx5_1", "mlx5_0"));
  EXPECT_TRUE(matches("bnxt,mlx5_0", "mlx5_0"));
}

TEST(PortPattern, IsAWholeNameAfterEquals) {
  EXPECT_TRUE(matches("=mlx5_1,mlx5_2", "mlx5_2"));
  EXPECT_FALSE(matches("=mlx5_1,mlx5_2", "mlx5_10"));
}

TEST(PortPattern, IsAllOthersAfterACaret) {
  EXPECT_FALSE(matches("^mlx5_1", "mlx5_10"));
  EXPECT_TRUE(matches("^=mlx5_1", "mlx5_10"));
  EXPECT_FALSE(matches("^=mlx5_1,mlx5_10", "mlx5_10"));
}

TEST(PortPattern, MayNameAPort) {
  EXPECT_TRUE(matches("mlx5_0:2", "mlx5_0", 2));
  EXPECT_FALSE(matches("mlx5_0:2", "mlx5_0", 1));
  EXPECT_TRUE(matches("^mlx5_0:2", "mlx5_0", 1));
}

TEST(PortPattern, MaySayRailsAndPlanes) {
  EXPECT_TRUE(matches("=mlx5_0:1:0:0,mlx5_1:1:0:1", "mlx5_1"));
  EXPECT_FALSE(matches("=mlx5_0:1:0:0,mlx5_1:1:0:1", "mlx5_1", 2));
  EXPECT_TRUE(matches("=mlx5_0::0:1", "mlx5_0", 9));
  EXPECT_TRUE(PortPattern("mlx5_0:1:0").says_rails());
  EXPECT_FALSE(PortPattern("mlx5_0:1").says_rails());
}

/// As NCCL does: scripts that join names leave commas behind, and colons.
TEST(PortPattern, TakesEmptyPartsAsNotSaid) {
  EXPECT_EQ(PortPattern("mlx5_0,,mlx5_1,").names().size(), 2U);
  for (const char* text : {"mlx5_0", "mlx5_0:", "mlx5_0::", "mlx5_0:::"}) {
    EXPECT_EQ(parse_port_name(text), PortName{"mlx5_0"}) << text;
  }
  EXPECT_EQ(parse_port_name("mlx5_0::0:1"), (PortName{"mlx5_0", {}, 0, 1}));
  EXPECT_EQ(parse_port_name("mlx5_0:3:2"), (PortName{"mlx5_0", 3, 2}));
}

std::string refusal(const char* text) {
  try {
    PortPattern{text};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(PortPattern, SaysWhatItRefuses) {
  EXPECT_EQ(refusal("="), "'=' names no device");
  EXPECT_EQ(refusal(""), "'' names no device");
  EXPECT_EQ(refusal("^"), "'^' names no device");
  EXPECT_EQ(refusal(":1"), "':1' names no device");
  EXPECT_EQ(refusal("mlx5_0:0"), "'0' is not a port number");
  EXPECT_EQ(refusal("mlx5_0:one"), "'one' is not a port number");
  EXPECT_EQ(refusal("mlx5_0:1:-1"), "'-1' is not a rail number");
  EXPECT_EQ(refusal("mlx5_0:1:0:p1"), "'p1' is not a plane number");
  EXPECT_EQ(refusal("mlx5_0:1:0:1:2"),
            "'mlx5_0:1:0:1:2' has more than a device, a port, a rail and a plane");
  EXPECT_EQ(refusal("mlx5_0:1::1"), "'mlx5_0:1::1' says a plane, and not of which rail");
  EXPECT_EQ(refusal("mlx5_0:1:0,mlx5_1:1"),
            "'mlx5_0:1:0,mlx5_1:1' says the rails of some ports only");
  EXPECT_EQ(refusal("^mlx5_0:1:0"), "'^mlx5_0:1:0' says rails of ports that it leaves out (^)");
}

}  // namespace
}  // namespace railgauge::topology
