#include "verdict/against_line_rate.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

Finding judged(const verdict::Run& run) {
  const Findings findings = against_line_rate(measurement_with(run));
  return findings.size() == 1 ? findings[0] : Finding{.remark = "there is not one"};
}

TEST(AgainstLineRate, NineTenthsPass) {
  EXPECT_EQ(judged(straight_run(10, 23)).verdict, Verdict::pass);
  const Finding slow = judged(straight_run(10, 22));
  EXPECT_EQ(slow.verdict, Verdict::fail);
  EXPECT_NEAR(slow.ours_line_rate_fraction.value_or(0), 0.88, 0.005);
  EXPECT_EQ(slow.theirs_line_rate_fraction, 0.9);
  EXPECT_NEAR(slow.theirs.value_or(0), 22.5, 0.001);
}

TEST(AgainstLineRate, ARisingCurveHasNoAnswer) {
  verdict::Run run = straight_run(10, 23);
  run.points.resize(10);
  EXPECT_EQ(judged(run).verdict, Verdict::no_reference);
  EXPECT_NE(judged(run).remark.find("still rises"), std::string::npos);
}

TEST(AgainstLineRate, UnknownNicsAndOneHostHaveNone) {
  verdict::Run run = straight_run(10, 23);
  run.nics_per_node.reset();
  EXPECT_EQ(judged(run).verdict, Verdict::no_reference);
  run = straight_run(10, 23);
  run.nodes = 1;
  EXPECT_EQ(judged(run).verdict, Verdict::no_reference);
  run.points.clear();
  EXPECT_EQ(against_line_rate(measurement_with(run)).size(), 0u);
}

}  // namespace
}  // namespace railgauge::verdict
