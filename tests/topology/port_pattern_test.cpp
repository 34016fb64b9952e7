#include "topology/port_pattern.hpp"

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

TEST(PortPattern, IsNotMadeOfAnythingElse) {
  for (const char* text : {"", "^", "=", "mlx5_0,", ",mlx5_0", ":1", "mlx5_0:", "mlx5_0:0",
                           "mlx5_0:one", "mlx5_0:1:2"}) {
    EXPECT_THROW(PortPattern{text}, std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace railgauge::topology
