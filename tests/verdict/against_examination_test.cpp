#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/codec.hpp"
#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using doctor::Verdict;

/// Of each host what the check "mtu" says.
RunSet examined(const std::vector<std::pair<std::string, Verdict>>& hosts) {
  doctor::Document document;
  doctor::CheckSummary mtu{.name = "mtu", .about = "port"};
  for (const auto& [host, verdict] : hosts) {
    if (verdict != Verdict::pass)
      mtu.remarks.push_back({verdict, "MTU of " + host, 1, {host}, {document.hosts.size()}});
    document.hosts.push_back(host);
    mtu.verdict = std::max(mtu.verdict, verdict);
  }
  document.checks = {mtu, {.name = "pfc", .about = "port", .verdict = Verdict::pass}};
  document.report.coverage = {{.check = "mtu", .planned = 1, .tested = 1}};
  return {.name = "now", .kind = "doctor", .report = document.report, .hosts = document};
}

Judgement against(const RunSet& ours, const RunSet& theirs) {
  return compared(ours, {.baselines = {theirs}});
}

std::string remarks_of(const Judgement& judgement) {
  std::string text;
  for (const Row& row : judgement.parts.back().rows)
    text += std::string(word(row.answer)) + ": " + remark_of(row) + "\n";
  return text;
}

TEST(AgainstExamination, WhatIsAsItWasPasses) {
  const RunSet same = examined({{"a", Verdict::warn}, {"b", Verdict::pass}});
  const Judgement judgement = against(same, same);
  EXPECT_EQ(outcome_of(judgement), finding::Outcome::pass) << remarks_of(judgement);
  EXPECT_EQ(remarks_of(judgement), "PASS: 2 checks as in the baseline\n");
}

TEST(AgainstExamination, WhatBecameWorseFailsAndIsNamed) {
  const Judgement judgement = against(examined({{"a", Verdict::fail}, {"b", Verdict::pass}}),
                                      examined({{"b", Verdict::pass}, {"a", Verdict::warn}}));
  EXPECT_EQ(outcome_of(judgement), finding::Outcome::fail);
  EXPECT_EQ(remarks_of(judgement),
            "FAIL: mtu is FAIL, was WARN, on a: MTU of a\n"
            "PASS: 1 check as in the baseline\n");
}

TEST(AgainstExamination, WhatIsRepairedIsANote) {
  const Judgement judgement =
      against(examined({{"a", Verdict::pass}}), examined({{"a", Verdict::fail}}));
  EXPECT_EQ(outcome_of(judgement), finding::Outcome::pass);
  EXPECT_EQ(remarks_of(judgement).find("note: mtu is PASS, was FAIL (repaired), on a\n"), 0U);
}

TEST(AgainstExamination, WhatIsNotKnownAnyMoreIsOpen) {
  const RunSet then = examined({{"a", Verdict::pass}, {"b", Verdict::pass}});
  const RunSet unread = examined({{"a", Verdict::unknown}, {"b", Verdict::pass}});
  EXPECT_EQ(outcome_of(against(unread, then)), finding::Outcome::inconclusive);
  const Judgement lost = against(examined({{"a", Verdict::pass}}), then);
  EXPECT_EQ(outcome_of(lost), finding::Outcome::inconclusive);
  EXPECT_NE(remarks_of(lost).find("b: of the baseline, and not examined again"), std::string::npos);
  const Judgement more = against(then, examined({{"a", Verdict::pass}}));
  EXPECT_EQ(outcome_of(more), finding::Outcome::pass) << remarks_of(more);
}

TEST(AgainstExamination, WhatIsNotCheckedAgainIsOpen) {
  const RunSet then = examined({{"a", Verdict::fail}, {"b", Verdict::pass}});
  const Judgement skipped = against(examined({{"a", Verdict::skip}, {"b", Verdict::pass}}), then);
  EXPECT_EQ(outcome_of(skipped), finding::Outcome::inconclusive);
  EXPECT_EQ(remarks_of(skipped).find("repaired"), std::string::npos);
  RunSet less = then;
  less.hosts->checks.erase(less.hosts->checks.begin());
  const Judgement gone = against(less, then);
  EXPECT_EQ(outcome_of(gone), finding::Outcome::inconclusive) << remarks_of(gone);
  EXPECT_NE(remarks_of(gone).find("mtu: of the baseline, and not checked again"),
            std::string::npos);
  const Judgement applies_no_more =
      against(examined({{"a", Verdict::skip}}), examined({{"a", Verdict::pass}}));
  EXPECT_EQ(outcome_of(applies_no_more), finding::Outcome::pass);
}

TEST(AgainstExamination, AWaivedCheckDoesNotDecide) {
  RunSet now = examined({{"a", Verdict::fail}});
  now.hosts->checks.front().waived = "a test";
  EXPECT_EQ(outcome_of(against(now, examined({{"a", Verdict::pass}}))), finding::Outcome::pass);
}

TEST(AgainstExamination, ADocumentIsReadAgain) {
  const RunSet one = examined({{"a", Verdict::fail}, {"b", Verdict::pass}});
  auto json = json::encode(*one.hosts);
  const RunSet again = run_set_of(input_of(json, "file"), "file");
  EXPECT_EQ(again.hosts->hosts, one.hosts->hosts);
  EXPECT_EQ(again.hosts->checks.front().remarks.front().hosts, std::vector<std::size_t>{0});
  json["checks"][0]["remarks"][0]["hosts"][0] = 2;  // there are two
  EXPECT_THROW(static_cast<void>(input_of(json, "file")), std::runtime_error);
  json["checks"][0].erase("remarks");
  EXPECT_THROW(static_cast<void>(input_of(json, "file")), std::runtime_error);
}

}  // namespace
}  // namespace railgauge::verdict
