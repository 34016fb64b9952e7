#include <gtest/gtest.h>

#include "report/report.hpp"

namespace railgauge::report {
namespace {

std::size_t count_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Of a bandwidth below a baseline's, which is likely a failure of the fabric.
std::string junit_with(const finding::Policy& policy) {
  const verdict::Rows rows{{.criterion = "baseline b",
                            .subject = verdict::Subject::plateau,
                            .answer = verdict::Answer::failed}};
  Result result;
  result.judgement = {
      .result = "r",
      .parts = {{.criterion = "baseline b", .rows = rows, .report = report_of(rows)}},
      .policy = policy};
  return junit({.results = {result}});
}

TEST(Junit, ARowFailsWhereItsOutcomeDoes) {
  EXPECT_EQ(count_in(junit_with({}), "<failure "), 2U) << junit_with({});
  const std::string open = junit_with({.sure_at = finding::Certainty::confirmed});
  EXPECT_EQ(count_in(open, "<failure "), 0U) << open;
  EXPECT_EQ(count_in(open, "<error "), 1U);
  EXPECT_EQ(count_in(open, "<skipped "), 1U);
}

}  // namespace
}  // namespace railgauge::report
