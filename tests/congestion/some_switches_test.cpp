#include <gtest/gtest.h>

#include "congestion/findings.hpp"
#include "incast.hpp"

// Counters of switches of which some may be missing, as a collector's file has them.

namespace railgauge::congestion {
namespace {

using finding::Certainty;
using finding::Outcome;

constexpr LinkSeries::Sample kPackets{.packets = 10};

/// ECN works; NICs see it.
std::vector<Step> with_ecn() {
  std::vector<Step> steps{incast(0.5, 1), incast(2, 4, 1)};
  plant_ecn(steps[1], 1.1);
  for (Step& step : steps) step.every_switch = false;
  return steps;
}

/// leaf0 marks what it sends to the receiver and pauses a sender in each sample; ports that count
/// both.
std::vector<Step> pausing(LinkSeries::Sample to_receiver) {
  std::vector<Step> steps = with_ecn();
  for (int host = 1; host <= 4; ++host) plant(steps[1], host, Signal::pause_received, 2, 1.2, 0.1);
  add_link(steps[1], "leaf0", "host0", to_receiver);
  add_link(steps[1], "leaf0", "host1", kPackets);
  add_link(steps[1], "host1", "leaf0", {.packets = 10, .pauses_sent = 2});
  return steps;
}

TEST(SomeSwitches, OfAHealthyFabricAccuseNobody) {
  const auto steps = pausing({.packets = 10, .marks = 3});
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentence(report.findings.front());
  EXPECT_EQ(outcome(report), Outcome::pass);
}

TEST(SomeSwitches, ThatPauseAndDoNotMarkAreNamed) {
  const auto report = report_of(pausing(kPackets));
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(in_words(report.findings[0].where), "switch leaf0");
  EXPECT_EQ(report.findings[0].certainty, Certainty::likely);
  EXPECT_EQ(outcome(report), Outcome::fail);
}

TEST(SomeSwitches, WhoseCounterOfMarksMayBeOffAreOnlySuspects) {
  auto steps = pausing(kPackets);
  for (LinkSeries& link : steps[1].links) link.has_marked = link.from != "leaf0";
  const auto report = report_of(steps);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].certainty, Certainty::possible);
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
}

TEST(SomeSwitches, OfWhichOnePortDoesNotCountMarksAreNotAccused) {
  auto steps = pausing(kPackets);
  steps[1].links[1].counts_marks = false;
  EXPECT_TRUE(report_of(steps).findings.empty());
  steps[1].links[0].counts_marks = false;
  EXPECT_TRUE(report_of(steps).findings.empty());
}

TEST(SomeSwitches, MayCountMarksOfAllPrioritiesTogether) {
  auto steps = pausing(kPackets);
  for (const std::size_t link : {0U, 1U}) steps[1].links[link].counts_marks = false;
  add_link(steps[1], "leaf0", "host0", {.marks = 3}, kEveryPriority);
  add_link(steps[1], "leaf0", "host1", {}, kEveryPriority);
  EXPECT_TRUE(report_of(steps).findings.empty()) << "those marks may be of this priority";
  for (LinkSeries::Sample& sample : steps[1].links[3].samples) sample.marks = 0;
  EXPECT_EQ(report_of(steps).findings.size(), 1U) << "there are none of any";
}

TEST(SomeSwitches, WithoutMarksSayNothingWhereNicsDoNotCountThem) {
  auto steps = pausing(kPackets);
  for (LinkSeries& link : steps[1].links) link.counts_marks = false;
  for (Step& step : steps) hide(step, 0, Signal::mark);
  EXPECT_EQ(judge(steps).verdict, Verdict::unknown);
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty()) << sentence(report.findings.front());
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
}

TEST(SomeSwitches, TellWhatNicsDoNotCount) {
  auto steps = with_ecn();
  for (Step& step : steps) hide(step, 0, Signal::mark);
  add_link(steps[1], "leaf0", "host0", {.marks = 3});
  EXPECT_EQ(judge(steps).verdict, Verdict::ecn_only);
  for (int host = 1; host <= 4; ++host) hide(steps[1], host, Signal::pause_received);
  EXPECT_EQ(judge(steps).verdict, Verdict::unknown) << "no pause is no answer";
  auto& samples = add_link(steps[1], "host1", "leaf0", {.pauses_sent = 3}).samples;
  samples.erase(samples.begin(), samples.begin() + 25);
  EXPECT_EQ(judge(steps).verdict, Verdict::ecn_first) << "a host's switch says what it sent";
}

TEST(SomeSwitches, HaveAnotherClockThanNics) {
  auto steps = with_ecn();
  add_link(steps[1], "host1", "leaf0", {.pauses_sent = 3});
  const Judged judged = judge(steps);
  EXPECT_EQ(judged.verdict, Verdict::unknown);
  EXPECT_NE(judged.reason.find("another clock"), std::string::npos) << judged.reason;
}

TEST(SomeSwitches, LeaveTheOrderToNics) {
  auto steps = with_ecn();
  plant_at_senders(steps[1], Signal::pause_received, 3, 1.5);
  LinkSeries::Sample both{.packets = 10, .marks = 3};
  add_link(steps[1], "leaf0", "host0", both);
  add_link(steps[1], "host1", "leaf0", {.pauses_sent = 3});
  EXPECT_EQ(judge(steps).verdict, Verdict::ecn_first) << judge(steps).reason;
}

TEST(SomeSwitches, DropOthersPacketsToo) {
  auto steps = with_ecn();
  add_link(steps[1], "leaf0", "host7", {.drops = 1}).drops = {{"buffer_full", 50}};
  EXPECT_EQ(judge(steps).verdict, Verdict::ecn_only) << "the run lost none";
  EXPECT_TRUE(report_of(steps).findings.empty());
}

TEST(SomeSwitches, DropThePacketsOfAFlowThatFailed) {
  auto steps = with_ecn();
  steps[1].flows[0].reason = "RETRY_EXC_ERR";
  EXPECT_EQ(judge(steps).verdict, Verdict::unknown);
  add_link(steps[1], "leaf0", "host0", {.drops = 1}).drops = {{"buffer_full", 50}};
  EXPECT_EQ(judge(steps).verdict, Verdict::dropping);
}

TEST(SomeSwitches, TellLossesOfTheClassWhereNicsDoNotCountThem) {
  auto steps = with_ecn();
  for (int host = 0; host <= 4; ++host) hide(steps[1], host, Signal::loss);
  add_link(steps[1], "leaf0", "host0", {.drops = 1}, kEveryPriority);
  EXPECT_EQ(judge(steps).verdict, Verdict::unknown) << "of all classes together";
  add_link(steps[1], "leaf0", "host0", {.drops = 1});
  EXPECT_EQ(judge(steps).verdict, Verdict::dropping);
}

TEST(SomeSwitches, SayWhereWhatNicsLostWasDropped) {
  auto steps = with_ecn();
  plant(steps[1], 1, Signal::loss, 1, 1.5);
  add_link(steps[1], "leaf0", "host0", {.drops = 1}).drops = {{"buffer_full", 50}};
  const auto report = report_of(steps);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(in_words(report.findings[0].where), "link leaf0 -> host0");
}

TEST(SomeSwitches, ThatDroppedPacketsClearBusySoftwareDevices) {
  auto steps = with_ecn();
  plant(steps[1], 1, Signal::loss, 1, 1.5);
  steps[1].software = true;
  steps[1].flows[0].cpu_share = 0.5;
  add_link(steps[1], "leaf0", "host0", {.drops = 1}, kEveryPriority);
  EXPECT_EQ(judge(steps).verdict, Verdict::unknown) << "that port drops others' packets, too";
  add_link(steps[1], "leaf0", "host0", {.drops = 1});
  EXPECT_EQ(judge(steps).verdict, Verdict::dropping);
}

TEST(SomeSwitches, ThatCountDropsOfAllClassesTogetherAreSuspects) {
  auto steps = with_ecn();
  plant(steps[1], 1, Signal::loss, 1, 1.5);
  add_link(steps[1], "leaf0", "host0", {.drops = 1}, kEveryPriority).drops = {{"out_discards", 9}};
  const auto report = report_of(steps);
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].certainty, Certainty::possible);
  EXPECT_EQ(report.findings[1].where.at.host, "host0") << "and the loss is one";
  EXPECT_EQ(outcome(report), Outcome::fail);
}

TEST(SomeSwitches, DoNotTellWhatCameInInWhichPriority) {
  auto steps = with_ecn();
  add_link(steps[1], "leaf0", "host0", {.packets = 90});
  add_link(steps[1], "host1", "leaf0", {.packets = 90}, kEveryPriority);
  EXPECT_TRUE(report_of(steps).findings.empty());
  plant(steps[1], 1, Signal::loss, 1, 1.5);
  add_link(steps[1], "leaf0", "host0", {.drops = 1}).drops = {{"buffer_full", 50}};
  ASSERT_EQ(report_of(steps).findings.size(), 1U);
  EXPECT_EQ(in_words(report_of(steps).findings[0].where), "link leaf0 -> host0");
}

}  // namespace
}  // namespace railgauge::congestion
