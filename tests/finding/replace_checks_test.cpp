#include "finding/replace_checks.hpp"

#include <gtest/gtest.h>

namespace railgauge::finding {
namespace {

TEST(ReplaceChecks, KeepsThoseOfOtherChecks) {
  Report report{.findings = {found("soak", Cause::latency, {}), found("topology", Cause::mtu, {})},
                .coverage = {{.check = "windows", .planned = 1}, {.check = "rails", .planned = 1}}};
  replace_checks(report, {.findings = {found("soak", Cause::latency, {})},
                          .coverage = {{.check = "windows", .planned = 2}}});
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].check, "topology");
  ASSERT_EQ(report.coverage.size(), 2U);
  EXPECT_EQ(report.coverage[1].planned, 2U);
}

}  // namespace
}  // namespace railgauge::finding
