#include <gtest/gtest.h>

#include <algorithm>

#include "congestion/figures.hpp"
#include "congestion/findings.hpp"
#include "congestion/path_shares.hpp"
#include "incast.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Finding;
using finding::Severity;

constexpr double kRate = 5;  // GB/s

/// Hosts 0 to 3 on leaf0 send to hosts 4 to 7 on leaf1, each by that spine, and get what their
/// links leave them.
Step to_other_leaf(const std::vector<int>& spines, const char* name = "permutation 1") {
  Step step{.name = name,
            .scenario = Scenario::permutation,
            .load = 1,
            .line_gbps = kRate,
            .known_links = {}};
  for (int host = 0; host < static_cast<int>(spines.size()); ++host) {
    const std::string spine = "spine" + std::to_string(spines[static_cast<std::size_t>(host)]);
    const auto sharing = std::ranges::count(spines, spines[static_cast<std::size_t>(host)]);
    step.flows.push_back({.from = nic_of(host),
                          .to = nic_of(host + 4),
                          .offered_gbps = kRate,
                          .gbps = kRate / static_cast<double>(sharing),
                          .paths = {{"leaf0", spine, "leaf1"}}});
  }
  for (const char* const spine : {"spine0", "spine1", "spine2", "spine3"})
    step.known_links.merge(std::set<Link>{{"leaf0", spine}, {spine, "leaf1"}});
  return step;
}

Step spread(Step step) {
  step.spread = true;
  step.name += ", spread";
  return step;
}

TEST(PathShares, AreThoseOfTheFullestLink) {
  const auto shares = path_shares(to_other_leaf({0, 0, 0, 1}));
  ASSERT_TRUE(shares);
  EXPECT_NEAR((*shares)[0], 1.0 / 3, 1e-9);
  EXPECT_NEAR((*shares)[3], 1, 1e-9);
}

TEST(PathShares, OfSeveralQueuePairsAreTheirSum) {
  Step step = to_other_leaf({0, 0});
  step.flows[0].paths.push_back({"leaf0", "spine1", "leaf1"});
  const auto shares = path_shares(step);
  ASSERT_TRUE(shares);
  EXPECT_NEAR((*shares)[0], 1, 1e-9);
  EXPECT_NEAR((*shares)[1], 0.5, 1e-9);
}

TEST(PathShares, AreNotKnownWithoutAPath) {
  Step step = to_other_leaf({0, 1});
  step.flows[1].paths[0][1] = "";
  EXPECT_FALSE(path_shares(step));
  step.flows[1].paths.clear();
  EXPECT_FALSE(path_shares(step));
}

TEST(FairShares, AreThoseOfNicsAlone) {
  Step step = to_other_leaf({0, 0, 0, 1});
  EXPECT_EQ(fair_shares(step), std::vector<double>(4, 1));
  step.flows[1].to = step.flows[0].to;
  EXPECT_EQ(fair_shares(step), (std::vector<double>{0.5, 0.5, 1, 1}));
}

TEST(Spread, FindsAPathForEachFlow) {
  std::vector<Path> all;
  for (const char* const spine : {"spine0", "spine1", "spine2", "spine3"})
    all.push_back({"leaf0", spine, "leaf1"});
  const std::vector<std::vector<Path>> candidates(4, all);
  const auto chosen = spread_over(candidates, 1);
  EXPECT_EQ((std::set<std::vector<std::size_t>>(chosen.begin(), chosen.end()).size()), 4U);
  EXPECT_EQ(spread_over(candidates, 2).front().size(), 2U);
}

TEST(Spread, MovesAFlowThatHadTheChoiceOutOfTheWay) {
  const Path first{"leaf0", "spine0", "leaf1"};
  const Path second{"leaf0", "spine1", "leaf1"};
  const std::vector<std::vector<Path>> candidates{{first, second}, {first}};
  EXPECT_EQ(spread_over(candidates, 1)[0][0], 1U);
  EXPECT_EQ(spread_over(std::vector<std::vector<Path>>{{{}, first}}, 1)[0][0], 1U)
      << "what is not known is not taken";
  EXPECT_EQ(spread_over(std::vector<std::vector<Path>>{{{}, {}}}, 1)[0][0], 0U);
}

TEST(Paths, OfFlowsThatShareNothingAreSilent) {
  const std::vector<Step> steps{to_other_leaf({0, 1, 2, 3})};
  const auto report = report_of(steps);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(outcome(report), finding::Outcome::pass);
  const auto figures = figures_of(steps);
  ASSERT_EQ(figures.size(), 3U);
  EXPECT_NEAR(figures[0].value, 1, 1e-9);
  EXPECT_NEAR(*figures[0].expected, 1, 1e-9);
  EXPECT_NEAR(figures[1].value, 1, 1e-9);
  EXPECT_NEAR(figures[2].value, 1, 1e-9);
}

TEST(Paths, ThatCollideAreNamedAndPredicted) {
  const std::vector<Step> steps{to_other_leaf({0, 0, 0, 1}), spread(to_other_leaf({0, 1, 2, 3}))};
  const auto figures = figures_of(std::span(steps).first(1));
  EXPECT_NEAR(figures[0].value, 1.0 / 3, 1e-9);
  EXPECT_NEAR(*figures[0].expected, 1.0 / 3, 1e-9);
  EXPECT_NEAR(figures[1].value, 3, 1e-9) << "three of four flows on one of four links";
  const auto findings = of_paths(steps);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cause, Cause::congestion);
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_EQ(in_words(findings[0].where), "link leaf0 -> spine0");
  ASSERT_EQ(findings[0].evidence.size(), 1U);
  EXPECT_NEAR(*findings[0].evidence[0].expected, 1, 1e-9) << "spread";
}

TEST(Paths, SlowerThanPredictedNameTheLinkInCommon) {
  std::vector<Step> steps{to_other_leaf({0, 1, 2, 3}), to_other_leaf({1, 2, 3, 0})};
  steps[0].flows[2].gbps = steps[1].flows[1].gbps = 0.4 * kRate;  // both by spine2
  const auto findings = of_paths(steps);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cause, Cause::bandwidth);
  EXPECT_EQ(findings[0].severity, Severity::error);
  EXPECT_EQ(in_words(findings[0].where), "link leaf0 -> spine2");
  ASSERT_EQ(findings[0].alternatives.size(), 1U);
  EXPECT_EQ(in_words(findings[0].alternatives[0]), "link spine2 -> leaf1");
  EXPECT_EQ(findings[0].evidence[0].against, 2U);
}

TEST(Paths, WhoseAcknowledgementsWaitBehindOthersAreNotAccused) {
  Step step = to_other_leaf({0, 0, 1, 2});
  step.flows.push_back({.from = nic_of(5), .to = nic_of(1), .gbps = 0.4 * kRate});
  step.flows.back().paths = {{"leaf1", "spine0", "leaf0"}};
  step.flows.back().back_paths = {{"leaf0", "spine0", "leaf1"}};
  const auto findings = of_paths(std::vector{step});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cause, Cause::congestion) << "the collision alone";
  step.flows.back().back_paths = {{"leaf0", "spine3", "leaf1"}};
  EXPECT_EQ(of_paths(std::vector{step}).size(), 2U) << "the twin whose path back is free";
}

/// All links between the leaves and the spines have this part of the line rate.
Step with_uplinks_of(double rate, Step step) {
  for (const Link& link : step.known_links) step.link_rates[link] = rate;
  for (Flow& flow : step.flows) flow.gbps = std::min(kRate, rate * flow.gbps);
  return step;
}

TEST(Paths, OverSlowerLinksAreAsDescribed) {
  const Step slower = with_uplinks_of(0.5, to_other_leaf({0, 1, 2, 3}));
  EXPECT_NEAR((*path_shares(slower))[0], 0.5, 1e-9);
  EXPECT_NEAR(*figures_of(std::vector{slower}).front().expected, 1, 1e-9);
  EXPECT_TRUE(of_paths(std::vector{slower}).empty());
  Step one_slow = slower;
  one_slow.flows[2].gbps = 0.2 * kRate;
  const auto findings = of_paths(std::vector{one_slow});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].certainty, finding::Certainty::likely);
  EXPECT_EQ(in_words(findings[0].where), "link leaf0 -> spine2");
  EXPECT_NEAR(*findings[0].evidence[0].expected, 0.5 * kRate, 1e-9);
}

TEST(Paths, OverFasterLinksShareWithoutLoss) {
  Step step = with_uplinks_of(2, to_other_leaf({0, 0, 1, 2}));
  EXPECT_NEAR((*path_shares(step))[0], 1, 1e-9);
  EXPECT_TRUE(of_paths(std::vector{step}).empty());
  step.flows[0].gbps = 0.4 * kRate;
  EXPECT_EQ(of_paths(std::vector{step}).size(), 1U) << "two flows do not fill the link";
}

TEST(Paths, OverLinksThatNobodyDescribedMayBeSlowByDesign) {
  Step step = with_uplinks_of(0.5, to_other_leaf({0, 1, 2, 3}));
  step.link_rates.clear();
  auto findings = of_paths(std::vector{step});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].certainty, finding::Certainty::possible);
  ASSERT_EQ(findings[0].excuses.size(), 1U);
  step.flows[3].gbps = kRate;
  findings = of_paths(std::vector{step});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].certainty, finding::Certainty::likely) << "one link shows the rate";
}

TEST(Paths, OfABusyMachineAreOnlySuspected) {
  std::vector<Step> steps{to_other_leaf({0, 1, 2, 3})};
  steps[0].flows[2].gbps = 0.4 * kRate;
  steps[0].flows[0].cpu_share = 0.3;
  EXPECT_EQ(of_paths(steps).front().certainty, finding::Certainty::possible);
  steps[0].void_because = "the switches were late";
  EXPECT_TRUE(of_paths(steps).empty());
  EXPECT_TRUE(figures_of(steps).empty());
  EXPECT_EQ(outcome(report_of(steps)), finding::Outcome::inconclusive);
}

TEST(Paths, ThatAreNotKnownLeaveTheSlowestFlow) {
  Step step = to_other_leaf({0, 0, 1, 2});
  for (Flow& flow : step.flows) flow.paths.clear();
  const auto findings = of_paths(std::vector{step});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_EQ(findings[0].where.scope, finding::Scope::path);
  EXPECT_NEAR(*findings[0].evidence[0].expected, kRate, 1e-9);
  EXPECT_FALSE(figures_of(std::vector{step}).front().expected);
}

}  // namespace
}  // namespace railgauge::congestion
