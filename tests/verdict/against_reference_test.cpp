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
  const Rows rows = against_reference(measurement_with(straight_run(10, 20)),
                                      reference_with(straight_run(10, 20)), {});
  EXPECT_EQ(outcome_of(rows), Outcome::pass);
  for (const Row& row : rows) EXPECT_EQ(row.answer, Answer::passed);
  EXPECT_EQ(rows.size(), 28u + 2u);  // sizes, plateau, latency
}

TEST(AgainstReference, FasterNeverFails) {
  const Rows rows = against_reference(measurement_with(straight_run(1, 24)),
                                      reference_with(straight_run(10, 20)), {});
  EXPECT_EQ(outcome_of(rows), Outcome::pass);
}

TEST(AgainstReference, SlowerFailsBeyondTheTolerance) {
  const auto answer_with = [](double busbw, double tolerance) {
    return only(against_reference(measurement_with(straight_run(10, busbw)),
                                  reference_with(straight_run(10, 20)), {.tolerance = tolerance}),
                Subject::plateau)
        .answer;
  };
  EXPECT_EQ(answer_with(19.2, 0.05), Answer::passed);
  EXPECT_EQ(answer_with(18.8, 0.05), Answer::failed);
  EXPECT_EQ(answer_with(18.8, 0.10), Answer::passed);
}

TEST(AgainstReference, LatencyHasAVerdictOfItsOwn) {
  const Rows rows = against_reference(measurement_with(straight_run(20, 20)),
                                      reference_with(straight_run(10, 20)), {});
  EXPECT_EQ(only(rows, Subject::latency).answer, Answer::failed);
  EXPECT_EQ(only(rows, Subject::plateau).answer, Answer::passed);
  EXPECT_NEAR(only(rows, Subject::latency).ratio.value_or(0), 0.5, 0.001);
}

TEST(AgainstReference, OtherHardwareIsComparedAsAShareOfLineRate) {
  const RunSet ours = measurement_with(straight_run(10, 20));        // 80 % of 25 GB/s
  const Reference theirs = reference_with(faster_hardware(10, 80));  // 80 % of 100 GB/s
  const Row share = only(against_reference(ours, theirs, {}), Subject::size, kLarge);
  EXPECT_EQ(share.answer, Answer::passed);
  EXPECT_NEAR(share.ratio.value_or(0), 1, 0.001);
  EXPECT_NEAR(share.theirs_line_rate_fraction.value_or(0), 0.8, 0.001);
  const Row absolute =
      only(against_reference(ours, theirs, {.absolute = true}), Subject::size, kLarge);
  EXPECT_EQ(absolute.answer, Answer::failed);
  EXPECT_NEAR(absolute.ratio.value_or(0), 0.25, 0.001);
}

TEST(AgainstReference, WithoutLineRateThereIsNoAnswer) {
  verdict::Run ours = straight_run(10, 20);
  ours.line_rate_gigabits_per_second.reset();
  const Reference theirs = reference_with(straight_run(10, 20));
  const Rows rows = against_reference(measurement_with(ours), theirs, {});
  EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
  EXPECT_NE(rows[0].remark.find("--absolute"), std::string::npos);
  EXPECT_EQ(outcome_of(against_reference(measurement_with(ours), theirs, {.absolute = true})),
            Outcome::pass);
}

TEST(AgainstReference, WhatExceedsItsNicsIsRefused) {
  verdict::Run theirs = straight_run(10, 30);
  theirs.beside_nics = {"NVLink"};
  const Rows rows =
      against_reference(measurement_with(straight_run(10, 20)), reference_with(theirs), {});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].answer, Answer::open);
  EXPECT_NE(rows[0].remark.find("more than its NICs carry"), std::string::npos);
}

TEST(AgainstReference, TimesOfOtherRanksSayNothing) {
  verdict::Run theirs = straight_run(1, 20);
  theirs.ranks = theirs.nodes = 8;
  const Rows rows =
      against_reference(measurement_with(straight_run(10, 20)), reference_with(theirs), {});
  EXPECT_EQ(only(rows, Subject::latency).answer, Answer::open);
  EXPECT_EQ(only(rows, Subject::size, 8).answer, Answer::open);
  EXPECT_EQ(only(rows, Subject::size, kLarge).answer, Answer::passed);
}

TEST(AgainstReference, MissingSizesAreSaidToBe) {
  verdict::Run ours = straight_run(10, 20);
  ours.points.erase(ours.points.begin(), ours.points.begin() + 3);
  verdict::Run theirs = straight_run(10, 20);
  theirs.points.erase(theirs.points.begin() + 20);
  const Rows rows = against_reference(measurement_with(ours), reference_with(theirs), {});
  EXPECT_EQ(only(rows, Subject::missing).remark, "sizes of the reference were not measured: 8-32");
  EXPECT_EQ(only(rows, Subject::missing).answer, Answer::note);
  EXPECT_EQ(only(rows, Subject::size, 8U << 20U).answer, Answer::open);
  EXPECT_EQ(outcome_of(rows), Outcome::pass);

  const Rows filled =
      against_reference(measurement_with(ours), reference_with(theirs), {.interpolate = true});
  EXPECT_EQ(only(filled, Subject::size, 8U << 20U).remark, "interpolated");
  EXPECT_EQ(only(filled, Subject::size, 8U << 20U).answer, Answer::passed);
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
  const Row plateau =
      only(against_reference(measurement_with(ours), reference_with(straight_run(10, 20)), {}),
           Subject::plateau);
  EXPECT_EQ(plateau.answer, Answer::open);
  EXPECT_EQ(plateau.remark, "measure from 2M on: the reference reaches its plateau there");
}

TEST(AgainstReference, OtherCollectivesAreNone) {
  verdict::Run theirs = straight_run(10, 20);
  theirs.collective = "all_gather";
  const Rows rows =
      against_reference(measurement_with(straight_run(10, 20)), reference_with(theirs), {});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].remark, "it has no all_reduce");
}

/// Never the fastest point of one with another size of the other.
TEST(AgainstReference, LatencyIsComparedSizeBySize) {
  verdict::Run ours = straight_run(10, 20);
  ours.points.erase(ours.points.begin(), ours.points.begin() + 6);  // from 512 on
  verdict::Run theirs = straight_run(10, 20);
  theirs.points[0].time_us = 2;  // of 8 bytes, which we do not have
  const Row latency =
      only(against_reference(measurement_with(ours), reference_with(theirs), {}), Subject::latency);
  EXPECT_EQ(latency.answer, Answer::passed);
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
  const Rows rows = against_reference(measurement_with(ours), theirs, {});
  EXPECT_EQ(outcome_of(rows), Outcome::pass);
  EXPECT_EQ(only(rows, Subject::size, 8).answer, Answer::note);
  ours.points[1].time_us = 30;  // two of them do
  EXPECT_EQ(outcome_of(against_reference(measurement_with(ours), theirs, {})), Outcome::fail);
}

}  // namespace
}  // namespace railgauge::verdict
