#include <gtest/gtest.h>

#include "soak/simulated_soak.hpp"
#include "soak/watcher.hpp"

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::Finding;
using finding::Scope;
using finding::Severity;

/// A fabric and a window of it that nothing is wrong with.
class WatcherCounters : public ::testing::Test {
 protected:
  std::vector<Finding> findings() { return watcher_.take(window_); }
  PortSample& port(int host, int rail) { return soak_.port(window_, host, rail); }
  void next() { window_ = soak_.window(); }

  SimulatedSoak soak_{quiet_hardware(), 1};
  Watcher watcher_{soak_.header()};
  Window window_{soak_.window()};
};

TEST_F(WatcherCounters, HaveThePathAndTheCountersOfALoss) {
  port(2, 0).moved["packet_seq_err"] = 2;
  port(3, 0).moved["out_of_sequence"] = 3;
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(sentence(all[0]),
            "host2 mlx5_0 (rail 0, rank 2) -> host3 mlx5_0 (rail 0, rank 3): packet loss in window "
            "1: lost packets 3 (out_of_sequence 3); check cables and switch ports of the path");
  EXPECT_EQ(all[0].severity, Severity::error);
  EXPECT_EQ(all[0].where.at.device, "mlx5_0");
  EXPECT_EQ(all[0].evidence[0].counters,
            (std::map<std::string, std::int64_t>{{"out_of_sequence", 3}}));
  EXPECT_EQ(all[0].when->begin, window_.start);
  EXPECT_EQ(all[0].when->count, 1U);
}

/// Sprayed fabrics do that. What is dropped, or sent again, was lost.
TEST_F(WatcherCounters, GapsAfterWhichNobodySendsAgainAreNoLoss) {
  port(3, 0).moved["out_of_sequence"] = 300;
  EXPECT_TRUE(findings().empty());
  for (const char* again : {"packet_seq_err", "local_ack_timeout_err"}) {
    next();
    port(3, 0).moved["out_of_sequence"] = 300;
    port(2, 0).moved[again] = 1;
    EXPECT_EQ(findings().size(), 1U) << again;
  }
  next();
  port(3, 0).moved["rx_prio3_discards"] = 300;
  EXPECT_EQ(findings().size(), 1U);
}

TEST_F(WatcherCounters, BlameThePortThatAllSendersLoseTo) {
  for (const int host : {0, 1, 2}) port(host, 0).moved["packet_seq_err"] = 1;
  port(3, 0).moved["out_of_sequence"] = 3;
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(in_words(all[0].where), "host3 mlx5_0 (rail 0, rank 3) RX");
}

TEST_F(WatcherCounters, BlameTheSenderThatAllReceiversMissPacketsOf) {
  port(1, 1).moved["packet_seq_err"] = 2;
  port(2, 1).moved["out_of_sequence"] = 1;
  port(3, 1).moved["out_of_sequence"] = 1;
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(in_words(all[0].where), "host1 mlx5_1 (rail 1, rank 1) TX");
}

TEST_F(WatcherCounters, AreOfEveryRailByItself) {
  for (const int rail : {0, 1}) {
    port(2, rail).moved["packet_seq_err"] = 1;
    port(3, rail).moved["out_of_sequence"] = 1;
  }
  EXPECT_EQ(findings().size(), 2U);
}

TEST_F(WatcherCounters, TakeTimeOutsForRetransmissions) {
  port(0, 0).moved["local_ack_timeout_err"] = 4;
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::retransmission);
}

TEST_F(WatcherCounters, LossExplainsRetransmissions) {
  port(0, 0).moved["local_ack_timeout_err"] = 4;
  port(1, 0).moved["out_of_sequence"] = 4;
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::packet_loss);
}

TEST_F(WatcherCounters, MoreLossThanCorruptionIsFoundToo) {
  port(0, 0).moved["packet_seq_err"] = 4;
  port(1, 0).moved["rx_icrc_encapsulated"] = 1;
  port(1, 0).moved["out_of_sequence"] = 4;
  const auto all = findings();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].cause, Cause::corruption);
  EXPECT_EQ(all[1].cause, Cause::packet_loss);
}

TEST_F(WatcherCounters, ErrorsOfTheSamePacketAreOneFinding) {
  port(1, 0).moved["rx_icrc_encapsulated"] = 1;
  port(1, 0).moved["port_rcv_errors"] = 1;
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::corruption);
}

TEST_F(WatcherCounters, AFlapIsTheCauseOfLossOnItsRail) {
  port(1, 0).moved["link_downed"] = 1;
  port(3, 0).moved["packet_seq_err"] = 1;
  port(2, 0).moved["out_of_sequence"] = 9;
  const auto all = findings();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].cause, Cause::link_down);
  EXPECT_EQ(all[1].cause, Cause::packet_loss);
  EXPECT_EQ(all[1].evidence.at(1).text, "the link of host1 mlx5_0 (rail 0, rank 1) went down");
}

TEST_F(WatcherCounters, ALinkThatStaysDownIsFoundOnce) {
  EXPECT_TRUE(findings().empty());
  next();
  port(1, 0).state = "DOWN";
  EXPECT_EQ(findings().size(), 1U);
  next();
  port(1, 0).state = "DOWN";
  EXPECT_TRUE(findings().empty());
  next();
  EXPECT_TRUE(findings().empty());
  next();
  port(1, 0).state = "DOWN";
  EXPECT_EQ(findings().size(), 1U);
}

TEST_F(WatcherCounters, ALinkAtAnotherSpeed) {
  EXPECT_TRUE(findings().empty());
  next();
  port(1, 0).link_gigabits_per_second = 200;
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::link_speed);
  EXPECT_EQ(sentence(all[0]),
            "host1 mlx5_0 (rail 0, rank 1): link speed changed in window 2: link speed 200 Gb/s, "
            "expected 400 Gb/s (the window before); check cable, transceiver and settings of the "
            "switch port");
}

TEST_F(WatcherCounters, WhatElseAHealthyFabricDoesNotCount) {
  port(1, 0).moved["rp_cnp_ignored"] = 5;
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::other);
  EXPECT_EQ(in_words(all[0].evidence[0]), "rp_cnp_ignored 5");
}

TEST_F(WatcherCounters, UnknownCountersAreNoFinding) {
  port(1, 0).moved["flux_capacitor_overflow"] = 5;
  EXPECT_TRUE(findings().empty());
}

TEST_F(WatcherCounters, WrongDataHaveTheirTrace) {
  window_.phases[1].wrong = 1;
  Finding traced = finding::found("verification", Cause::wrong_data, {.scope = Scope::path});
  traced.where.at = {.host = "host2", .rail = 1};
  traced.where.peer = finding::Endpoint{.host = "host3", .rail = 1};
  traced.evidence = {{.text = "without a wrong ICRC"}};
  window_.phases[1].findings.push_back(traced);
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::wrong_data);
  EXPECT_EQ(all[0].where, traced.where);
  EXPECT_NE(sentence(all[0]).find("in window 1: wrong elements 1, in all_reduce of 4M bytes; "
                                  "without a wrong ICRC;"),
            std::string::npos)
      << sentence(all[0]);
}

TEST_F(WatcherCounters, WrongDataThatAreNotTracedAreOfThePhase) {
  window_.phases[1].wrong = 2;
  window_.phases[1].data_errors = {"element 7 is wrong"};
  const auto all = findings();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].where, finding::Location{});
  EXPECT_EQ(all[0].evidence[0].text, "in all_reduce of 4M bytes: element 7 is wrong");
}

TEST_F(WatcherCounters, WrongDataThatAreNotTracedNameTheRailOfThePhaseAndNoPlane) {
  Header header = soak_.header();
  header.plan[1].rails = {0};
  for (results::Rank& rank : header.ranks) {
    rank.rails.push_back(rank.rails.front());
    rank.rails.back().plane = 1;
  }
  window_.phases[1].wrong = 1;
  const auto all = Watcher(header).take(window_);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(in_words(all[0].where), "rail 0");
}

TEST_F(WatcherCounters, AHostThatRestarted) {
  Gap gap{.from = window_.start, .to = window_.start + std::chrono::minutes(5), .after_window = 7};
  gap.rebooted = {"host3"};
  const auto all = watcher_.take(gap);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::host_restarted);
  EXPECT_EQ(in_words(all[0].where), "host3");
  EXPECT_EQ(all[0].severity, Severity::warning);
  EXPECT_EQ(all[0].when->begin, gap.from);
  EXPECT_EQ(all[0].when->end, gap.to);
}

TEST_F(WatcherCounters, WhatAKilledRunLeavesBehindIsNoFinding) {
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
  EXPECT_EQ(all[0].cause, Cause::link_down);
}

}  // namespace
}  // namespace railgauge::soak
