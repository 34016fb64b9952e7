#include "topology/cpu_set.hpp"

#include <gtest/gtest.h>

#include <string>

namespace railgauge::topology {
namespace {

using Counts = std::vector<int>;

/// "0,8 | 1 core | 1 cpus", one for each share.
std::string line_of(const std::vector<CpuShare>& shares) {
  std::string text;
  for (const CpuShare& one : shares) {
    text += (text.empty() ? "" : " | ") + cpu_list(one.cpus) + (one.core_shared ? " core" : "") +
            (one.cpus_shared ? " cpus" : "");
  }
  return text;
}

TEST(Distributed, IsEvenAndSpacedOut) {
  EXPECT_EQ(distributed(2, {4, 4, 4, 4}), (Counts{1, 0, 1, 0}));
  EXPECT_EQ(distributed(6, {4, 4, 4, 4}), (Counts{2, 1, 2, 1}));
  EXPECT_EQ(distributed(0, {4}), Counts{0});
}

TEST(Distributed, FillsNoPlaceWhileAnotherHasRoom) {
  EXPECT_EQ(distributed(7, {1, 6}), (Counts{1, 6}));
  EXPECT_EQ(distributed(4, {0, 2, 9}), (Counts{0, 1, 3}));
  EXPECT_EQ(distributed(8, {2, 2}), (Counts{4, 4}));  // there is no room at all
}

TEST(CpuShares, AreOfWholeCoresIfThereAreEnough) {
  const std::vector<CpuSet> cores{{0, 8}, {1, 9}, {2, 10}, {3, 11}};
  EXPECT_EQ(line_of(shares_of(cores, 1)), "0-3,8-11");
  EXPECT_EQ(line_of(shares_of(cores, 3)), "0,8 | 1,9 | 2-3,10-11");
}

TEST(CpuShares, AreOfHardwareThreadsIfThereAreEnough) {
  const std::vector<CpuSet> cores{{0, 8}, {1, 9}};
  EXPECT_EQ(line_of(shares_of(cores, 3)), "0 core | 8 core | 1,9");
  EXPECT_EQ(line_of(shares_of({{0}, {1, 9}}, 3)), "0 | 1 core | 9 core");
}

TEST(CpuShares, OverlapOtherwise) {
  EXPECT_EQ(line_of(shares_of({{0}, {1}}, 3)), "0 core cpus | 0 core cpus | 1");
  EXPECT_EQ(line_of(shares_of({{0, 8}}, 3)), "0 core cpus | 0 core cpus | 8 core");
}

}  // namespace
}  // namespace railgauge::topology
