#include "topology/cpu_set.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

const CpuSet kNone;

TEST(ThreadPlaces, AreNearTheNicsWhereThatTellsThemFromTheRank) {
  const CpuSet own{0, 1, 2, 3};
  const std::vector<CpuSet> near{{0, 1, 8}, {2, 3, 9}};
  EXPECT_EQ(thread_places(own, near), (std::vector<CpuSet>{{0, 1}, {2, 3}}));
}

TEST(ThreadPlaces, AreTheRanksWhereAllNicsAreNear) {
  EXPECT_EQ(thread_places({0, 1}, {{0, 1, 2}, {0, 1, 2}}), (std::vector<CpuSet>{kNone, kNone}));
}

TEST(ThreadPlaces, AreTheRanksWhereNoNearCpuMayBeUsedOrNoneIsKnown) {
  EXPECT_EQ(thread_places({0, 1}, {{4, 5}, {}}), (std::vector<CpuSet>{kNone, kNone}));
}

TEST(ThreadPlaces, AreTheRanksWhereNearCpusAreTooFewForAllThreads) {
  const CpuSet own{0, 1, 2, 3};
  EXPECT_EQ(thread_places(own, {{0}, {0}, {1, 2, 3}}),
            (std::vector<CpuSet>{kNone, kNone, {1, 2, 3}}));
  EXPECT_EQ(thread_places(own, {{0, 1}, {0, 1}, {1, 2, 3}}),
            (std::vector<CpuSet>{{0, 1}, {0, 1}, {1, 2, 3}}));
}

TEST(CoresOf, CountsACoreOnce) {
  const std::vector<CpuSet> cores{{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  EXPECT_EQ(cores_of({0, 4, 1}, cores), 2U);
  EXPECT_EQ(cores_of({0, 4, 1}, {}), 3U);
  EXPECT_EQ(cores_of({}, cores), 0U);
}

TEST(ShareOfCores, IsOfThoseThatOthersMayUseToo) {
  const std::vector<CpuSet> cores{{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const CpuSet all{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(share_of_cores(0, {all}, cores), 4U);
  EXPECT_EQ(share_of_cores(0, {all, all}, cores), 2U);
  EXPECT_EQ(share_of_cores(1, {all, all, all}, cores), 1U);
  EXPECT_EQ(share_of_cores(0, {all, all, all, all, all}, cores), 0U);
  EXPECT_EQ(share_of_cores(1, {{0, 1, 4, 5}, {2, 3, 6, 7}}, cores), 2U);
}

}  // namespace
}  // namespace railgauge::topology
