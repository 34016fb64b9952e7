#include "congestion/findings.hpp"

#include <gtest/gtest.h>

#include <array>

#include "incast.hpp"

namespace railgauge::congestion {
namespace {

using finding::Certainty;
using finding::Finding;
using finding::Outcome;

/// A healthy fabric: nothing below the line rate, ECN above it.
std::vector<Step> healthy() {
  std::vector<Step> steps{incast(0.5, 1), incast(0.9, 4, 1), incast(2, 4, 2)};
  plant_ecn(steps[2], 2.1);
  return steps;
}

std::string sentences(const finding::Report& report) {
  std::string all;
  for (const Finding& finding : report.findings) all += sentence(finding) + "\n";
  return all;
}

/// The only finding, an error, has these words and that place.
void expect_one(const finding::Report& report, const std::string& place, const std::string& words) {
  ASSERT_EQ(report.findings.size(), 1U) << sentences(report);
  const Finding& finding = report.findings.front();
  EXPECT_EQ(in_words(finding.where), place);
  EXPECT_NE(sentence(finding).find(words), std::string::npos) << sentence(finding);
  EXPECT_FALSE(remedy_of(finding).empty());
  EXPECT_FALSE(finding.evidence.empty());
}

TEST(Congestion, OfAHealthyFabricPasses) {
  const auto report = report_of(healthy());
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
  EXPECT_EQ(outcome(report), Outcome::pass);
}

TEST(Congestion, ThatNeverCameIsInconclusive) {
  std::vector<Step> steps{incast(0.9), incast(2, 4, 1)};
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
  EXPECT_EQ(report.coverage.front().skipped.front(),
            "NO_CONGESTION: no ECN marks; no pause frames; no drops");
}

TEST(Congestion, OfAVoidStepIsInconclusiveAndAccusesNobody) {
  std::vector<Step> steps = healthy();
  plant(steps[2], 1, Signal::loss, 7, 2);
  steps[2].void_because = "the process on host1 was descheduled for 400 ms";
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
}

TEST(Congestion, WithPfcAloneFailsUnlessThatIsExpected) {
  std::vector<Step> steps{incast(2)};
  plant_at_senders(steps[0], Signal::pause_received, 3, 0.2);
  const auto report = report_of(steps);
  expect_one(report, "host0 mlx5_0 (rail 0) RX", "no packet is marked");
  EXPECT_EQ(outcome(report), Outcome::fail);
  const auto as_expected = report_of(steps, {.expects_ecn = false});
  EXPECT_TRUE(as_expected.findings.empty()) << sentences(as_expected);
  EXPECT_EQ(outcome(as_expected), Outcome::pass);
}

TEST(Congestion, WithPfcFirstFails) {
  std::vector<Step> steps{incast(2)};
  plant_at_senders(steps[0], Signal::pause_received, 3, 0.2);
  plant_ecn(steps[0], 0.9);
  const auto report = report_of(steps);
  EXPECT_NE(sentences(report).find("before the first ECN mark"), std::string::npos);
  EXPECT_EQ(outcome(report), Outcome::fail);
}

TEST(Congestion, WithDropsFails) {
  std::vector<Step> steps = healthy();
  plant(steps[2], 1, Signal::loss, 7, 2.5);
  const auto report = report_of(steps);
  expect_one(report, "host0 mlx5_0 (rail 0) RX", "dropped under congestion");
  EXPECT_EQ(outcome(report), Outcome::fail);
}

TEST(Congestion, NamesTheLinkWithASmallMtu) {
  std::vector<Step> steps = healthy();
  add_link(steps[2], "leaf0", "host0", {.marks = 2});
  add_link(steps[2], "spine0", "leaf0", {.drops = 1}).drops = {{"too_large", 50}};
  const auto report = report_of(steps);
  expect_one(report, "link spine0 -> leaf0", "larger than the MTU of the link");
  EXPECT_EQ(report.findings.front().cause, finding::Cause::mtu);
}

TEST(Congestion, NamesTheLinkThatDrops) {
  std::vector<Step> steps = healthy();
  add_link(steps[2], "leaf0", "host0", {.marks = 2});
  add_link(steps[2], "spine0", "leaf0", {.drops = 1}).drops = {{"headroom_full", 50}};
  const auto report = report_of(steps);
  expect_one(report, "link spine0 -> leaf0", "50 packets dropped under congestion (headroom_full)");
  EXPECT_NE(remedy_of(report.findings.front()).find("PFC"), std::string::npos);
  EXPECT_EQ(report.findings.front().certainty, Certainty::confirmed);
}

/// Marks of others come after it, and do not hide it.
TEST(Congestion, NamesTheSwitchThatPausesAndDoesNotMark) {
  std::vector<Step> steps = healthy();
  add_link(steps[2], "leaf0", "host0", {.packets = 10});
  add_link(steps[2], "spine0", "leaf0", {.packets = 10, .pauses_received = 2, .pauses_sent = 2});
  add_link(steps[2], "leaf1", "spine0", {.packets = 10, .pauses_sent = 1});
  add_link(steps[2], "host1", "leaf1", {.packets = 10});
  EXPECT_EQ(report_of(steps).findings.size(), 2U) << sentences(report_of(steps));
  steps[2].links[1].samples.front().marks = 3;
  const auto report = report_of(steps);
  expect_one(report, "switch leaf0", "pauses senders of priority 3, and marks no packet of it");
  EXPECT_NE(remedy_of(report.findings.front()).find("ECN on for this class on leaf0"),
            std::string::npos);
  EXPECT_TRUE(report_of(steps, {.expects_ecn = false}).findings.empty());
  steps[2].links[0].samples.front().marks = 3;
  EXPECT_EQ(sentences(report_of(steps)).find("switch leaf0"), std::string::npos);
}

/// Of one switch: another one marks first.
TEST(Congestion, NamesTheSwitchThatPausesBeforeItMarks) {
  std::vector<Step> steps = healthy();
  add_link(steps[2], "leaf0", "host0", {.packets = 10, .marks = 1});
  add_link(steps[2], "leaf1", "spine0", {.packets = 10});
  add_link(steps[2], "spine0", "leaf0", {.packets = 10});
  add_link(steps[2], "host1", "leaf1", {.packets = 10, .pauses_sent = 1});
  steps[2].links[1].samples.back().marks = 3;
  plant(steps[2], 1, Signal::pause_received, 1, 2, 0.4);
  expect_one(report_of(steps), "switch leaf1", "before it marks a packet of it");
  steps[2].links[1].samples.front().marks = 3;
  EXPECT_TRUE(report_of(steps).findings.empty()) << sentences(report_of(steps));
}

TEST(Marks, WithoutCongestionAreNamed) {
  std::vector<Step> steps = healthy();
  plant(steps[0], 0, Signal::mark, 40);
  plant(steps[0], 0, Signal::cnp_sent, 40);
  expect_one(report_of(steps), "host0 mlx5_0 (rail 0) RX", "marked without congestion");
}

TEST(Marks, WithoutCongestionAreThoseOfTheSwitchThatSetsThem) {
  std::vector<Step> steps = healthy();
  steps.insert(steps.begin() + 1, incast(0.5, 2));
  plant(steps[1], 0, Signal::mark, 40);
  plant(steps[1], 0, Signal::cnp_sent, 40);
  add_link(steps[1], "leaf0", "host0", {.marks = 80});
  add_link(steps[1], "spine0", "leaf0", {.marks = 1});
  expect_one(report_of(steps), "switch leaf0", "4000 ECN marks at load 0.5 of 2 senders");
  steps[1].flows[1].cpu_share = 0.5;  // it may have sent what was due at once
  EXPECT_EQ(report_of(steps).findings.front().certainty, Certainty::possible);
}

/// Two flows share what a broken link has left.
TEST(Marks, AfterALinkFailureAreNot) {
  std::vector<Step> steps = healthy();
  steps.push_back(incast(0.4, 2, 3));
  steps.back().scenario = Scenario::failure;
  plant(steps.back(), 0, Signal::mark, 40, 3);
  const auto report = report_of(steps);
  EXPECT_EQ(sentences(report).find("marked without congestion"), std::string::npos);
}

TEST(Marks, OfMoreSendersAreNot) {
  std::vector<Step> steps = healthy();
  plant_ecn(steps[1], 1);
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
}

TEST(Marks, OfAFewPacketsAreNot) {
  std::vector<Step> steps = healthy();
  plant(steps[0], 0, Signal::mark, 1, 0, 0.2);  // 20 of 40,000
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
}

TEST(Notifications, ThatAreNotSentAreNamed) {
  std::vector<Step> steps = healthy();
  plant(steps[2], 0, Signal::cnp_sent, 0, 2);
  plant_at_senders(steps[2], Signal::cnp_received, 0, 2);
  expect_one(report_of(steps), "host0 mlx5_0 (rail 0) RX", "sends no CNPs");
}

TEST(Notifications, ThatNobodyCountsAreNot) {
  std::vector<Step> steps = healthy();
  plant(steps[2], 0, Signal::cnp_sent, 0, 2);
  hide(steps[2], 0, Signal::cnp_sent);
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
}

TEST(Notifications, ThatDoNotArriveAreNamed) {
  std::vector<Step> steps = healthy();
  plant_at_senders(steps[2], Signal::cnp_received, 0, 2);
  expect_one(report_of(steps), "host0 mlx5_0 (rail 0) TX", "CNPs sent and 0 received");
  hide(steps[2], 1, Signal::cnp_received);
  EXPECT_TRUE(report_of(steps).findings.empty());
}

TEST(Notifications, ThatANicIgnoresAreNamed) {
  std::vector<Step> steps = healthy();
  plant(steps[2], 3, Signal::cnp_ignored, 2, 2.1);
  expect_one(report_of(steps), "host3 mlx5_0 (rail 0) TX", "ignores CNPs");
}

TEST(Notifications, ThatANicIgnoresDidArrive) {
  std::vector<Step> steps = healthy();
  plant_at_senders(steps[2], Signal::cnp_received, 0, 2);
  plant_at_senders(steps[2], Signal::cnp_ignored, 2, 2.1);
  for (const Finding& finding : report_of(steps).findings)
    EXPECT_NE(sentence(finding).find("ignores CNPs"), std::string::npos) << sentence(finding);
}

TEST(Notifications, ThatSlowNobodyDownArePossibleIfPausesGoOn) {
  std::vector<Step> steps = healthy();
  plant_ecn(steps[2], 2);
  plant_at_senders(steps[2], Signal::pause_received, 1, 2.2);
  const auto report = report_of(steps);
  expect_one(report, "host0 mlx5_0 (rail 0) RX", "may not slow down");
  EXPECT_EQ(report.findings.front().certainty, Certainty::possible);
  EXPECT_EQ(outcome(report), Outcome::pass);  // a warning
  steps[2].software = true;
  EXPECT_TRUE(report_of(steps).findings.empty()) << sentences(report_of(steps));
}

TEST(Notifications, AreObeyedIfPausesEnd) {
  std::vector<Step> steps = healthy();
  plant_ecn(steps[2], 2);
  for (int sender = 1; sender <= 4; ++sender)
    plant(steps[2], sender, Signal::pause_received, 5, 2.1, 0.2);
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
}

/// Host 2 has as much as it can get, and the others share what is left.
void take_all(Step& step) {
  for (Flow& flow : step.flows) flow.gbps = flow.from == nic_of(2) ? 4.1 : 0.3;
}

/// With a second step above the line rate.
std::vector<Step> healthy_twice() {
  std::vector<Step> steps = healthy();
  steps.push_back(incast(4, 4, 3));
  plant_ecn(steps[3], 3.1);
  return steps;
}

TEST(Shares, OfASenderThatDoesNotReactAreNamed) {
  std::vector<Step> steps = healthy_twice();
  EXPECT_TRUE(report_of(steps).findings.empty());
  take_all(steps[2]);
  take_all(steps[3]);
  const auto report = report_of(steps);
  expect_one(report, "host2 mlx5_0 (rail 0) TX", "does not react to CNPs");
  EXPECT_EQ(outcome(report), Outcome::fail);
}

TEST(Shares, OfOneStepAreAWarning) {
  std::vector<Step> steps = healthy_twice();
  take_all(steps[2]);
  const auto report = report_of(steps);
  expect_one(report, "host2 mlx5_0 (rail 0) TX", "unfair shares");
  EXPECT_EQ(outcome(report), Outcome::pass);
}

TEST(Shares, OfABusyHostAreOnlyPossible) {
  std::vector<Step> steps = healthy_twice();
  take_all(steps[2]);
  take_all(steps[3]);
  steps[3].flows[0].cpu_share = 0.5;
  const auto report = report_of(steps);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings.front().certainty, Certainty::possible);
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
}

TEST(Shares, ThatAreUnfairWithoutCnpsAreAWarning) {
  std::vector<Step> steps{incast(2)};
  plant_at_senders(steps[0], Signal::pause_received, 3);
  take_all(steps[0]);
  const auto report = report_of(steps, {.expects_ecn = false});
  expect_one(report, "host2 mlx5_0 (rail 0) TX", "unfair shares");
  EXPECT_EQ(outcome(report), Outcome::pass);
}

/// Others wait in the queue and are paused; the packets of host 2 do not wait.
TEST(Shares, OfASenderThatASwitchPrefersAreNamedWithTheSwitch) {
  std::vector<Step> steps = healthy_twice();
  take_all(steps[2]);
  take_all(steps[3]);
  for (const int host : {1, 3, 4}) plant(steps[3], host, Signal::pause_received, 1, 3.1, 0.4);
  expect_one(report_of(steps), "host2 mlx5_0 (rail 0) -> host0 mlx5_0 (rail 0)",
             "do not wait in the queue of the others");
  add_link(steps[3], "leaf0", "host0", {.packets = 10, .marks = 2});
  add_link(steps[3], "host2", "leaf0", {.packets = 10});
  for (const char* other : {"host1", "host3", "host4"})
    add_link(steps[3], other, "leaf0", {.pauses_sent = 1});
  expect_one(report_of(steps), "switch leaf0", "a switch sends them first");
  add_link(steps[3], "host2", "leaf0", {.pauses_sent = 1});
  plant(steps[3], 2, Signal::pause_received, 1, 3.1, 0.4);
  expect_one(report_of(steps), "host2 mlx5_0 (rail 0) TX", "does not react to CNPs");
}

/// Without pauses the times of messages tell it, if they become due at a rate.
TEST(Shares, OfASenderThatOvertakesAreNamed) {
  std::vector<Step> steps = healthy_twice();
  for (Step& step : steps) step.line_gbps = 5;
  take_all(steps[2]);
  take_all(steps[3]);
  steps[0].flows[0].median_message_s = 0.001;
  for (const std::size_t at : {2U, 3U}) {
    for (Flow& flow : steps[at].flows) flow.median_message_s = 0.02;
  }
  expect_one(report_of(steps), "host2 mlx5_0 (rail 0) TX", "does not react to CNPs");
  steps[2].flows[1].median_message_s = 0.0012;
  expect_one(report_of(steps), "host2 mlx5_0 (rail 0) -> host0 mlx5_0 (rail 0)",
             "do not wait in the queue of the others");
}

/// From host 4 to host 1, which the incast does not go to.
Flow victim(double gbps) {
  return {.from = nic_of(4), .to = nic_of(1), .victim = true, .offered_gbps = 5, .gbps = gbps};
}

std::vector<Step> with_victim(double next_to_incast) {
  std::vector<Step> steps{incast(1, 1), incast(2, 4, 1)};
  steps[0].flows = {victim(5)};
  steps[1].flows.push_back(victim(next_to_incast));
  plant_ecn(steps[1], 1);
  for (Step& step : steps) step.scenario = Scenario::victim;
  return steps;
}

TEST(HostPauses, BelowTheLineRateAreAStorm) {
  std::vector<Step> steps = healthy();
  plant(steps[0], 0, Signal::pause_sent, 1);
  const auto report = report_of(steps);
  expect_one(report, "host0 mlx5_0 (rail 0) TX", "although its link is not full");
  EXPECT_EQ(outcome(report), Outcome::fail);
}

TEST(HostPauses, OfAFlowAsFastAsItCanAreNoStorm) {
  std::vector<Step> steps = with_victim(4.8);
  steps[0].load = 0;
  plant(steps[0], 0, Signal::pause_sent, 1);
  steps[0].flows[0].to = nic_of(0);
  expect_one(report_of(steps), "host0 mlx5_0 (rail 0) TX", "slower than its link");
}

TEST(HostPauses, MakeFlowsFailAndAreStillNamed) {
  std::vector<Step> steps = healthy();
  steps[0].flows[0].reason = "RETRY_EXC_ERR";
  add_link(steps[0], "leaf0", "host0", {.packets = 1, .pauses_received = 2});
  expect_one(report_of(steps), "host0 mlx5_0 (rail 0) TX", "100 frames");
}

TEST(HostPauses, AtFullLoadAreThoseOfASlowHost) {
  std::vector<Step> steps = healthy();
  plant(steps[2], 0, Signal::pause_sent, 1, 2);
  const auto report = report_of(steps);
  expect_one(report, "host0 mlx5_0 (rail 0) TX", "slower than its link");
  EXPECT_EQ(report.findings.front().severity, finding::Severity::warning);
}

TEST(Pauses, ThatANicDoesNotObeyAreNamed) {
  std::vector<Step> steps = healthy();
  add_link(steps[2], "leaf0", "host0", {.packets = 10, .marks = 2});
  add_link(steps[2], "host1", "leaf0", {.packets = 10, .pauses_sent = 2});
  const auto report = report_of(steps);
  expect_one(report, "host1 mlx5_0 (rail 0) TX", "the NIC counts none");
}

TEST(Pauses, ThatItHearsAreObeyed) {
  std::vector<Step> steps = healthy();
  add_link(steps[2], "leaf0", "host0", {.packets = 10, .marks = 2});
  add_link(steps[2], "host1", "leaf0", {.packets = 10, .pauses_sent = 1});
  plant(steps[2], 1, Signal::pause_received, 1, 2.1, 0.4);
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
}

/// Host 1 by the spine, host 2 at the leaf of the receiver.
std::vector<Step> over_switches(int priority_after_spine) {
  std::vector<Step> steps = healthy();
  add_link(steps[2], "host1", "leaf1", {.packets = 10});
  add_link(steps[2], "leaf1", "spine0", {.packets = 10});
  add_link(steps[2], "spine0", "leaf0", {.packets = 10}, priority_after_spine);
  add_link(steps[2], "host2", "leaf0", {.packets = 10});
  if (priority_after_spine != 3) add_link(steps[2], "leaf0", "host0", {.packets = 10}, 0);
  const int packets = priority_after_spine == 3 ? 20 : 10;
  add_link(steps[2], "leaf0", "host0", {.packets = packets, .marks = 1});
  return steps;
}

TEST(Classes, ThatASwitchChangesAreNamed) {
  expect_one(report_of(over_switches(0)), "switch spine0",
             "500 packets came in another priority and left in priority 0");
}

/// The spine puts back what the leaf of the senders has changed.
TEST(Classes, ThatASwitchPutsBackAreThoseOfTheSwitchBefore) {
  std::vector<Step> steps = healthy();
  add_link(steps[2], "host1", "leaf1", {.packets = 10});
  add_link(steps[2], "leaf1", "spine0", {.packets = 10}, 0);
  add_link(steps[2], "spine0", "leaf0", {.packets = 10});
  add_link(steps[2], "leaf0", "host0", {.packets = 10, .marks = 1});
  expect_one(report_of(steps), "switch leaf1", "left in priority 0");
}

/// Acknowledgements of the second class come back through the spine, whose map is right.
TEST(Classes, ThatHostsSendBothAreThoseOfTheSwitchWithMorePackets) {
  std::vector<Step> steps = healthy();
  for (const int priority : {0, 3}) {
    add_link(steps[2], "host1", "leaf1", {.packets = priority == 3 ? 20 : 10}, priority);
    add_link(steps[2], "leaf1", "spine0", {.packets = priority == 3 ? 20 : 10}, priority);
    add_link(steps[2], "spine0", "leaf0", {.packets = priority == 3 ? 20 : 10}, priority);
  }
  add_link(steps[2], "leaf0", "host0", {.packets = 30, .marks = 1});
  add_link(steps[2], "host0", "leaf0", {.packets = 4}, 0);
  add_link(steps[2], "leaf0", "spine0", {.packets = 4});
  add_link(steps[2], "spine0", "leaf1", {.packets = 4}, 0);
  add_link(steps[2], "leaf1", "host1", {.packets = 4}, 0);
  expect_one(report_of(steps), "switch leaf0", "left in priority 3");
}

TEST(Classes, ExplainTheDropsOfTheirPackets) {
  std::vector<Step> steps = over_switches(0);
  for (LinkSeries& link : steps[2].links) {
    if (link.priority == 0) link.drops = {{"buffer_full", 7}};
  }
  steps[2].links.back().samples.back().drops = 7;
  expect_one(report_of(steps), "switch spine0", "drops of that priority 14 packets");
}

/// Half of the senders' packets change their priority on the way, as the NICs count.
TEST(Classes, ThatArriveChangedAreNamedAtTheReceiver) {
  std::vector<Step> steps = healthy();
  for (int sender = 1; sender <= 4; ++sender)
    port_in(steps[2], sender).sent_by_priority = {0, 0, 0, 1000, 0, 0, 5, 0};
  port_in(steps[2], 0).received_by_priority = {2000, 0, 0, 2000, 0, 0, 0, 0};
  expect_one(report_of(steps), "host0 mlx5_0 (rail 0) RX", "50.0 % of what arrives has priority 0");
  port_in(steps[2], 3).sent_by_priority = {};
  EXPECT_TRUE(report_of(steps).findings.empty()) << "host 3 may have sent it so";
  port_in(steps[2], 3).sent_by_priority = {0, 0, 0, 1000, 0, 0, 5, 0};
  port_in(steps[2], 0).received_by_priority = {10, 0, 0, 4000, 0, 0, 0, 0};
  EXPECT_TRUE(report_of(steps).findings.empty()) << sentences(report_of(steps));
  port_in(steps[2], 0).received_by_priority = {2000, 0, 0, 4000, 0, 0, 0, 0};
  EXPECT_TRUE(report_of(steps).findings.empty()) << "others send to that host, too";
}

TEST(Classes, ThatArriveAsTheyWereSentAreNot) {
  const auto report = report_of(over_switches(3));
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
}

TEST(Victims, ThatSufferAreNamed) {
  const auto report = report_of(with_victim(1));
  expect_one(report, "host4 mlx5_0 (rail 0) -> host1 mlx5_0 (rail 0)", "20.0 % of its bandwidth");
}

TEST(Victims, ThatDoNotAreNot) {
  const auto report = report_of(with_victim(4.8));
  EXPECT_TRUE(report.findings.empty()) << sentences(report);
}

}  // namespace
}  // namespace railgauge::congestion
