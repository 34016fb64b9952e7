#include "verdict/comparison.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sample_runs.hpp"
#include "verdict/judgement.hpp"

namespace railgauge::verdict {
namespace {

Verdict of(const RunSet& run_set, const Criteria& criteria) {
  return verdict_of(compared(run_set, criteria).findings);
}

TEST(Comparison, AsksSeveralQuestionsAtOnce) {
  const RunSet ours = measurement_with(straight_run(10, 24));
  Criteria criteria{.references = {reference_with(straight_run(10, 24))}, .line_rate = true};
  criteria.baselines = {ours};
  criteria.policies = {{.name = "p", .rules = {{.min_line_rate_percent = 90}}}};
  EXPECT_EQ(of(ours, criteria), Verdict::pass);
  EXPECT_EQ(criteria_of(compared(ours, criteria).findings),
            (std::vector<std::string>{"run", "reference theirs", "line rate", "baseline ours.json",
                                      "policy p"}));
  criteria.policies[0].rules[0].min_line_rate_percent = 99;
  EXPECT_EQ(of(ours, criteria), Verdict::fail);
}

TEST(Comparison, APartialRunFailsWhateverItsFigures) {
  RunSet ours = measurement_with(straight_run(10, 24));
  ours.failures = {"the run did not end well: time-out"};
  EXPECT_EQ(of(ours, {.line_rate = true}), Verdict::fail);
}

TEST(Comparison, OfAPartialBaselineSaysSo) {
  RunSet before = measurement_with(straight_run(10, 24));
  before.failures = {"interrupted"};
  const Judgement judgement =
      compared(measurement_with(straight_run(10, 24)), {.baselines = {before}});
  EXPECT_EQ(judgement.findings.back().remark,
            "the baseline is an incomplete or wrong run: interrupted");
}

TEST(Comparison, NotesDipsWithoutJudgingThem) {
  verdict::Run run = straight_run(10, 24);
  run.points[20].busbw_gigabytes_per_second = 20;
  const Judgement judgement = compared(measurement_with(run), {.line_rate = true});
  EXPECT_EQ(only(judgement.findings, Subject::dip).remark, "4M, which is smaller, has 23.12 GB/s");
  EXPECT_EQ(verdict_of(judgement.findings), Verdict::pass);
}

TEST(Comparison, NotesADipOfTheAlgorithmOfItsSize) {
  verdict::Run run = straight_run(10, 24);
  for (std::size_t i = 0; i < 11; ++i) run.points[i].algorithm = "direct";
  const auto algorithm_of_dip = [](const verdict::Run& one) {
    return only(compared(measurement_with(one), {}).findings, Subject::dip).algorithm;
  };
  verdict::Run small = run;
  small.points[5].time_us = 20;
  EXPECT_EQ(algorithm_of_dip(small), "direct");
  run.points[20].busbw_gigabytes_per_second = 20;
  EXPECT_EQ(algorithm_of_dip(run), "ring");
}

TEST(Comparison, NotesWhoIsBlamedWithoutJudging) {
  RunSet run_set = measurement_with(straight_run(10, 24));
  run_set.blamed = {{.cause = "latency", .scope = "port", .text = "what rank 2 sends: latency"}};
  const Judgement judgement = compared(run_set, {.line_rate = true});
  const Finding found = only(judgement.findings, Subject::path);
  EXPECT_EQ(found.verdict, Verdict::note);
  EXPECT_EQ(found.remark, "what rank 2 sends: latency");
  EXPECT_EQ(verdict_of(judgement.findings), Verdict::pass);
}

TEST(Judgement, IsATable) {
  std::ostringstream out;
  write_table(out, {compared(measurement_with(straight_run(10, 24)), {.line_rate = true})});
  EXPECT_NE(out.str().find("PASS  ours.json: bandwidth fine\n"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("  all_reduce float sum ring out_of_place 4 ranks 2 NICs a host\n"),
            std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("\n    PASS          plateau"), std::string::npos) << out.str();
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

/// The verdict, then a line for each reason, then the details.
TEST(Judgement, SaysFirstWhatItComesTo) {
  verdict::Run slow = straight_run(10, 20);
  for (std::size_t at = 13; at < 18; ++at)
    slow.points[at].time_us = *slow.points[at].time_us * 1.25;
  std::ostringstream out;
  write_table(out, {compared(measurement_with(slow),
                             {.baselines = {measurement_with(straight_run(10, 20))}})});
  const std::string text = out.str();
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "FAIL  ours.json: bandwidth fine; latency fine; 64K-1M slow by 20 %");
  EXPECT_LE(longest_line(text), 100u) << text;
  EXPECT_LT(text.find("\n    - 64K-1M slow by 20 %\n"), text.find("pass, ")) << text;
}

TEST(Judgement, OfSoftwareDevicesIsNoBarePass) {
  RunSet ours = measurement_with(straight_run(10, 24));
  ours.software = true;
  const Judgement judgement = compared(ours, {.line_rate = true});
  std::ostringstream out;
  write_table(out, {judgement});
  EXPECT_EQ(out.str().substr(0, 18), "PASS (SOFTWARE)  o");
  EXPECT_NE(out.str().find("\n  PASS (SOFTWARE)  line rate: "), std::string::npos) << out.str();
  const auto json = nlohmann::json::parse(json_text({judgement}, Verdict::pass));
  EXPECT_EQ(json["software"], true);
  EXPECT_EQ(json["results"][0]["software"], true);
}

TEST(Judgement, OfASlowFabricHasFigures) {
  std::ostringstream out;
  write_table(
      out, {{.result = "slow",
             .findings = {
                 {.criterion = "baseline then", .unit = "GB/s", .ours = 0.00259, .theirs = 0.00331},
                 {.criterion = "baseline then", .unit = "GB/s", .ours = 0.5, .theirs = 0.0}}}});
  EXPECT_NE(out.str().find("0.00259     0.00331  GB/s"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("0.50        0.00  GB/s"), std::string::npos) << out.str();
}

TEST(Judgement, IsADocument) {
  const Judgement judgement = compared(measurement_with(straight_run(10, 2)), {.line_rate = true});
  const auto json = nlohmann::json::parse(json_text({judgement}, Verdict::fail));
  EXPECT_EQ(json["verdict"], "FAIL");
  EXPECT_EQ(json["results"][0]["criteria"][1]["criterion"], "line rate");
  EXPECT_EQ(json["results"][0]["criteria"][1]["verdict"], "FAIL");
  const auto& finding = json["results"][0]["findings"].back();
  EXPECT_EQ(finding["about"], "plateau");
  EXPECT_EQ(finding["ranks"], 4);
  EXPECT_EQ(finding["remark"], nullptr);
}

}  // namespace
}  // namespace railgauge::verdict
