#include <gtest/gtest.h>

#include "soak/simulated_soak.hpp"
#include "soak/watcher.hpp"

namespace railgauge::soak {
namespace {

/// A fabric and a window of it that nothing is wrong with.
class WatcherCounters : public ::testing::Test {
 protected:
  std::vector<Event> events() { return watcher_.take(window_); }
  PortSample& port(int host, int rail) { return soak_.port(window_, host, rail); }
  void next() { window_ = soak_.window(); }

  SimulatedSoak soak_{quiet_hardware(), 1};
  Watcher watcher_{soak_.header()};
  Window window_{soak_.window()};
};

TEST_F(WatcherCounters, TellTheWholeOfALoss) {
  port(2, 0).moved["packet_seq_err"] = 2;
  port(3, 0).moved["out_of_sequence"] = 3;
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].text,
            "packet loss: 3 packets from host2 mlx5_0 (rail 0) did not arrive at host3 mlx5_0 "
            "(rail 0) (out_of_sequence 3)");
  EXPECT_EQ(all[0].device, "mlx5_0");
  EXPECT_EQ(all[0].counters, (std::map<std::string, std::int64_t>{{"out_of_sequence", 3}}));
  EXPECT_EQ(all[0].when, window_.start);
}

TEST_F(WatcherCounters, BlameThePortThatAllSendersLoseTo) {
  for (const int host : {0, 1, 2}) port(host, 0).moved["packet_seq_err"] = 1;
  port(3, 0).moved["out_of_sequence"] = 3;
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].host, "host3");
}

TEST_F(WatcherCounters, BlameTheSenderThatAllReceiversMissPacketsOf) {
  port(1, 1).moved["packet_seq_err"] = 2;
  port(2, 1).moved["out_of_sequence"] = 1;
  port(3, 1).moved["out_of_sequence"] = 1;
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].host, "host1");
  EXPECT_EQ(all[0].rail, 1);
}

TEST_F(WatcherCounters, TellOfEveryRailByItself) {
  port(3, 0).moved["out_of_sequence"] = 1;
  port(3, 1).moved["out_of_sequence"] = 1;
  EXPECT_EQ(events().size(), 2U);
}

TEST_F(WatcherCounters, TellTimeOutsAsRetransmissions) {
  port(0, 0).moved["local_ack_timeout_err"] = 4;
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, EventKind::retransmission);
}

TEST_F(WatcherCounters, LossIsTheCauseOfWhatIsSentAgain) {
  port(0, 0).moved["local_ack_timeout_err"] = 4;
  port(1, 0).moved["out_of_sequence"] = 4;
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, EventKind::loss);
}

TEST_F(WatcherCounters, MoreLossThanCorruptionIsToldBesidesIt) {
  port(1, 0).moved["rx_icrc_encapsulated"] = 1;
  port(1, 0).moved["out_of_sequence"] = 4;
  const auto all = events();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kind, EventKind::corruption);
  EXPECT_EQ(all[1].kind, EventKind::loss);
}

TEST_F(WatcherCounters, ErrorsOfTheSamePacketAreOneEvent) {
  port(1, 0).moved["rx_icrc_encapsulated"] = 1;
  port(1, 0).moved["port_rcv_errors"] = 1;
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, EventKind::corruption);
}

TEST_F(WatcherCounters, AFlapIsTheCauseOfLossOnItsRail) {
  port(1, 0).moved["link_downed"] = 1;
  port(2, 0).moved["out_of_sequence"] = 9;
  const auto all = events();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kind, EventKind::flap);
  EXPECT_EQ(all[1].cause, "the link of host1 went down");
}

TEST_F(WatcherCounters, ALinkThatStaysDownIsToldOnce) {
  EXPECT_TRUE(events().empty());
  next();
  port(1, 0).state = "DOWN";
  EXPECT_EQ(events().size(), 1U);
  next();
  port(1, 0).state = "DOWN";
  EXPECT_TRUE(events().empty());
  next();
  EXPECT_TRUE(events().empty());
  next();
  port(1, 0).state = "DOWN";
  EXPECT_EQ(events().size(), 1U);
}

TEST_F(WatcherCounters, ALinkAtAnotherSpeed) {
  EXPECT_TRUE(events().empty());
  next();
  port(1, 0).link_gigabits_per_second = 200;
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, EventKind::speed_change);
  EXPECT_EQ(all[0].text, "the link of host1 mlx5_0 (rail 0) runs at 200 Gb/s, and ran at 400 Gb/s");
}

TEST_F(WatcherCounters, WhatElseAHealthyFabricDoesNotCount) {
  port(1, 0).moved["rp_cnp_ignored"] = 5;
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, EventKind::fault);
}

TEST_F(WatcherCounters, CountersThatNobodyKnowsAreNoEvent) {
  port(1, 0).moved["flux_capacitor_overflow"] = 5;
  EXPECT_TRUE(events().empty());
}

TEST_F(WatcherCounters, WrongDataAreToldWithWhoseTheyAre) {
  window_.phases[1].wrong = 1;
  results::Finding finding;
  finding.host = "host2";
  finding.rail = 1;
  finding.text = "a byte is wrong";
  window_.phases[1].findings.push_back(finding);
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, EventKind::wrong_data);
  EXPECT_EQ(all[0].host, "host2");
  EXPECT_EQ(all[0].rail, 1);
  EXPECT_EQ(all[0].text,
            "wrong data: 1 element was wrong in all_reduce of 4194304 bytes; a byte is wrong");
}

TEST_F(WatcherCounters, AHostThatWentAndCameBack) {
  Gap gap{.from = window_.start, .to = window_.start + std::chrono::minutes(5), .after_window = 7};
  gap.rebooted = {"host3"};
  const auto all = watcher_.take(gap);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, EventKind::host_returned);
  EXPECT_EQ(all[0].host, "host3");
  EXPECT_EQ(all[0].when, gap.to);
}

TEST_F(WatcherCounters, WhatAKilledRunLeavesBehindIsNoEvent) {
  Gap gap;
  gap.counted = {{.host = "host1", .device = "mlx5_0", .rail = 0}};
  gap.counted[0].moved = {{"local_ack_timeout_err", 3},
                          {"duplicate_request", 1},
                          {"retry_exceeded_err", 1},
                          {"port_rcv_packets", -5}};
  EXPECT_TRUE(watcher_.take(gap).empty());
  gap.counted[0].moved["link_downed"] = 1;
  const auto all = watcher_.take(gap);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, EventKind::flap);
}

}  // namespace
}  // namespace railgauge::soak
