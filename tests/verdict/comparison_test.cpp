#include "verdict/comparison.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sample_runs.hpp"
#include "verdict/judgement.hpp"

namespace railgauge::verdict {
namespace {

Outcome of(const RunSet& run_set, const Criteria& criteria) {
  return outcome_of(compared(run_set, criteria));
}

const Part& part_of(const Judgement& judgement, const std::string& criterion) {
  return *std::ranges::find(judgement.parts, criterion, &Part::criterion);
}

Outcome of(const Judgement& judgement, const std::string& criterion) {
  return outcome_of(judgement, part_of(judgement, criterion));
}

bool says(const Judgement& judgement, const std::string& words) {
  return headline(judgement).find(words) != std::string::npos;
}

TEST(Comparison, AsksSeveralQuestionsAtOnce) {
  const RunSet ours = measurement_with(straight_run(10, 24));
  Criteria criteria{.references = {reference_with(straight_run(10, 24))}, .line_rate = true};
  criteria.baselines = {ours};
  criteria.policies = {{.name = "p", .rules = {{.min_line_rate_percent = 90}}}};
  EXPECT_EQ(of(ours, criteria), Outcome::pass);
  std::vector<std::string> asked;
  for (const Part& part : compared(ours, criteria).parts) asked.push_back(part.criterion);
  EXPECT_EQ(asked, (std::vector<std::string>{"reference theirs", "line rate", "baseline ours.json",
                                             "policy p"}));
  criteria.policies[0].rules[0].min_line_rate_percent = 99;
  EXPECT_EQ(of(ours, criteria), Outcome::fail);
}

TEST(Comparison, WithNothingIsInconclusive) {
  EXPECT_EQ(of(measurement_with(straight_run(10, 24)), {}), Outcome::inconclusive);
  EXPECT_EQ(headline(compared(measurement_with(straight_run(10, 24)), {})),
            "comparison: tested 0 of 1: nothing was compared");
}

TEST(Comparison, ASearchForFaultyComponentsHasItsOutcomeAndNothingToCompare) {
  RunSet ours{.name = "search.json", .kind = "isolate"};
  ours.report = finding::Report{.coverage = {{.check = "components", .planned = 9, .tested = 9}}};
  EXPECT_EQ(of(ours, {}), Outcome::pass);
  Criteria criteria{.line_rate = true};
  criteria.baselines.push_back({.name = "then"});
  const Judgement judgement = compared(ours, criteria);
  EXPECT_EQ(of(judgement, "line rate"), Outcome::inconclusive);
  EXPECT_EQ(of(judgement, "baseline then"), Outcome::inconclusive);
  EXPECT_TRUE(passes_but_for_gaps(judgement));
  ours.report->coverage[0].tested = 5;
  EXPECT_EQ(of(ours, {}), Outcome::inconclusive);
  EXPECT_FALSE(passes_but_for_gaps(compared(ours, criteria)));
}

TEST(Comparison, OfAnotherKindOfBaselineIsInconclusive) {
  RunSet pairs{.name = "now", .kind = "pairs", .keyed = {{.key = "a"}}};
  const Judgement judgement =
      compared(pairs, {.baselines = {measurement_with(straight_run(1, 2))}});
  EXPECT_EQ(outcome_of(judgement), Outcome::inconclusive);
  EXPECT_NE(headline(judgement).find("the baseline is not a result of the kind pairs"),
            std::string::npos);
}

TEST(Comparison, SaysThatTheBaselineItselfFails) {
  RunSet before = measurement_with(straight_run(10, 24));
  before.report =
      finding::Report{.findings = {finding::found("run", finding::Cause::time_out, {})}};
  const Judgement judgement =
      compared(measurement_with(straight_run(10, 24)), {.baselines = {before}});
  EXPECT_EQ(judgement.parts[0].rows.back().remark,
            "the baseline itself is FAIL: 1 finding: fabric: time-out");
  EXPECT_TRUE(says(judgement, "the baseline itself is FAIL: 1 finding: fabric: time-out"));
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
}

TEST(Comparison, SaysThatTheLogOfAReferenceDidNotEndWell) {
  Reference reference = reference_with(straight_run(10, 24));
  const auto judged = [&](Ended how) {
    reference.ending = Ending{.how = how, .reasons = {"line 7: it broke"}};
    return compared(measurement_with(straight_run(10, 24)), {.references = {reference}});
  };
  EXPECT_TRUE(says(judged(Ended::cut), "the reference itself is INCONCLUSIVE: run: tested 0 of 1"));
  EXPECT_TRUE(says(judged(Ended::failed), "the reference itself is FAIL: 1 finding"));
  EXPECT_TRUE(says(judged(Ended::wrong_data), "the reference itself is FAIL: 1 finding"));
  EXPECT_FALSE(says(judged(Ended::complete), "itself"));
  EXPECT_FALSE(says(judged(Ended::unknown), "itself"));
  EXPECT_EQ(outcome_of(judged(Ended::failed)), Outcome::pass);
}

/// What is not known of two results is not the same.
TEST(Comparison, UnknownNeverMatchesUnknown) {
  const auto open = [](const verdict::Run& run, const std::string& why) {
    const RunSet ours = measurement_with(run);
    const Judgement judgement = compared(ours, {.baselines = {ours}});
    return outcome_of(judgement) == Outcome::inconclusive && says(judgement, why);
  };
  verdict::Run run = straight_run(10, 24);
  run.collective.clear();
  EXPECT_TRUE(open(run, "our collective is not known"));
  run = straight_run(10, 24);
  for (Point& point : run.points) point.type.clear();
  EXPECT_TRUE(open(run, "our element type is not known"));
  run = straight_run(10, 24);
  for (Point& point : run.points) point.op.clear();
  EXPECT_TRUE(open(run, "our reduction is not known"));
  run = straight_run(10, 24);
  run.ranks.reset();
  EXPECT_TRUE(open(run, "our number of ranks is not known"));
  run = straight_run(10, 24);
  for (Point& point : run.points) point.buffers = BufferMode::unstated;
  EXPECT_TRUE(open(run, "whether ours was in place is not known"));
}

/// Tests of two ranks, by bytes, have no type, operator and placement.
TEST(Comparison, OfTwoRanksNeedsTheirTestAlone) {
  verdict::Run run = straight_run(10, 24);
  run.collective = "ib_write_bw";
  run.ranks = 2;
  for (Point& point : run.points) {
    point.type.clear();
    point.op.clear();
    point.buffers = BufferMode::unstated;
  }
  EXPECT_EQ(of(measurement_with(run), {.baselines = {measurement_with(run)}}), Outcome::pass);
}

TEST(Comparison, OfUnknownHardwarePassesAndSaysSo) {
  verdict::Run run = straight_run(10, 24);
  EXPECT_FALSE(
      says(compared(measurement_with(run), {.baselines = {measurement_with(run)}}), "not known"));
  run.nodes.reset();
  run.nics_per_node.reset();
  run.line_rate_gigabits_per_second.reset();
  const Judgement judgement =
      compared(measurement_with(run), {.baselines = {measurement_with(run)}});
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
  EXPECT_TRUE(says(judgement, "not known to be the same: hosts, NICs of a host and line rate"));
}

/// A reference may be of another type and size: what is not known of it weighs.
TEST(Comparison, OfAReferenceThatSaysLittlePassesAndSaysSo) {
  const Criteria known{.references = {reference_with(straight_run(10, 24))}};
  EXPECT_FALSE(says(compared(measurement_with(straight_run(10, 24)), known), "not known"));
  verdict::Run silent = straight_run(10, 24);
  for (Point& point : silent.points) {
    point.type.clear();
    point.op.clear();
    point.buffers = BufferMode::unstated;
  }
  const Judgement judgement =
      compared(measurement_with(straight_run(10, 24)), {.references = {reference_with(silent)}});
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
  EXPECT_TRUE(says(judgement, "not known to be the same: element type, operator and placement"));
}

TEST(Comparison, OfUnknownRanksWithAReferenceIsInconclusive) {
  verdict::Run ours = straight_run(10, 24);
  ours.ranks.reset();
  const Judgement judgement =
      compared(measurement_with(ours),
               {.references = {reference_with(straight_run(10, 24))}, .terms = {.absolute = true}});
  EXPECT_EQ(outcome_of(judgement), Outcome::inconclusive);
  EXPECT_TRUE(says(judgement, "our number of ranks is not known"));
}

TEST(Comparison, OfOneSizeSaysSoInTheHeadline) {
  verdict::Run one = straight_run(10, 24);
  one.points = {one.points[20]};
  const Judgement judgement =
      compared(measurement_with(straight_run(10, 24)), {.baselines = {measurement_with(one)}});
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
  EXPECT_NE(headline(judgement).find("1 of 28 sizes"), std::string::npos) << headline(judgement);
  Criteria criteria{.baselines = {measurement_with(one)}};
  criteria.policies = {{.name = "p", .decides = {.min_coverage = 0.9}}};
  EXPECT_EQ(of(measurement_with(straight_run(10, 24)), criteria), Outcome::inconclusive);
}

/// The same rule where ours is the one that lacks sizes.
TEST(Comparison, OfOneSizeOfTheBaselineSaysSoInTheHeadline) {
  verdict::Run one = straight_run(10, 24);
  one.points = {one.points.back()};
  Criteria criteria{.baselines = {measurement_with(straight_run(10, 24))}};
  const Judgement judgement = compared(measurement_with(one), criteria);
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
  EXPECT_TRUE(says(judgement, "bandwidth and 1 of 28 sizes compared"));
  criteria.policies = {{.name = "p", .decides = {.min_coverage = 0.9}}};
  EXPECT_EQ(of(measurement_with(one), criteria), Outcome::inconclusive);
  criteria.policies.clear();
  criteria.terms.counted = CountedSizes{{0, 1024}, {1U << 30U, UINT64_MAX}};
  EXPECT_TRUE(says(compared(measurement_with(one), criteria), "1 of 9 sizes compared"));
}

/// Small sizes have a latency; what bandwidth they have is none.
TEST(Comparison, OfSmallSizesComparesNoBandwidth) {
  verdict::Run small = straight_run(10, 24);
  small.points.resize(10);
  const RunSet whole = measurement_with(straight_run(10, 24));
  const Judgement judgement = compared(measurement_with(small), {.baselines = {whole}});
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
  EXPECT_TRUE(says(judgement, ": latency and 10 of 28 sizes compared"));
  verdict::Run middle = straight_run(10, 24);
  middle.points.resize(14);
  EXPECT_TRUE(says(compared(measurement_with(middle), {.baselines = {whole}}),
                   ": latency and 14 of 28 sizes compared, bandwidth not compared"));
  EXPECT_TRUE(
      says(compared(whole, {.baselines = {whole}}), ": bandwidth, latency and 28 sizes compared"));
}

TEST(Comparison, SaysWhatAPolicyAskedInVain) {
  Criteria criteria;
  criteria.policies = {{.name = "p", .rules = {{.max_p999_ms = 10, .max_dip_percent = 50}}}};
  const Judgement judgement = compared(measurement_with(straight_run(10, 24)), criteria);
  EXPECT_TRUE(says(judgement, "dips compared, tail not compared"));
}

TEST(Comparison, OfAnEmptyReferenceNamesWhatItIs) {
  const Judgement judgement = compared({.name = "empty.json"}, {.line_rate = true});
  EXPECT_TRUE(says(judgement, "a reference without runs has no bandwidth over size"));
}

RunSet logged(const Ending& ending, const verdict::Run& run = straight_run(10, 24)) {
  return run_set_of(Input(Reference{.name = "log", .ending = ending, .runs = {run}}), "log.json");
}

TEST(Comparison, TellsLinesThatWereNotUnderstood) {
  const auto judged = [](std::size_t lines) {
    return compared(logged({.how = Ended::complete, .skipped_lines = lines}), {.line_rate = true});
  };
  EXPECT_EQ(outcome_of(judged(1)), Outcome::pass);
  EXPECT_TRUE(says(judged(1), "run: 1 line of the log was not understood"));
  EXPECT_EQ(reasons_of(judged(2), part_of(judged(2), kOwn)),
            std::vector<std::string>{"2 lines of the log were not understood"});
  EXPECT_FALSE(says(judged(0), "understood"));
}

TEST(Comparison, OfALogThatFailedTestedWhatItCompared) {
  const RunSet crashed = logged({.how = Ended::failed, .reasons = {"line 7: killed"}});
  const Judgement judgement = compared(crashed, {.line_rate = true});
  EXPECT_EQ(outcome_of(judgement), Outcome::fail);
  EXPECT_EQ(reasons_of(judgement, part_of(judgement, kOwn)).size(), 1U);
}

/// railgauge diagnose reads results of railgauge.
TEST(Comparison, OfALogNamesARemedyThatIsThere) {
  const verdict::Run slow = straight_run(10, 12);
  const auto remedy = [](const Judgement& judgement) {
    return part_of(judgement, "line rate").report.findings.at(0).remedy;
  };
  RunSet ours = measurement_with(slow);
  ours.kind = "collective";
  EXPECT_EQ(remedy(compared(ours, {.line_rate = true})), kLocate);
  EXPECT_EQ(remedy(compared(logged({.how = Ended::complete}, slow), {.line_rate = true})),
            "measure it with railgauge, and locate it with railgauge diagnose");
}

TEST(Comparison, NotesDipsWithoutJudgingThem) {
  verdict::Run run = straight_run(10, 24);
  run.points[20].busbw_gigabytes_per_second = 20;
  const Judgement judgement = compared(measurement_with(run), {.line_rate = true});
  EXPECT_EQ(only(part_of(judgement, "shape").rows, Subject::dip).remark,
            "4M, which is smaller, has 23.12 GB/s");
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
}

TEST(Comparison, NotesADipOfTheAlgorithmOfItsSize) {
  verdict::Run run = straight_run(10, 24);
  for (std::size_t i = 0; i < 11; ++i) run.points[i].algorithm = "direct";
  const auto algorithm_of_dip = [](const verdict::Run& one) {
    return only(compared(measurement_with(one), {}).parts[0].rows, Subject::dip).algorithm;
  };
  verdict::Run small = run;
  small.points[5].time_us = 20;
  EXPECT_EQ(algorithm_of_dip(small), "direct");
  run.points[20].busbw_gigabytes_per_second = 20;
  EXPECT_EQ(algorithm_of_dip(run), "ring");
}

RunSet with_finding(finding::Cause cause, finding::Severity severity) {
  RunSet run_set = measurement_with(straight_run(10, 24));
  finding::Finding finding = finding::found("diagnosis", cause, {});
  finding.severity = severity;
  run_set.report = {{finding}, {{.check = "rows", .planned = 1, .tested = 1}}};
  return run_set;
}

TEST(Comparison, FailsARunWithAnErrorInItsFindingsHoweverFastItWas) {
  const RunSet run_set = with_finding(finding::Cause::packet_loss, finding::Severity::error);
  const Judgement judgement = compared(run_set, {.line_rate = true});
  EXPECT_EQ(outcome_of(judgement), Outcome::fail);
  EXPECT_EQ(of(judgement, kOwn), Outcome::fail);
  EXPECT_EQ(of(judgement, "line rate"), Outcome::pass);
}

TEST(Comparison, ShowsAWarningAndPasses) {
  const RunSet run_set = with_finding(finding::Cause::latency, finding::Severity::warning);
  const Judgement judgement = compared(run_set, {.line_rate = true});
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
  EXPECT_EQ(reasons_of(judgement, judgement.parts[0])[0].find("warning: fabric: high latency"), 0U);
  Criteria strict{.policies = {{.name = "p", .decides = {.fail_at = finding::Severity::warning}}}};
  EXPECT_EQ(of(run_set, strict), Outcome::fail);
}

/// A figure that is too low is likely a failure of the fabric, and not confirmed.
TEST(Comparison, FailsFromTheCertaintyOfItsPolicyOn) {
  const RunSet slow = measurement_with(straight_run(10, 12));
  Criteria criteria{.baselines = {measurement_with(straight_run(10, 24))}};
  criteria.policies = {{.name = "p"}};
  EXPECT_EQ(of(slow, criteria), Outcome::fail);
  criteria.policies = {{.name = "p", .decides = {.sure_at = finding::Certainty::confirmed}}};
  EXPECT_EQ(of(slow, criteria), Outcome::inconclusive);
  criteria.policies.push_back({.name = "q"});
  EXPECT_EQ(of(slow, criteria), Outcome::fail) << "the other is stricter";
  EXPECT_EQ(of(criteria.baselines[0], criteria), Outcome::pass);
}

/// It decides no more, and every output has it.
TEST(Comparison, ShowsAWaivedFinding) {
  const RunSet run_set = with_finding(finding::Cause::packet_loss, finding::Severity::error);
  Criteria criteria{.line_rate = true};
  criteria.policies = {{.name = "p", .decides = {.waivers = {{"packet-loss", "cable ordered"}}}}};
  const Judgement judgement = compared(run_set, criteria);
  EXPECT_EQ(outcome_of(judgement), Outcome::pass);
  std::ostringstream out;
  write_table(out, {judgement});
  EXPECT_NE(out.str().find("packet loss (waived: cable ordered)"), std::string::npos) << out.str();
  EXPECT_NE(json_text({judgement}).find(R"("waived": "cable ordered")"), std::string::npos);
}

TEST(Comparison, ARunThatTestedNothingIsInconclusive) {
  RunSet run_set = measurement_with(straight_run(10, 24));
  run_set.report = finding::Report{.coverage = {{.check = "run", .planned = 1}}};
  EXPECT_EQ(of(run_set, {.line_rate = true}), Outcome::inconclusive);
}

TEST(Judgement, IsATable) {
  std::ostringstream out;
  write_table(out, {compared(measurement_with(straight_run(10, 24)), {.line_rate = true})});
  EXPECT_EQ(out.str().find("PASS  ours.json: line rate: bandwidth compared\n"), 0U) << out.str();
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

/// The outcome, then a line for each reason, then the rows.
TEST(Judgement, SaysFirstWhatItComesTo) {
  verdict::Run slow = straight_run(10, 20);
  for (std::size_t at = 13; at < 18; ++at)
    slow.points[at].time_us = *slow.points[at].time_us * 1.25;
  std::ostringstream out;
  write_table(out, {compared(measurement_with(slow),
                             {.baselines = {measurement_with(straight_run(10, 20))}})});
  const std::string text = out.str();
  EXPECT_EQ(text.find("FAIL  ours.json:\n  1 finding: fabric: all_reduce float sum ring "
                      "out_of_place: 64K-1M slow by 20 %; baseline"),
            0U)
      << text;
  EXPECT_LE(longest_line(text), 100u) << text;
  EXPECT_LT(text.find("\n    - error: fabric: all_reduce"), text.find("pass, ")) << text;
}

TEST(Judgement, OfSoftwareDevicesIsNoBarePass) {
  RunSet ours = measurement_with(straight_run(10, 24));
  ours.software = true;
  const Judgement judgement = compared(ours, {.line_rate = true});
  std::ostringstream out;
  write_table(out, {judgement});
  EXPECT_EQ(out.str().substr(0, 18), "PASS (SOFTWARE)  o");
  EXPECT_NE(out.str().find("\n  PASS (SOFTWARE)  line rate: "), std::string::npos) << out.str();
  const auto json = nlohmann::json::parse(json_text({judgement}));
  EXPECT_EQ(json["software"], true);
  EXPECT_EQ(json["results"][0]["software"], true);
}

TEST(Judgement, OfASlowFabricHasFigures) {
  std::ostringstream out;
  write_table(out, {{.result = "slow",
                     .parts = {{.criterion = "baseline then",
                                .rows = {{.unit = "GB/s", .ours = 0.00259, .theirs = 0.00331},
                                         {.unit = "GB/s", .ours = 0.5, .theirs = 0.0}}}}}});
  EXPECT_NE(out.str().find("0.00259     0.00331  GB/s"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("0.50        0.00  GB/s"), std::string::npos) << out.str();
}

TEST(Judgement, IsADocument) {
  const Judgement judgement = compared(measurement_with(straight_run(10, 2)), {.line_rate = true});
  const auto json = nlohmann::json::parse(json_text({judgement}));
  EXPECT_EQ(json["outcome"], "FAIL");
  const auto& line_rate = json["results"][0]["criteria"][0];
  EXPECT_EQ(line_rate["criterion"], "line rate");
  EXPECT_EQ(line_rate["outcome"], "FAIL");
  EXPECT_EQ(line_rate["findings"][0]["cause"], "bandwidth");
  EXPECT_EQ(line_rate["coverage"][0]["tested"], 1);
  const auto& row = line_rate["rows"].back();
  EXPECT_EQ(row["about"], "plateau");
  EXPECT_EQ(row["ranks"], 4);
  EXPECT_EQ(row["remark"], nullptr);
}

}  // namespace
}  // namespace railgauge::verdict
