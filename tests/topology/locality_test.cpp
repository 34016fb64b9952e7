#include "topology/locality.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

std::vector<NumaNode> two_nodes() {
  return {{.number = 0, .cpus = {0, 1}}, {.number = 1, .cpus = {2, 3}}};
}

TEST(Locality, OfOneMindNeedsNoRemark) {
  const Locality place = locate({1, {2, 3}, HwlocPlace{{1}, {2, 3}}}, two_nodes());
  EXPECT_EQ(place.numa_node, 1);
  EXPECT_EQ(place.cpus, (CpuSet{2, 3}));
  EXPECT_EQ(place.remark, "");
}

TEST(Locality, GoesBySysfsWhereHwlocNamesAnotherNode) {
  const Locality place = locate({1, {2, 3}, HwlocPlace{{0}, {0, 1}}}, two_nodes());
  EXPECT_EQ(place.numa_node, 1);
  EXPECT_EQ(place.remark,
            "hwloc puts it beside NUMA node 0, sysfs beside NUMA node 1: sysfs counts, the driver "
            "allocates by it");
}

TEST(Locality, GoesByTheNodeAndNotByTheListOfCpus) {
  const Locality place = locate({1, {0, 1}, {}}, two_nodes());
  EXPECT_EQ(place.cpus, (CpuSet{2, 3}));
  EXPECT_EQ(place.remark, "local_cpulist is 0-1, and not 2-3 of NUMA node 1: the node counts");
}

TEST(Locality, OfANodeWithoutCpusIsByTheList) {
  auto nodes = two_nodes();
  nodes.push_back({.number = 2});
  const Locality place = locate({2, {2, 3}, {}}, nodes);
  EXPECT_EQ(place.numa_node, 2);
  EXPECT_EQ(place.cpus, (CpuSet{2, 3}));
  EXPECT_EQ(place.remark, "NUMA node 2 has no cpus: those of local_cpulist count");
}

TEST(Locality, IsHwlocsWhereSysfsDoesNotKnow) {
  const Locality place = locate({-1, {0, 1, 2, 3}, HwlocPlace{{1}, {2, 3}}}, two_nodes());
  EXPECT_EQ(place.numa_node, 1);
  EXPECT_EQ(place.remark, "sysfs says numa_node -1: hwloc's answer counts, NUMA node 1");
}

TEST(Locality, IsByTheListWhereNobodyNamesANode) {
  const Locality place = locate({-1, {0, 1}, HwlocPlace{{0, 1}, {0, 1, 2, 3}}}, two_nodes());
  EXPECT_EQ(place.numa_node, 0);
  EXPECT_EQ(place.remark, "sysfs says numa_node -1: local_cpulist is that of NUMA node 0");
}

TEST(Locality, IsTheOnlyNode) {
  const Locality place = locate({-1, {}, {}}, {{.number = 0, .cpus = {0, 1}}});
  EXPECT_EQ(place.numa_node, 0);
  EXPECT_EQ(place.cpus, (CpuSet{0, 1}));
}

TEST(Locality, MayBeUnknown) {
  const Locality place = locate({-1, {0, 1, 2, 3}, HwlocPlace{{0, 1}, {}}}, two_nodes());
  EXPECT_EQ(place.numa_node, -1);
  EXPECT_EQ(place.cpus, (CpuSet{0, 1, 2, 3}));
  EXPECT_EQ(place.remark, "sysfs says numa_node -1: where it is, is not known");
}

TEST(Locality, InANodeThatIsNotShownIsUnknown) {
  const Locality place = locate({5, {40, 41}, {}}, two_nodes());
  EXPECT_EQ(place.numa_node, -1);
  EXPECT_EQ(place.cpus, (CpuSet{0, 1, 2, 3}));
  EXPECT_NE(place.remark.find("NUMA node 5, which this host does not show"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::topology
