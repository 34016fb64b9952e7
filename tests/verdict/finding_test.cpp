#include "verdict/finding.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

Finding one(const std::string& criterion, Verdict verdict) {
  return {.criterion = criterion, .verdict = verdict};
}

TEST(Finding, OfACriterionFailsIfOneDoes) {
  const Findings findings{one("a", Verdict::pass), one("a", Verdict::fail),
                          one("b", Verdict::pass)};
  EXPECT_EQ(verdict_of(findings, "a"), Verdict::fail);
  EXPECT_EQ(verdict_of(findings, "b"), Verdict::pass);
  EXPECT_EQ(verdict_of(findings), Verdict::fail);
  EXPECT_EQ(criteria_of(findings), (std::vector<std::string>{"a", "b"}));
}

TEST(Finding, ThatIsUnansweredIsNoPass) {
  EXPECT_EQ(verdict_of({one("a", Verdict::pass), one("a", Verdict::no_reference)}), Verdict::pass);
  EXPECT_EQ(verdict_of({one("a", Verdict::pass), one("b", Verdict::no_reference)}),
            Verdict::no_reference);
}

TEST(Finding, ThatIsANoteCountsForNothing) {
  EXPECT_EQ(verdict_of({one("a", Verdict::pass), one("b", Verdict::note)}), Verdict::pass);
  EXPECT_EQ(worse(Verdict::note, Verdict::no_reference), Verdict::no_reference);
  EXPECT_EQ(worse(Verdict::pass, Verdict::no_reference), Verdict::no_reference);
  EXPECT_EQ(worse(Verdict::fail, Verdict::no_reference), Verdict::fail);
  EXPECT_EQ(worse(Verdict::inconclusive, Verdict::no_reference), Verdict::inconclusive);
  EXPECT_EQ(worse(Verdict::inconclusive, Verdict::fail), Verdict::fail);
}

/// One of two bandwidths is not known: that is no pass, though of a reference, which may lack some.
TEST(Finding, WithoutAnAnswerToADemandIsNoPass) {
  for (const std::string criterion : {"line rate", "policy strict"}) {
    Findings findings{
        {.criterion = criterion, .subject = Subject::plateau, .verdict = Verdict::pass},
        {.criterion = criterion, .subject = Subject::plateau}};
    EXPECT_EQ(verdict_of(findings, criterion), Verdict::no_reference);
    findings[0].verdict = Verdict::fail;
    EXPECT_EQ(verdict_of(findings, criterion), Verdict::fail);
  }
  EXPECT_EQ(verdict_of({{.criterion = "reference r", .verdict = Verdict::pass},
                        {.criterion = "reference r", .subject = Subject::plateau}},
                       "reference r"),
            Verdict::pass);
}

}  // namespace
}  // namespace railgauge::verdict
