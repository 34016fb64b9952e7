#include "soak/header.hpp"

#include <gtest/gtest.h>

#include "soak/sample_record.hpp"

namespace railgauge::soak {
namespace {

TEST(HeaderTest, TheSameFabricGoesOn) {
  Header now = sample_header();
  now.run = "another";
  now.ranks[0].pid = 4711;
  now.duration_s = 7200;
  now.boots["host0"] = "new";
  EXPECT_EQ(difference(sample_header(), now), "");
}

TEST(HeaderTest, ASwappedHostIsNamed) {
  Header now = sample_header();
  now.ranks[2].host = now.ranks[3].host = "host9";
  EXPECT_EQ(difference(sample_header(), now),
            "host9 has taken the place of host1, which had rank 2, 3: a record is of one fabric");
}

TEST(HeaderTest, HostsInAnotherOrderAreNoOtherHosts) {
  Header now = sample_header();
  now.ranks[0].host = now.ranks[1].host = "host1";
  now.ranks[2].host = now.ranks[3].host = "host0";
  EXPECT_EQ(difference(sample_header(), now),
            "rank 0 is on host1, and in the record on host0: give mpirun the hosts in the record's "
            "order");
}

TEST(HeaderTest, AnotherPortIsAnotherFabric) {
  Header now = sample_header();
  now.ranks[1].rails[1].device = "mlx5_7";
  EXPECT_EQ(
      difference(sample_header(), now),
      "of rank 1 (host0) rail 1 plane 0 mlx5_7 port 1 10.1.0.1 of 400 Gb/s is new: the record "
      "has rail 1 plane 0 mlx5_1 port 1 10.1.0.1 of 400 Gb/s");
}

TEST(HeaderTest, SoftwareDevicesMayHaveOtherAddresses) {
  Header recorded = sample_header();
  for (auto& rank : recorded.ranks) {
    for (auto& rail : rank.rails) rail.kind = results::DeviceKind::software;
  }
  Header now = recorded;
  now.ranks[0].rails[0].address = "127.64.0.9";
  EXPECT_EQ(difference(recorded, now), "");
}

TEST(HeaderTest, AnotherNumberOfRanksIsToldWithBoth) {
  Header now = sample_header();
  now.ranks.pop_back();
  EXPECT_EQ(difference(sample_header(), now), "the number of ranks is 3, and the record's is 4");
}

TEST(HeaderTest, AnotherPlanWindowOrLoadIsAnotherSoak) {
  Header now = sample_header();
  now.window_s = 60;
  EXPECT_EQ(difference(sample_header(), now), "--window is 60 s, and the record's is 1 s");
  now = sample_header();
  now.load_percent = 100;
  EXPECT_EQ(difference(sample_header(), now), "--load is 100 %, and the record's is 80 %");
  now = sample_header();
  now.plan[1].size_bytes = 1 << 20;
  EXPECT_EQ(difference(sample_header(), now),
            "phase 2 of the plan is alltoall 1M, pairwise, rails 0+1, and the record's is alltoall "
            "64K, pairwise, rails 0+1");
}

TEST(HeaderTest, OptionsThatShapeTheLoadHaveToBeTheSame) {
  Header recorded = sample_header();
  recorded.options["traffic-class"] = {std::uint64_t{104}};
  recorded.options["output_file"] = {std::string("a.json")};
  Header now = recorded;
  now.options["output_file"] = {std::string("b.json")};
  EXPECT_EQ(difference(recorded, now), "");
  now.options["traffic-class"] = {std::uint64_t{0}};
  EXPECT_EQ(difference(recorded, now), "--traffic-class is 0, and the record's is 104");
}

}  // namespace
}  // namespace railgauge::soak
