#include "topology/gpu.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

Gpu gpu_below(std::vector<std::string> bridges, int node) {
  return {
      .address = "0000:1b:00.0", .bridges = std::move(bridges), .locality = {.numa_node = node}};
}

Nearness of(const Gpu& gpu, const std::vector<std::string>& bridges, int node) {
  return nearness(gpu, {.address = "0000:17:00.0", .bridges = bridges}, {.numa_node = node});
}

TEST(Gpu, IsNearestToWhatIsBelowItsRootPort) {
  const Gpu gpu = gpu_below({"0000:15:01.0", "0000:16:00.0"}, 0);
  EXPECT_EQ(of(gpu, {"0000:15:01.0", "0000:16:01.0"}, 0), Nearness::same_switch);
  EXPECT_EQ(of(gpu, {"0000:26:01.0"}, 0), Nearness::same_root);
  EXPECT_EQ(of(gpu, {"0000:26:01.0"}, 1), Nearness::across);
}

TEST(Gpu, IsNowhereKnownIfTheHostDoesNotTell) {
  EXPECT_EQ(of(gpu_below({}, -1), {}, 0), Nearness::unknown);
  EXPECT_EQ(of(gpu_below({}, 0), {}, -1), Nearness::unknown);
  EXPECT_EQ(of(gpu_below({}, 0), {}, 0), Nearness::same_root) << "without bridges there is a node";
}

TEST(Gpu, HasWords) {
  EXPECT_EQ(word(Nearness::same_switch), "same switch");
  EXPECT_EQ(word(Nearness::unknown), "not known");
}

}  // namespace
}  // namespace railgauge::topology
