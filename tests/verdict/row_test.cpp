#include "verdict/row.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

Row one(const std::string& criterion, Answer answer, Subject subject = Subject::run) {
  return {.criterion = criterion, .subject = subject, .answer = answer};
}

TEST(Row, OneThatFailsFailsItsCriterion) {
  const Rows rows{one("a", Answer::passed), one("a", Answer::failed), one("b", Answer::passed)};
  EXPECT_EQ(outcome_of(rows, "a"), Outcome::fail);
  EXPECT_EQ(outcome_of(rows, "b"), Outcome::pass);
  EXPECT_EQ(outcome_of(rows), Outcome::fail);
}

TEST(Row, ACriterionWithEveryRowOpenIsInconclusive) {
  EXPECT_EQ(outcome_of({one("a", Answer::passed), one("a", Answer::open)}), Outcome::pass);
  EXPECT_EQ(outcome_of({one("a", Answer::passed), one("b", Answer::open)}), Outcome::inconclusive);
  EXPECT_EQ(outcome_of({}), Outcome::inconclusive) << "nothing was compared";
}

TEST(Row, ThatIsANoteCountsForNothing) {
  EXPECT_EQ(outcome_of({one("a", Answer::passed), one("b", Answer::note)}), Outcome::pass);
  EXPECT_EQ(outcome_of({one("b", Answer::note)}), Outcome::inconclusive);
}

/// One of two bandwidths is not known: that is no pass, though of a reference, which may lack some.
TEST(Row, ADemandForBandwidthNeedsAnAnswer) {
  for (const std::string criterion : {"line rate", "policy strict"}) {
    Rows rows{one(criterion, Answer::passed, Subject::plateau),
              one(criterion, Answer::open, Subject::plateau)};
    EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
    rows[0].answer = Answer::failed;
    EXPECT_EQ(outcome_of(rows), Outcome::fail);
  }
  EXPECT_EQ(outcome_of({one("reference r", Answer::passed),
                        one("reference r", Answer::open, Subject::plateau)}),
            Outcome::pass);
}

TEST(Row, ThatSeemsWorseIsAPossibleFinding) {
  Row slow = one("baseline b", Answer::open, Subject::plateau);
  slow.excuse = "these runs are too noisy";
  const finding::Report report = report_of({one("baseline b", Answer::passed), slow});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].certainty, finding::Certainty::possible);
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
  slow.subject = Subject::size;
  EXPECT_EQ(outcome_of({one("baseline b", Answer::passed), slow}), Outcome::pass);
}

TEST(Row, FailedSizesOfACurveAreOneFinding) {
  Rows rows;
  for (std::uint64_t size = 1024; size <= 16384; size *= 2) {
    Row row{.criterion = "baseline b", .subject = Subject::size, .collective = "all_reduce"};
    row.size_bytes = size;
    row.unit = "us";
    row.ours = 125;
    row.theirs = 100;
    row.ratio = 0.8;
    row.answer = size == 1024 ? Answer::passed : Answer::failed;
    rows.push_back(row);
  }
  const finding::Report report = report_of(rows);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(
      sentence(report.findings[0]),
      "fabric: all_reduce: 2K-16K slow by 20 %: time 125 us, expected 100 us (baseline b), in "
      "4 of 5 sizes, at 2K; locate it with railgauge diagnose");
}

TEST(Row, OfOtherNicsTheSharesOfLineRateAreTheEvidence) {
  Row row{.criterion = "reference r",
          .subject = Subject::plateau,
          .unit = "GB/s",
          .ours = 20,
          .theirs = 190,
          .ratio = 0.5,
          .ours_line_rate_fraction = 0.4,
          .theirs_line_rate_fraction = 0.8,
          .answer = Answer::failed};
  const finding::Finding found = finding_of(row);
  EXPECT_EQ(found.cause, finding::Cause::bandwidth);
  EXPECT_EQ(in_words(found.evidence[0]),
            "bandwidth 40 % of line rate, expected 80 % of line rate (reference r)");
}

TEST(ComparedText, SaysHowMuchWasCompared) {
  Rows rows(25, one("a", Answer::open, Subject::size));
  EXPECT_EQ(compared_text(rows), "");
  rows[3].answer = Answer::passed;
  EXPECT_EQ(compared_text(rows), "1 of 25 sizes");
  rows.push_back(one("a", Answer::passed, Subject::plateau));
  EXPECT_EQ(compared_text(rows), "bandwidth and 1 of 25 sizes");
  EXPECT_EQ(told_of(rows), "bandwidth and 1 of 25 sizes compared");
}

TEST(ComparedText, SaysWhatWasNotComparedAndWhatLimitsIt) {
  Rows rows{one("a", Answer::passed, Subject::dip), one("a", Answer::open, Subject::tail),
            one("a", Answer::open, Subject::counter), one("a", Answer::note)};
  EXPECT_EQ(told_of(rows), "dips compared, tail and counters not compared");
  rows.back().remark = "the hosts are not known";
  EXPECT_EQ(told_of(rows), "dips compared, tail and counters not compared");
  rows.back().limits = true;
  rows.push_back(rows.back());  // of another curve
  EXPECT_EQ(told_of(rows),
            "dips compared, tail and counters not compared; the hosts are not known");
  EXPECT_EQ(told_of({}), "");
}

TEST(Row, SizesThatAreMissingAreNotCovered) {
  Rows rows{one("a", Answer::passed, Subject::size), one("a", Answer::note, Subject::missing)};
  rows[1].missing = 10;
  EXPECT_EQ(compared_text(rows), "1 of 11 sizes");
  EXPECT_EQ(outcome_of(rows), Outcome::pass);
  EXPECT_EQ(outcome(report_of(rows), {.min_coverage = 0.5}), Outcome::inconclusive);
}

}  // namespace
}  // namespace railgauge::verdict
