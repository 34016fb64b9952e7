#include "flow/near_memory.hpp"

#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace railgauge::flow {
namespace {

class NumaNodeTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(sysfs_); }

  std::optional<unsigned> of(const std::string& text) const {
    std::filesystem::create_directories(sysfs_ / "mlx5_0/device");
    std::ofstream(sysfs_ / "mlx5_0/device/numa_node") << text;
    return numa_node_of("mlx5_0", sysfs_);
  }

  std::filesystem::path sysfs_ =
      ::testing::TempDir() + "numa_node_test." + std::to_string(getpid());
};

TEST_F(NumaNodeTest, IsWhatTheKernelSays) {
  EXPECT_EQ(of("1\n"), 1U);
  EXPECT_EQ(of("0\n"), 0U);
  EXPECT_EQ(of("-1\n"), std::nullopt);
  EXPECT_EQ(of(""), std::nullopt);
  EXPECT_EQ(numa_node_of("mlx5_1", sysfs_), std::nullopt);
}

/// The policy of its pages, and the first node of it.
std::array<unsigned long, 2> policy_of(const NearMemory& memory) {
  int mode = 0;
  std::array<unsigned long, 16> nodes{};
  const long error = syscall(SYS_get_mempolicy, &mode, nodes.data(), nodes.size() * 64,
                             memory.bytes().data(), MPOL_F_ADDR);
  if (error != 0) return {MPOL_MAX, 0};
  return {static_cast<unsigned long>(mode), nodes[0]};
}

TEST(NearMemory, IsOnItsNode) {
  const std::array<unsigned long, 2> preferred{MPOL_PREFERRED, 1};
  const auto policy = policy_of(NearMemory(12345, 0U));
  if (policy != preferred) GTEST_SKIP() << "the kernel lets nobody choose a NUMA node here";
  EXPECT_EQ(policy_of(NearMemory(12345, {}))[0], static_cast<unsigned long>(MPOL_DEFAULT));
}

/// On a node that there is not, too.
TEST(NearMemory, IsZeroedWhereverItIs) {
  for (const std::optional<unsigned> node : {std::optional<unsigned>(), {0U}, {700U}, {5000U}}) {
    const NearMemory memory(12345, node);
    EXPECT_EQ(memory.bytes().size(), 12345U);
    EXPECT_TRUE(
        std::ranges::all_of(memory.bytes(), [](std::byte one) { return one == std::byte{}; }));
  }
}

}  // namespace
}  // namespace railgauge::flow
