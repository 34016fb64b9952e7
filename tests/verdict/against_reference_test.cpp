#include "verdict/against.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

constexpr std::uint64_t kLarge = 1U << 30U;

/// Four times the NICs of straight_run().
verdict::Run faster_hardware(double latency_us, double busbw) {
  verdict::Run run = straight_run(latency_us, busbw);
  run.line_rate_gigabits_per_second = 400;
  return run;
}

TEST(AgainstReference, TheSamePasses) {
  const Findings findings = against_reference(measurement_with(straight_run(10, 20)),
                                              reference_with(straight_run(10, 20)), {});
  EXPECT_EQ(verdict_of(findings), Verdict::pass);
  for (const Finding& finding : findings) EXPECT_EQ(finding.verdict, Verdict::pass);
  EXPECT_EQ(findings.size(), 28u + 2u);  // sizes, plateau, latency
}

TEST(AgainstReference, FasterNeverFails) {
  const Findings findings = against_reference(measurement_with(straight_run(1, 24)),
                                              reference_with(straight_run(10, 20)), {});
  EXPECT_EQ(verdict_of(findings), Verdict::pass);
}

TEST(AgainstReference, SlowerFailsBeyondTheTolerance) {
  const auto verdict_with = [](double busbw, double tolerance) {
    return only(against_reference(measurement_with(straight_run(10, busbw)),
                                  reference_with(straight_run(10, 20)), {.tolerance = tolerance}),
                Subject::plateau)
        .verdict;
  };
  EXPECT_EQ(verdict_with(19.2, 0.05), Verdict::pass);
  EXPECT_EQ(verdict_with(18.8, 0.05), Verdict::fail);
  EXPECT_EQ(verdict_with(18.8, 0.10), Verdict::pass);
}

TEST(AgainstReference, LatencyHasAVerdictOfItsOwn) {
  const Findings findings = against_reference(measurement_with(straight_run(20, 20)),
                                              reference_with(straight_run(10, 20)), {});
  EXPECT_EQ(only(findings, Subject::latency).verdict, Verdict::fail);
  EXPECT_EQ(only(findings, Subject::plateau).verdict, Verdict::pass);
  EXPECT_NEAR(only(findings, Subject::latency).ratio.value_or(0), 0.5, 0.001);
}

TEST(AgainstReference, OtherHardwareIsComparedAsAShareOfLineRate) {
  const RunSet ours = measurement_with(straight_run(10, 20));        // 80 % of 25 GB/s
  const Reference theirs = reference_with(faster_hardware(10, 80));  // 80 % of 100 GB/s
  const Finding share = only(against_reference(ours, theirs, {}), Subject::size, kLarge);
  EXPECT_EQ(share.verdict, Verdict::pass);
  EXPECT_NEAR(share.ratio.value_or(0), 1, 0.001);
  EXPECT_NEAR(share.theirs_line_rate_fraction.value_or(0), 0.8, 0.001);
  const Finding absolute =
      only(against_reference(ours, theirs, {.absolute = true}), Subject::size, kLarge);
  EXPECT_EQ(absolute.verdict, Verdict::fail);
  EXPECT_NEAR(absolute.ratio.value_or(0), 0.25, 0.001);
}

TEST(AgainstReference, WithoutLineRateThereIsNoAnswer) {
  verdict::Run ours = straight_run(10, 20);
  ours.line_rate_gigabits_per_second.reset();
  const Reference theirs = reference_with(straight_run(10, 20));
  const Findings findings = against_reference(measurement_with(ours), theirs, {});
  EXPECT_EQ(verdict_of(findings), Verdict::no_reference);
  EXPECT_NE(findings[0].remark.find("--absolute"), std::string::npos);
  EXPECT_EQ(verdict_of(against_reference(measurement_with(ours), theirs, {.absolute = true})),
            Verdict::pass);
}

TEST(AgainstReference, WhatExceedsItsNicsIsRefused) {
  verdict::Run theirs = straight_run(10, 30);
  theirs.beside_nics = {"NVLink"};
  const Findings findings =
      against_reference(measurement_with(straight_run(10, 20)), reference_with(theirs), {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::no_reference);
  EXPECT_NE(findings[0].remark.find("more than its NICs carry"), std::string::npos);
}

TEST(AgainstReference, TimesOfOtherRanksSayNothing) {
  verdict::Run theirs = straight_run(1, 20);
  theirs.ranks = theirs.nodes = 8;
  const Findings findings =
      against_reference(measurement_with(straight_run(10, 20)), reference_with(theirs), {});
  EXPECT_EQ(only(findings, Subject::latency).verdict, Verdict::no_reference);
  EXPECT_EQ(only(findings, Subject::size, 8).verdict, Verdict::no_reference);
  EXPECT_EQ(only(findings, Subject::size, kLarge).verdict, Verdict::pass);
}

TEST(AgainstReference, MissingSizesAreSaidToBe) {
  verdict::Run ours = straight_run(10, 20);
  ours.points.erase(ours.points.begin(), ours.points.begin() + 3);
  verdict::Run theirs = straight_run(10, 20);
  theirs.points.erase(theirs.points.begin() + 20);
  const Findings findings = against_reference(measurement_with(ours), reference_with(theirs), {});
  EXPECT_EQ(only(findings, Subject::missing).remark,
            "sizes of the reference were not measured: 8-32");
  EXPECT_EQ(only(findings, Subject::missing).verdict, Verdict::note);
  EXPECT_EQ(only(findings, Subject::size, 8U << 20U).verdict, Verdict::no_reference);
  EXPECT_EQ(verdict_of(findings), Verdict::pass);

  const Findings filled =
      against_reference(measurement_with(ours), reference_with(theirs), {.interpolate = true});
  EXPECT_EQ(only(filled, Subject::size, 8U << 20U).remark, "interpolated");
  EXPECT_EQ(only(filled, Subject::size, 8U << 20U).verdict, Verdict::pass);
}

TEST(AgainstReference, IsInterpolatedForOurAlgorithmOrIfItNamesNone) {
  verdict::Run theirs = straight_run(10, 20);
  theirs.points.erase(theirs.points.begin() + 20);
  const auto remark = [&](const char* algorithm) {
    for (Point& point : theirs.points) point.algorithm = algorithm;
    return only(against_reference(measurement_with(straight_run(10, 20)), reference_with(theirs),
                                  {.interpolate = true}),
                Subject::size, 8U << 20U)
        .remark;
  };
  EXPECT_EQ(remark("ring"), "interpolated");
  EXPECT_EQ(remark(""), "interpolated");
  EXPECT_EQ(remark("tree"), "the reference has no such size");
}

TEST(AgainstReference, AShortSweepHasNoPlateau) {
  verdict::Run ours = straight_run(10, 20);
  ours.points.resize(10);
  const Finding plateau =
      only(against_reference(measurement_with(ours), reference_with(straight_run(10, 20)), {}),
           Subject::plateau);
  EXPECT_EQ(plateau.verdict, Verdict::no_reference);
  EXPECT_EQ(plateau.remark, "measure from 2M on: the reference reaches its plateau there");
}

TEST(AgainstReference, OtherCollectivesAreNone) {
  verdict::Run theirs = straight_run(10, 20);
  theirs.collective = "all_gather";
  const Findings findings =
      against_reference(measurement_with(straight_run(10, 20)), reference_with(theirs), {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].remark, "it has no all_reduce");
}

/// Never the fastest point of one with another size of the other.
TEST(AgainstReference, LatencyIsComparedSizeBySize) {
  verdict::Run ours = straight_run(10, 20);
  ours.points.erase(ours.points.begin(), ours.points.begin() + 6);  // from 512 on
  verdict::Run theirs = straight_run(10, 20);
  theirs.points[0].time_us = 2;  // of 8 bytes, which we do not have
  const Finding latency =
      only(against_reference(measurement_with(ours), reference_with(theirs), {}), Subject::latency);
  EXPECT_EQ(latency.verdict, Verdict::pass);
  EXPECT_NEAR(latency.ratio.value_or(0), 1, 1e-9);
  ours.points.erase(ours.points.begin(), ours.points.begin() + 5);  // from 16K on: no latency
  EXPECT_EQ(
      only(against_reference(measurement_with(ours), reference_with(theirs), {}), Subject::latency)
          .remark,
      "there is not one of it");
}

TEST(AgainstReference, TheFirstSizeAloneDoesNotFail) {
  verdict::Run ours = straight_run(10, 20);
  ours.points[0].time_us = 30;
  const Reference theirs = reference_with(straight_run(10, 20));
  const Findings findings = against_reference(measurement_with(ours), theirs, {});
  EXPECT_EQ(verdict_of(findings), Verdict::pass);
  EXPECT_EQ(only(findings, Subject::size, 8).verdict, Verdict::note);
  ours.points[1].time_us = 30;  // two of them do
  EXPECT_EQ(verdict_of(against_reference(measurement_with(ours), theirs, {})), Verdict::fail);
}

}  // namespace
}  // namespace railgauge::verdict
