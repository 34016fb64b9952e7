#include "congestion/verdict.hpp"

#include <gtest/gtest.h>

#include <array>

#include "incast.hpp"

namespace railgauge::congestion {
namespace {

TEST(Verdict, IsEcnOnlyOfMarksAlone) {
  Step step = incast(2);
  plant_ecn(step);
  EXPECT_EQ(judge(step).verdict, Verdict::ecn_only);
}

TEST(Verdict, IsEcnFirstIfMarksCameBeforePauses) {
  Step step = incast(2);
  plant_ecn(step, 0.1);
  plant_at_senders(step, Signal::pause_received, 3, 0.2);
  EXPECT_EQ(judge(step).verdict, Verdict::ecn_first);
}

TEST(Verdict, IsPfcFirstIfPausesCameBeforeMarks) {
  Step step = incast(2);
  plant_ecn(step, 0.5);
  plant_at_senders(step, Signal::pause_received, 3, 0.2);
  EXPECT_EQ(judge(step).verdict, Verdict::pfc_first);
}

TEST(Verdict, IsPfcOnlyOfPausesAlone) {
  Step step = incast(2);
  plant_at_senders(step, Signal::pause_received, 3, 0.2);
  EXPECT_EQ(judge(step).verdict, Verdict::pfc_only);
}

TEST(Verdict, IsDroppingWhateverElseWasCounted) {
  Step step = incast(2);
  plant_ecn(step);
  plant_at_senders(step, Signal::pause_received, 3);
  plant(step, 2, Signal::loss, 1, 0.5, 0.005);
  EXPECT_EQ(judge(step).verdict, Verdict::dropping);
}

TEST(Verdict, IsVoidWithoutAnyOfThem) {
  const Judged judged = judge(incast(2));
  EXPECT_EQ(judged.verdict, Verdict::no_congestion);
  EXPECT_EQ(judged.reason, "no ECN marks; no pause frames; no drops");
}

TEST(Verdict, OfSendersThatAreTooBusySaysSo) {
  Step step = incast(2);
  for (Flow& flow : step.flows) flow.gbps /= 2;
  const Judged judged = judge(step);
  EXPECT_EQ(judged.verdict, Verdict::no_congestion);
  EXPECT_NE(judged.reason.find("the senders did not send their load"), std::string::npos);
}

/// They are offered as much as their own links carry, which the receiver's does not.
TEST(Verdict, OfSendersWithFasterLinksThanTheReceiverIsByTheReceivers) {
  Step step = incast(2);
  for (Flow& flow : step.flows) flow.offered_gbps *= 2;
  EXPECT_EQ(judge(step).reason, "no ECN marks; no pause frames; no drops");
  for (Flow& flow : step.flows) flow.gbps /= 2;
  EXPECT_NE(judge(step).reason.find("its link carries 5 GB/s"), std::string::npos);
}

/// One interval of sampling, or the time that a marked packet may have waited.
TEST(Verdict, IsUnknownIfTheOrderIs) {
  Step step = incast(2);
  plant_ecn(step, 0.2);
  plant_at_senders(step, Signal::pause_received, 3, 0.2);
  EXPECT_EQ(judge(step).verdict, Verdict::unknown);
  Step late = incast(2);
  plant_ecn(late, 0.25);
  plant_at_senders(late, Signal::pause_received, 3, 0.2);
  EXPECT_EQ(judge(late).verdict, Verdict::pfc_first);
  late.flows.front().longest_message_s = 0.1;
  EXPECT_EQ(judge(late).verdict, Verdict::unknown);
}

/// A link that counted one mark or pause at that time, and is read every two milliseconds.
LinkSeries link_with_one(std::int64_t LinkSeries::Sample::*what, double at_s, double phase_s) {
  constexpr double kRead = 0.002;
  LinkSeries link{.from = "spine0", .to = "leaf0", .priority = 3};
  for (double begin = phase_s; begin < 0.2; begin += kRead) {
    link.samples.push_back({.begin_s = begin, .end_s = begin + kRead});
    if (at_s >= begin && at_s < begin + kRead) link.samples.back().*what = 1;
  }
  return link;
}

TEST(Verdict, KnowsTheOrderOfEventsThatAreFiveMillisecondsApart) {
  for (int at = 0; at < 100; ++at) {
    const double first_s = 0.1 + at * 0.00037;
    for (const bool mark_first : {true, false}) {
      Step step = incast(2);
      const auto add = [&](std::int64_t LinkSeries::Sample::*what, bool is_first) {
        step.links.push_back(link_with_one(what, first_s + (is_first ? 0 : 0.005), at * 1e-5));
      };
      add(&LinkSeries::Sample::marks, mark_first);
      add(&LinkSeries::Sample::pauses_received, !mark_first);
      EXPECT_EQ(judge(step).verdict, mark_first ? Verdict::ecn_first : Verdict::pfc_first) << at;
    }
  }
}

TEST(Verdict, IsUnknownIfNobodyCountsWhatItTakes) {
  Step step = incast(2);
  plant_at_senders(step, Signal::pause_received, 3);
  hide(step, 0, Signal::mark);
  const Judged judged = judge(step);
  EXPECT_EQ(judged.verdict, Verdict::unknown);
  EXPECT_NE(judged.reason.find("no port counts ECN marks"), std::string::npos);
  Step marked = incast(2);
  plant_ecn(marked);
  EXPECT_EQ(judge(marked).verdict, Verdict::ecn_only);
  hide(marked, 2, Signal::pause_received);
  EXPECT_EQ(judge(marked).verdict, Verdict::unknown) << "that one sender may have been paused";
  EXPECT_NE(judge(marked).reason.find("does not count pause frames"), std::string::npos);
  for (int sender = 1; sender <= 4; ++sender) hide(marked, sender, Signal::pause_received);
  EXPECT_NE(judge(marked).reason.find("no port counts pause frames; give counters of switches"),
            std::string::npos);
  marked.links.push_back({.from = "leaf0-0", .to = "host1", .samples = {{.end_s = 1}}});
  marked.every_switch = false;
  EXPECT_NE(judge(marked).reason.find("no port counts pause frames; not all switches tell"),
            std::string::npos);
}

/// One end of a flow tells of its losses.
TEST(Verdict, IsKnownIfOneEndOfEachFlowCountsLosses) {
  Step marked = incast(2);
  plant_ecn(marked);
  hide(marked, 0, Signal::loss);
  EXPECT_EQ(judge(marked).verdict, Verdict::ecn_only);
  hide(marked, 3, Signal::loss);
  EXPECT_EQ(judge(marked).verdict, Verdict::unknown);
}

TEST(Verdict, IsUnknownIfTheReceivingHostPauses) {
  Step step = incast(2);
  plant_ecn(step);
  plant(step, 0, Signal::pause_sent, 2);
  const Judged judged = judge(step);
  EXPECT_EQ(judged.verdict, Verdict::unknown);
  EXPECT_NE(judged.reason.find("slower than its link"), std::string::npos);
}

/// Nor does a software device whose process lacks a CPU: it loses what the fabric delivered.
TEST(Verdict, DoesNotBlameTheFabricForLossesOfBusyHosts) {
  Step step = incast(2);
  step.software = true;
  plant(step, 2, Signal::loss, 5);
  EXPECT_EQ(judge(step).verdict, Verdict::dropping);
  step.flows.back().cpu_share = 0.6;
  EXPECT_EQ(judge(step).verdict, Verdict::unknown);
  step.software = false;
  EXPECT_EQ(judge(step).verdict, Verdict::dropping);
}

TEST(Verdict, IsUnknownIfAFlowFailedAndNothingWasLost) {
  Step step = incast(2);
  plant_ecn(step);
  step.flows[1].reason = "transport retries exhausted";
  EXPECT_EQ(judge(step).verdict, Verdict::unknown);
  EXPECT_EQ(judge(step).reason,
            "host2 mlx5_0 (rail 0) to host0 mlx5_0 (rail 0) failed: transport retries exhausted");
  plant(step, 2, Signal::loss, 1);
  EXPECT_EQ(judge(step).verdict, Verdict::dropping);
}

TEST(Verdict, TakesTheWordOfSwitches) {
  Step step = incast(2);
  plant(step, 2, Signal::loss, 5);  // after the switch
  add_link(step, "leaf0", "host0", {.packets = 10, .marks = 2});
  const Judged judged = judge(step);
  EXPECT_EQ(judged.verdict, Verdict::ecn_only);
  EXPECT_NE(judged.reason.find("(switch), the first at 0.02 s by leaf0 -> host0"),
            std::string::npos)
      << judged.reason;
  add_link(step, "host1", "leaf0", {.packets = 10, .drops = 1});
  EXPECT_EQ(judge(step).verdict, Verdict::dropping);
}

TEST(Verdict, OfSeveralStepsIsOnOneTimeLine) {
  std::array steps{incast(0.9), incast(1.2, 4, 1), incast(4, 4, 2)};
  plant_ecn(steps[1], 1);
  plant_ecn(steps[2], 2);
  plant_at_senders(steps[2], Signal::pause_received, 9, 2);  // at once
  EXPECT_EQ(judge(steps[2]).verdict, Verdict::unknown);
  EXPECT_EQ(judge(steps).verdict, Verdict::ecn_first);
  steps[1].void_because = "the switch was late";
  EXPECT_EQ(judge(steps).verdict, Verdict::unknown);
  steps[2].void_because = "the switch was late";
  EXPECT_NE(judge(steps).reason.find("the switch was late"), std::string::npos);
}

TEST(Verdict, DoesNotCountPausesBelowTheLineRate) {
  std::array steps{incast(0.9), incast(2, 4, 1)};
  plant_at_senders(steps[0], Signal::pause_received, 1);
  plant_ecn(steps[1], 1);
  EXPECT_EQ(judge(steps).verdict, Verdict::ecn_only);
}

}  // namespace
}  // namespace railgauge::congestion
