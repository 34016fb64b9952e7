#include <gtest/gtest.h>

#include "congestion/figures.hpp"
#include "congestion/findings.hpp"
#include "congestion/rates.hpp"
#include "congestion/verdict.hpp"
#include "incast.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Severity;

constexpr double kLineRate = 5;  // GB/s

/// The probe alone, next to bulk of its class, and of another: its median message times.
std::vector<Step> classes(double alone_s, double same_s, double other_s) {
  std::vector<Step> steps;
  for (const double median_s : {alone_s, same_s, other_s}) {
    Step step = incast(3, 3, static_cast<double>(steps.size()));
    step.scenario = Scenario::classes;
    for (Flow& flow : step.flows) flow.other_class = steps.size() == 2;
    if (steps.empty()) step.flows.clear();
    step.flows.push_back(
        {.from = nic_of(3), .to = nic_of(0), .victim = true, .median_message_s = median_s});
    steps.push_back(std::move(step));
  }
  return steps;
}

TEST(Classes, ThatSeparateAreSilent) {
  const auto steps = classes(0.01, 0.9, 0.013);
  EXPECT_TRUE(of_separation(steps).empty());
  const auto figures = figures_of(steps);
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_NEAR(figures[0].value, 13000, 1e-6);
  EXPECT_NEAR(*figures[0].expected, 10000, 1e-6);
}

TEST(Classes, ThatDoNotSeparateAreNamed) {
  const auto findings = of_separation(classes(0.01, 0.9, 0.8));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cause, Cause::roce_setting);
  EXPECT_EQ(findings[0].severity, Severity::error);
  EXPECT_EQ(findings[0].evidence.size(), 2U);
}

TEST(Classes, SayNothingIfBulkDelaysNothingOrAStepIsVoid) {
  EXPECT_TRUE(of_separation(classes(0.01, 0.015, 0.015)).empty());
  auto steps = classes(0.01, 0.9, 0.8);
  steps[1].void_because = "the process on host1 was descheduled for 400 ms";
  EXPECT_TRUE(of_separation(steps).empty());
}

/// Four hosts that send to the other half, of which so much arrives.
Step halves(double arrives) {
  Step step{.name = "4 hosts to the other half",
            .scenario = Scenario::oversubscription,
            .load = 1,
            .line_gbps = kLineRate};
  for (int host = 0; host < 4; ++host)
    step.flows.push_back({.from = nic_of(host), .to = nic_of(host + 4), .gbps = arrives});
  return step;
}

TEST(Oversubscription, IsWhatHostsCouldSendOverWhatArrives) {
  EXPECT_NEAR(figures_of(std::vector{halves(2.5)})[0].value, 2, 1e-9);
  EXPECT_TRUE(of_oversubscription(std::vector{halves(4.9)}, {}).empty());
  EXPECT_EQ(of_oversubscription(std::vector{halves(2.5)}, {})[0].severity, Severity::info);
}

/// Senders are cut at first: they have half of what they have later.
TEST(Oversubscription, IsThatOfSendersThatHaveSettled) {
  Step step = incast(1, 3);
  step.scenario = Scenario::oversubscription;
  step.line_gbps = kLineRate;
  for (Flow& flow : step.flows) flow.gbps = 1.875;
  for (PortSeries& port : step.ports) {
    for (std::size_t at = 0; at < port.samples.size() / 2; ++at)
      port.samples[at].packets_received /= 2;
    port.samples.back().packets_received = 0;  // the step is over
  }
  EXPECT_NEAR(figures_of(std::vector{step})[0].value, 2, 0.05);
}

TEST(Oversubscription, AboveTheDesignIsAnError) {
  const auto findings = of_oversubscription(std::vector{halves(1.25)}, {.oversubscription = 2});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::error);
  EXPECT_TRUE(of_oversubscription(std::vector{halves(2.4)}, {.oversubscription = 2}).empty());
}

std::vector<Step> bursts(std::int64_t drops_of_last) {
  std::vector<Step> steps;
  for (const double bytes : {65536.0, 131072.0}) {
    Step step = incast(4, 4, static_cast<double>(steps.size()));
    step.scenario = Scenario::burst;
    step.burst_bytes = bytes;
    steps.push_back(std::move(step));
  }
  if (drops_of_last > 0)
    add_link(steps[1], "leaf0", "host0", {.drops = 1}).drops = {{"buffer_full", drops_of_last}};
  return steps;
}

TEST(Bursts, ThatAreDroppedAreNamedWithTheLargestThatIsNot) {
  const auto steps = bursts(50);
  const auto findings = of_bursts(steps);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(in_words(findings[0].where), "link leaf0 -> host0");
  EXPECT_EQ(findings[0].certainty, Certainty::confirmed);
  EXPECT_NEAR(figures_of(steps)[0].value, 65536, 1e-9);
}

TEST(Bursts, ThatAreAbsorbedAreSilent) {
  const auto steps = bursts(0);
  EXPECT_TRUE(of_bursts(steps).empty());
  EXPECT_NEAR(figures_of(steps)[0].value, 131072, 1e-9);
}

/// Senders 3 and 4 begin after 0.25 s. Until `fair_s` they have a third of what the others have,
/// and then the same.
Step converging(double fair_s) {
  Step step = incast(4);
  step.scenario = Scenario::convergence;
  step.flows[2].late = step.flows[3].late = true;
  for (int host = 1; host <= 4; ++host) {
    for (Sample& sample : port_in(step, host).samples) {
      const bool late = host > 2;
      sample.packets_sent = sample.begin_s >= fair_s ? 100 : late ? 50 : 150;
      if (late && sample.begin_s < 0.245) sample.packets_sent = 0;
    }
  }
  return step;
}

TEST(Convergence, TakesUntilAllHaveFairShares) {
  const auto found = convergence_of(converging(0.6));
  ASSERT_TRUE(found && found->seconds);
  EXPECT_NEAR(*found->seconds, 0.6 - 0.26, 0.03);
  EXPECT_TRUE(of_convergence(std::vector{converging(0.6)}).empty());
  EXPECT_NEAR(*convergence_of(converging(0.2))->seconds, 0, 1e-9);
}

TEST(Convergence, ThatNeverComesNamesTheSender) {
  Step step = converging(0.3);
  for (Sample& sample : port_in(step, 3).samples) sample.packets_sent /= 4;
  const auto findings = of_convergence(std::vector{step});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(in_words(findings[0].where), "host3 mlx5_0 (rail 0) TX");
  EXPECT_EQ(findings[0].severity, Severity::error);
  step.flows[0].cpu_share = 0.2;
  EXPECT_EQ(of_convergence(std::vector{step})[0].certainty, Certainty::possible);
}

TEST(Convergence, OfTooFewPacketsIsVoid) {
  Step step = converging(0.3);
  for (PortSeries& port : step.ports) {
    for (Sample& sample : port.samples) sample.packets_sent /= 50;
  }
  EXPECT_FALSE(convergence_of(step));
  EXPECT_NE(void_because(step).find("--step-time"), std::string::npos);
  EXPECT_EQ(outcome(report_of(std::vector{step})), finding::Outcome::inconclusive);
}

/// Hosts 1 to 4 receive 100 packets in 10 ms, from 0 to 3's neighbours; a link breaks at 0.4 s, and
/// host 1 gets nothing until `back_s`.
Step broken(double back_s) {
  Step step = incast(1);
  step.scenario = Scenario::failure;
  step.broken_at_s = 0.4;
  for (int host = 1; host <= 4; ++host) {
    const auto flow = static_cast<std::size_t>(host - 1);
    step.flows[flow].from = nic_of(host % 4 + 1);
    step.flows[flow].to = nic_of(host);
    for (Sample& sample : port_in(step, host).samples) {
      const bool stopped = host == 1 && sample.begin_s > 0.395 && sample.begin_s < back_s;
      sample.packets_received = stopped ? 0 : 100;
    }
  }
  return step;
}

TEST(Failure, TakesUntilTrafficIsBack) {
  const Step step = broken(0.6);  // what is found points into it
  const auto found = recovery_of(step);
  ASSERT_TRUE(found && found->seconds);
  EXPECT_NEAR(*found->seconds, 0.2, 0.02);
  ASSERT_EQ(found->affected.size(), 1U);
  EXPECT_EQ(found->affected[0]->to, nic_of(1));
  EXPECT_TRUE(of_failure(std::vector{step}).empty());
}

TEST(Failure, ThatTakesLongerThanASecondIsAWarning) {
  Step step = broken(0.6);
  step.broken_at_s = 10 * *step.broken_at_s;
  for (PortSeries& port : step.ports) {
    for (Sample& sample : port.samples) {
      sample.begin_s *= 10;
      sample.end_s *= 10;
    }
  }
  const auto findings = of_failure(std::vector{step});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::warning);
}

TEST(Failure, ThatNobodyNoticesTakesNoTime) {
  const Step step = broken(0);
  const auto found = recovery_of(step);
  ASSERT_TRUE(found && found->seconds);
  EXPECT_EQ(*found->seconds, 0);
  EXPECT_TRUE(found->affected.empty());
}

TEST(Failure, ThatIsNeverRepairedNamesAFlow) {
  Step step = broken(2);
  step.flows[0].reason = "transport retries exhausted";
  EXPECT_EQ(void_because(step), "") << "flows that fail are what was asked for";
  const auto findings = of_failure(std::vector{step});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cause, Cause::link_down);
  EXPECT_EQ(findings[0].severity, Severity::error);
  EXPECT_EQ(*findings[0].where.peer, nic_of(1));
  step.broken_at_s.reset();
  EXPECT_NE(void_because(step), "");
}

}  // namespace
}  // namespace railgauge::congestion
