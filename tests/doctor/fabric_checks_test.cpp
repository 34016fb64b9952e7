#include <gtest/gtest.h>

#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

/// Whose packets were marked and paused, and nothing was wrong.
FoundByTest healthy_incast() {
  return {.kind = "congestion",
          .in_short = "ECN_FIRST",
          .counted = {{"ECN marks", 900}, {"pause frames", 40}, {"dropped packets", 0}},
          .report = {.coverage = {{.check = "congestion", .planned = 4, .tested = 4}}}};
}

finding::Finding with_metric(const std::string& metric) {
  finding::Finding found = finding::found("congestion", finding::Cause::roce_setting,
                                          {.scope = finding::Scope::host, .at = {.host = "node2"}});
  found.detail = "what was seen";
  found.remedy = "what to do";
  found.evidence = {{.metric = "another"}, {.metric = metric}};
  return found;
}

Document judged_by(std::vector<FoundByTest> tests) {
  std::vector<HostFacts> facts;
  for (auto& one : fleet(machine("mlx5"), 3)) facts.push_back(facts_of(std::move(one)));
  Hosts hosts = understood(std::move(facts), {});
  hosts.found_by_tests = std::move(tests);
  hosts.asks_tests = true;
  std::vector<const Check*> all;
  for (const Check& check : all_checks())
    if (check.level == Level::fabric && check.adopts_from == "congestion") all.push_back(&check);
  return examine(hosts, all, {});
}

TEST(FabricChecks, AreSilentOnAHealthyFabric) {
  const Document found = judged_by({healthy_incast()});
  EXPECT_EQ(troubles(found), "");
  EXPECT_EQ(outcome(found.report), finding::Outcome::pass);
  EXPECT_EQ(summary_of(found, "incast-class").verdict, Verdict::skip);  // no switch was asked
}

/// With its place, evidence and remedy, and under one name.
TEST(FabricChecks, AdoptEachFindingOnce) {
  for (const auto& [metric, check] : {std::pair{"ECN marks", "incast-ecn"},
                                      {"CNPs sent", "incast-cnp"},
                                      {"CNPs received", "incast-cnp"},
                                      {"ignored CNPs", "incast-cnp"},
                                      {"pause frames in the second half", "incast-cnp"},
                                      {"pause frames", "incast-pfc"},
                                      {"dropped packets", "incast-buffer"},
                                      {"bandwidth", "incast-shares"},
                                      {"packets that changed their priority", "incast-class"},
                                      {"Jain index", "incast-shares"}}) {
    FoundByTest incast = healthy_incast();
    incast.report.findings = {with_metric(metric)};
    const Document found = judged_by({incast});
    ASSERT_EQ(found.report.findings.size(), 1U) << metric;
    EXPECT_EQ(found.report.findings[0].check, check);
    EXPECT_EQ(found.report.findings[0].where.at.host, "node2");
    EXPECT_EQ(remedy_of(found.report.findings[0]), "what to do");
  }
}

/// What a busy machine may be the reason of.
TEST(FabricChecks, APossibleFindingIsUnknown) {
  FoundByTest incast = healthy_incast();
  incast.report.findings = {with_metric("bandwidth")};
  incast.report.findings[0].certainty = finding::Certainty::possible;
  const Document found = judged_by({incast});
  EXPECT_TRUE(found.report.findings.empty());
  EXPECT_EQ(summary_of(found, "incast-shares").verdict, Verdict::unknown);
  EXPECT_EQ(outcome(found.report), finding::Outcome::inconclusive);
}

/// No link is searched where no path is bad.
TEST(FabricChecks, AreNotAskedForALinkWhereAllPathsAreWell) {
  std::vector<HostFacts> facts{facts_of(healthy(machine("mlx5")))};
  Hosts hosts = understood(std::move(facts), {});
  hosts.asks_tests = true;
  const Check* const check = find_check("isolated-link");
  EXPECT_EQ(examine(hosts, {check}, {}).checks.at(0).verdict, Verdict::unknown);
  hosts.pairs = PairProbes{.probes = {PairProbe{}}};
  EXPECT_EQ(examine(hosts, {check}, {}).checks.at(0).verdict, Verdict::skip);
  hosts.pairs->probes[0].did = Did::slowly;
  EXPECT_EQ(examine(hosts, {check}, {}).checks.at(0).verdict, Verdict::unknown);
}

/// No mark came, or nobody counts them: that is not ECN at work.
TEST(FabricChecks, SilenceOfWhatIsNotCountedIsUnknown) {
  for (const bool counted : {true, false}) {
    FoundByTest incast = healthy_incast();
    incast.counted["ECN marks"] = 0;
    if (!counted) incast.counted.clear();
    const Document found = judged_by({incast});
    EXPECT_EQ(summary_of(found, "incast-ecn").verdict, Verdict::unknown);
    EXPECT_EQ(summary_of(found, "incast-buffer").verdict,
              counted ? Verdict::pass : Verdict::unknown);
  }
}

TEST(FabricChecks, ATestThatCameToNoEndSaysNothing) {
  FoundByTest incast = healthy_incast();
  incast.report.coverage = {
      {.check = "congestion", .planned = 4, .tested = 0, .skipped = {"busy"}}};
  EXPECT_EQ(outcome(judged_by({incast}).report), finding::Outcome::inconclusive);
  EXPECT_EQ(outcome(judged_by({}).report), finding::Outcome::inconclusive);
}

}  // namespace
}  // namespace railgauge::doctor
