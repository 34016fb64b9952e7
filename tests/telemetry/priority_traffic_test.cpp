#include "telemetry/priority_traffic.hpp"

#include <gtest/gtest.h>

#include <string>

namespace railgauge::telemetry {
namespace {

/// Of a driver that calls them so, with # for the priority.
Counters counted(const std::string& name, const std::vector<std::uint64_t>& values) {
  Counters counters{{"rx_prio3_pause", 4}, {"rx_bytes_phy", 9}};
  for (std::size_t i = 0; i < values.size(); ++i)
    counters[std::string(name).replace(name.find('#'), 1, std::to_string(i))] = values[i];
  return counters;
}

/// Between the two readings, of a test of 10 MB.
std::optional<int> carried(const std::string& name, const std::vector<std::uint64_t>& before,
                           const std::vector<std::uint64_t>& after,
                           const std::string& direction = "rx") {
  return priority_of(priority_traffic_in(counted(name, before), direction),
                     priority_traffic_in(counted(name, after), direction), 10'000'000);
}

constexpr std::uint64_t kTest = 10'600'000;  // with headers
const std::vector<std::uint64_t> kNone(8);

TEST(PriorityTraffic, IsInTheOneThatMoved) {
  const std::vector<std::uint64_t> before{6'211'318'150'440, 0, 0, 77, 0, 0, 12, 0};
  std::vector<std::uint64_t> after = before;
  after[0] += 90'000;  // ssh, MPI
  after[3] += kTest;
  after[6] += 800;  // CNPs
  EXPECT_EQ(carried("rx_prio#_bytes", before, after), 3);
  EXPECT_EQ(carried("rx_bytes_pri#", before, after), 3);
  EXPECT_EQ(carried("tx_bytes_pri#", before, after, "tx"), 3);
  EXPECT_EQ(carried("rx_prio#_bytes", before, after, "tx"), std::nullopt);
}

TEST(PriorityTraffic, FramesCountAsPacketsOfTheLargestPathMtu) {
  EXPECT_EQ(carried("frames_rx_pri_#", kNone, {12, 0, 0, 2500, 0, 0, 0, 0}), 3);
  EXPECT_EQ(carried("frames_rx_pri_#", kNone, {0, 0, 0, 25, 0, 0, 0, 0}), std::nullopt);
}

TEST(PriorityTraffic, IsNotKnownWhereNoneHasNearlyAll) {
  // A queue that several priorities share counts for each of them.
  EXPECT_EQ(carried("rx_bytes_pri#", kNone, {kTest, kTest, kTest, 0, kTest, 0, 0, 0}),
            std::nullopt);
  EXPECT_EQ(carried("rx_prio#_bytes", kNone, {5'300'000, 0, 0, 5'300'000, 0, 0, 0, 0}),
            std::nullopt);
}

TEST(PriorityTraffic, IsNotKnownOfATestThatIsLittleOfWhatWasCarried) {
  EXPECT_EQ(carried("rx_prio#_bytes", kNone, {10 * kTest, 0, 0, kTest / 10, 0, 0, 0, 0}),
            std::nullopt);
}

/// As of a virtual function, or counters that do not see RDMA.
TEST(PriorityTraffic, IsNotKnownOfCountersThatAreNotThereOrDoNotMove) {
  EXPECT_EQ(carried("rx_prio#_bytes", kNone, kNone), std::nullopt);
  EXPECT_EQ(carried("rx_prio#_bytes", kNone, {0, 0, 0, 4000, 0, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(carried("rx_prio#_bytes", {}, {}), std::nullopt);
  EXPECT_EQ(carried("rx_prio#_bytes", {}, kNone), std::nullopt);
  EXPECT_EQ(carried("rx_prio#_bytes", {1, 2, 3}, {1, 2, kTest}), std::nullopt);
  EXPECT_EQ(carried("rx_prio_#_bytes", kNone, {0, 0, 0, kTest, 0, 0, 0, 0}), std::nullopt);
}

TEST(PriorityTraffic, IsNotKnownAfterAReset) {
  EXPECT_EQ(carried("rx_prio#_bytes", {500, 0, 0, 1, 0, 0, 0, 0}, {0, 0, 0, kTest, 0, 0, 0, 0}),
            std::nullopt);
}

TEST(PriorityTraffic, OfNoBytesNothingIsKnown) {
  EXPECT_EQ(priority_of({.by_priority = kNone}, {.by_priority = kNone}, 0), std::nullopt);
}

TEST(PriorityTraffic, OnlyBroadcomsIsLate) {
  EXPECT_GT(priority_traffic_in(counted("rx_bytes_pri#", kNone), "rx").age,
            std::chrono::seconds(1));
  EXPECT_EQ(priority_traffic_in(counted("rx_prio#_bytes", kNone), "rx").age.count(), 0);
}

TEST(PriorityTraffic, APortThatIsNotThereCountsNothing) {
  EXPECT_TRUE(read_priority_counters("no-device", 1, "no-netdev").empty());
}

}  // namespace
}  // namespace railgauge::telemetry
