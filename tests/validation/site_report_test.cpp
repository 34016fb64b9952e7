#include "validation/site_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "finding/places.hpp"
#include "validation/scratch_folder.hpp"

namespace railgauge::validation {
namespace {

using finding::Cause;
using finding::Outcome;

Assessment with(Outcome outcome, const std::string& headline = "") {
  return {.standing = Standing::assessed, .outcome = outcome, .headline = headline};
}

class ReportOfASite : public testing::Test {
 protected:
  [[nodiscard]] SiteReport report_of(std::vector<Assessment> assessments) const {
    return site_report_of(journal_, site_, std::move(assessments));
  }

  ScratchFolder scratch_{};
  Site site_{scratch_.path()};
  Journal journal_{.plan = {.name = "site <1>",
                            .stages = {{.name = "doctor", .kind = Kind::doctor, .limit = "1m"},
                                       {.name = "soak", .kind = Kind::soak, .limit = "1m"}}}};
};

TEST_F(ReportOfASite, AllThatPassIsAPass) {
  const SiteReport report = report_of({with(Outcome::pass), with(Outcome::pass)});
  EXPECT_EQ(verdict_of(report), "PASS");
  EXPECT_TRUE(gaps_of(report).empty());
}

TEST_F(ReportOfASite, AStageThatWasSkippedKeepsItFromPass) {
  const SiteReport report =
      report_of({with(Outcome::pass), not_run(Standing::skipped, "job_perf is not installed")});
  EXPECT_EQ(report.outcome, Outcome::inconclusive);
  EXPECT_EQ(headline_of(report), "soak was skipped: job_perf is not installed");
}

TEST_F(ReportOfASite, AStageThatWasNotNeededDoesNot) {
  const SiteReport report =
      report_of({with(Outcome::pass), not_run(Standing::not_needed, "nothing was slow")});
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_EQ(verdict_of(report.stages[1]), "not needed");
}

TEST_F(ReportOfASite, OneFailureIsAFailure) {
  EXPECT_EQ(report_of({with(Outcome::inconclusive), with(Outcome::fail)}).outcome, Outcome::fail);
}

TEST_F(ReportOfASite, AnOutcomeOfSoftwareDevicesIsMarked) {
  Assessment software = with(Outcome::pass);
  software.software = true;
  EXPECT_EQ(verdict_of(report_of({software, with(Outcome::pass)})), "PASS (SOFTWARE)");
}

TEST_F(ReportOfASite, WhatThePlanDoesNotHaveIsSaid) {
  const SiteReport report = report_of({with(Outcome::pass), with(Outcome::pass)});
  EXPECT_NE(markdown(report).find("not in this plan"), std::string::npos);
  EXPECT_EQ(report.not_planned.size(), 6U);  // all but doctor and soak; isolate is no step
}

class ReportOfAFailure : public ReportOfASite {
 protected:
  ReportOfAFailure() {
    Assessment soak = with(Outcome::fail, "1 finding");
    finding::Finding loss =
        finding::found("soak", Cause::packet_loss, finding::port_of("node<3>", 1));
    loss.detail = "lost & <gone>";
    soak.report.findings = {loss};
    Assessment doctor = with(Outcome::fail);
    doctor.report.findings = {
        finding::found("doctor", Cause::link_down, finding::port_of("node<3>", 1))};
    report_ = report_of({doctor, soak});
  }

  SiteReport report_{};
};

TEST_F(ReportOfAFailure, TheCauseIsFirstAndItsSymptomBelow) {
  const std::string text = markdown(report_);
  const auto cause = text.find("link went down");
  const auto symptom = text.find("lost &amp;");
  ASSERT_NE(cause, std::string::npos) << text;
  ASSERT_NE(symptom, std::string::npos) << text;
  EXPECT_LT(cause, symptom);
  EXPECT_NE(headline_of(report_).find("1 cause: node<3> mlx5_1 (rail 1)"), std::string::npos);
}

/// A terminal gets them as they are.
TEST_F(ReportOfAFailure, TheTextBeginsWithTheVerdictAndItsCause) {
  const std::string said = text(report_);
  EXPECT_TRUE(said.starts_with("FAIL: plan site <1>: 1 cause: node<3> mlx5_1 (rail 1)")) << said;
  const auto cause = said.find("\nwhat to fix first\n  1. node<3>");
  const auto symptom = said.find("lost & <gone>");
  const auto stages = said.find("\n  stage   verdict  measured\n  doctor  FAIL\n");
  ASSERT_NE(cause, std::string::npos) << said;
  ASSERT_NE(stages, std::string::npos) << said;
  EXPECT_LT(cause, symptom) << said;
  EXPECT_LT(symptom, stages) << said;
}

TEST_F(ReportOfAFailure, EveryFormEscapesWhatDocumentsSay) {
  for (const std::string& text : {page(report_), junit(report_), markdown(report_)}) {
    EXPECT_EQ(text.find("<3>"), std::string::npos);
    EXPECT_EQ(text.find("<gone>"), std::string::npos);
  }
}

TEST_F(ReportOfASite, WaiversAreShownWithWhatTheyAccept) {
  Assessment soak = with(Outcome::pass);
  soak.report.findings = {finding::found("soak", Cause::packet_loss, finding::port_of("node3", 1))};
  soak.report.findings[0].waived = "spare cable (until 2027-01-01)";
  const Waivers waivers{{{"packet-loss", "spare cable", "2027-01-01"},
                         {"mtu", "old switch", "2027-01-01"},
                         {"firmware", "next window", "2026-01-01"}}};
  const SiteReport report =
      site_report_of(journal_, site_, {with(Outcome::pass), soak}, waivers, "2026-11-27");
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_TRUE(report.causes.empty());
  const auto lines = waivers_of(report);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "soak: node3 mlx5_1 (rail 1): packet loss (waived: spare cable (until 2027-01-01))");
  EXPECT_TRUE(lines[1].starts_with("mtu: no finding has this id"));
  EXPECT_TRUE(lines[2].starts_with("firmware: its waiver expired on 2026-01-01"));
  EXPECT_NE(markdown(report).find("## Waivers"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(json_text(report))["waivers"].size(), 3U);
}

TEST_F(ReportOfASite, OfThousandsOfCausesAHundredAreShown) {
  Assessment soak = with(Outcome::fail, "5000 findings");
  for (int host = 0; host < 5000; ++host)
    soak.report.findings.push_back(finding::found(
        "soak", Cause::packet_loss, finding::port_of("host" + std::to_string(host), 1)));
  const SiteReport report = report_of({with(Outcome::pass), soak});
  EXPECT_EQ(report.causes.size(), 5000U);
  for (const std::string& text : {page(report), markdown(report)}) {
    EXPECT_NE(text.find("and 4900 more causes: see report.json"), std::string::npos);
    EXPECT_LT(text.size(), 300'000U);
  }
}

TEST(SymptomsOfACause, OfManyInAStageTheFirstAreShown) {
  CauseGroup group{.stages = {"bandwidth", "soak"}};
  for (int peer = 0; peer < 5; ++peer)
    group.symptoms.push_back(
        {"bandwidth", finding::found("pairs", Cause::bandwidth,
                                     finding::path_of("a", "b" + std::to_string(peer), 1))});
  group.symptoms.push_back(
      {"soak", finding::found("soak", Cause::packet_loss, finding::port_of("a", 1))});
  const auto lines = symptoms_of(group);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[3], "bandwidth: and 2 more findings");
  EXPECT_TRUE(lines[4].starts_with("soak: a mlx5_1 (rail 1)"));
}

TEST_F(ReportOfAFailure, JUnitHasACaseForEachStage) {
  const std::string text = junit(report_);
  EXPECT_NE(text.find("tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\""), std::string::npos)
      << text;
}

TEST_F(ReportOfAFailure, TheDocumentHasCausesWithSymptoms) {
  const auto json = nlohmann::json::parse(json_text(report_));
  EXPECT_EQ(json.at("outcome"), "FAIL");
  ASSERT_EQ(json.at("causes").size(), 1U);
  EXPECT_EQ(json["causes"][0]["finding"]["cause"], "link-down");
  EXPECT_EQ(json["causes"][0]["symptoms"][0]["stage"], "soak");
}

TEST_F(ReportOfAFailure, AllFormsAreWritten) {
  write_report(report_, site_);
  for (const char* const name : {"report.md", "report.json", "report.html", "junit.xml"})
    EXPECT_FALSE(scratch_.read(name).empty()) << name;
}

}  // namespace
}  // namespace railgauge::validation
