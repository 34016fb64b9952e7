#include "verdict/line_rate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sample_runs.hpp"
#include "tree.hpp"
#include "verdict/against.hpp"
#include "verdict/library.hpp"

namespace railgauge::verdict {
namespace {

/// 2 hosts of 8 ranks and 8 NICs of 400 Gb/s: 400 GB/s.
verdict::Run published(const std::string& collective) {
  return {.collective = collective,
          .nodes = 2,
          .ranks = 16,
          .nics_per_node = 8,
          .line_rate_gigabits_per_second = 400,
          .beside_nics = std::vector<std::string>{"NVLink"}};
}

TEST(LineRate, IsThatOfAllNics) {
  EXPECT_EQ(nics_gigabytes_per_second(published("all_reduce")), 400);
  verdict::Run run = published("all_reduce");
  run.nics_per_node.reset();
  EXPECT_EQ(nics_gigabytes_per_second(run), std::nullopt);
  EXPECT_EQ(line_rate_fraction(run, 1), std::nullopt);
}

TEST(LineRate, IsBusBandwidthOfARing) {
  EXPECT_EQ(line_rate_fraction(published("all_reduce"), 380), 0.95);
}

TEST(LineRate, CarriesEveryRankIfAllGoesByTheNics) {
  verdict::Run run = published("all_reduce");
  run.beside_nics->clear();
  EXPECT_EQ(line_rate_fraction(run, 47.5), 0.95);  // 8 ranks share the NICs
  run.ranks.reset();
  EXPECT_EQ(line_rate_fraction(run, 47.5), std::nullopt);
  run.collective = "gather";  // the root's host receives for one rank
  EXPECT_EQ(line_rate_fraction(run, 380), 0.95);
}

/// The same as algbw x (ranks - ranks on the host)/ranks x ranks on the host.
TEST(LineRate, OfAnAllToAllIsWhatLeavesTheHost) {
  const double algbw = 10;
  EXPECT_DOUBLE_EQ(*line_rate_fraction(published("alltoall"), algbw * 15 / 16),
                   algbw * 8 / 16 * 8 / 400);
}

/// The figures of the research that the references come from.
TEST(LineRate, OfPublishedSystems) {
  const Library library(in_tree("results-schema"));
  const auto highest = [&](const char* name, const std::string& run_name,
                           const std::string& collective) {
    double share = 0;
    for (const verdict::Run& run : library.reference(name).runs) {
      if (run.name != run_name || run.collective != collective) continue;
      for (const Point& point : run.points) {
        if (point.buffers == BufferMode::in_place) continue;
        share = std::max(share, *line_rate_fraction(run, *point.busbw_gigabytes_per_second));
      }
    }
    return share;
  };
  EXPECT_NEAR(highest("deepops-dgx1-v100-2x100g-roce", "2n16g", "all_reduce"), 0.917, 0.001);
  EXPECT_NEAR(highest("sophia-dgxa100-8x200g-ib", "2n16g-env6", "alltoall"), 0.850, 0.002);
  EXPECT_NEAR(highest("oci-mi355x-pollara-8x400g-roce", "4n32g", "alltoall"), 0.784, 0.001);
  EXPECT_NEAR(highest("dgx-spark-gb10-2x100g-roce", "blog-2halves-merged", "all_gather"), 0.950,
              0.001);
  EXPECT_NEAR(highest("aws-p5-h100-32x100g-efa", "slurm-2n16g", "all_reduce"), 1.218, 0.001);
}

TEST(NicTarget, IsRefusedWithTheReason) {
  EXPECT_EQ(why_no_nic_target(published("all_reduce")), "");
  verdict::Run run = published("all_reduce");
  run.beside_nics->push_back("NVLS");
  EXPECT_EQ(why_no_nic_target(run), "NVLS carries a part of its data");
  run = published("all_reduce");
  run.points = {{.busbw_gigabytes_per_second = 471.22}};
  EXPECT_EQ(why_no_nic_target(run),
            "its busbw of 471.22 GB/s is more than its NICs carry (400.00 GB/s): NVLink carries a "
            "part of its data, or the NICs are others");
  run.nodes = 1;
  EXPECT_EQ(why_no_nic_target(run), "all of its ranks are on one host");
  run = published("all_reduce");
  run.line_rate_gigabits_per_second.reset();
  EXPECT_EQ(why_no_nic_target(run), "its NICs or their line rate are not known");
  run.not_a_target = "misconfigured";
  EXPECT_EQ(why_no_nic_target(run), "misconfigured");
}

/// Two ranks on a host send by the same NICs: their busbw alone is not more than these carry.
TEST(NicTarget, SaysWhatAHostWouldHaveSent) {
  verdict::Run run = published("all_reduce");
  run.beside_nics = std::vector<std::string>{};
  run.ranks = 2 * run.nodes.value();
  run.points = {{.busbw_gigabytes_per_second = 300}};
  EXPECT_TRUE(why_no_nic_target(run).starts_with(
      "its busbw of 300.00 GB/s, 600.00 GB/s from a host, is more than its NICs carry (400.00"))
      << why_no_nic_target(run);
}

/// What the research says of each: ring, 4 hosts or one GPU a host are targets; 2-node defaults
/// not.
TEST(NicTarget, IsEveryPublishedRunThatIsBoundByItsNics) {
  const Library library(in_tree("results-schema"));
  const auto targets = [&](const char* name) {
    std::string names;
    for (const verdict::Run& run : library.reference(name).runs) {
      if (why_no_nic_target(run).empty()) names += run.name + " " + run.collective + ";";
    }
    return names;
  };
  EXPECT_EQ(targets("nccl-tests-309-h100-8x400g-ib"), "qoofyk-4n32g all_reduce;");
  EXPECT_EQ(targets("deepops-dgx1-v100-2x100g-roce"), "2n16g all_reduce;");
  EXPECT_EQ(targets("aws-p4de-a100-4x100g-efa"), "");
  EXPECT_EQ(targets("coreweave-h100-gb200-ib"), "");
  EXPECT_EQ(targets("oci-gb300-8x400g-roce"), "");
  EXPECT_EQ(targets("ccimoc-h100-1x400g-roce"), "");
}

Row judged(const verdict::Run& run) {
  const Rows rows = against_line_rate(measurement_with(run));
  return rows.size() == 1 ? rows[0] : Row{.remark = "there is not one"};
}

TEST(AgainstLineRate, NineTenthsPass) {
  EXPECT_EQ(judged(straight_run(10, 23)).answer, Answer::passed);
  const Row slow = judged(straight_run(10, 22));
  EXPECT_EQ(slow.answer, Answer::failed);
  EXPECT_NEAR(slow.ours_line_rate_fraction.value_or(0), 0.88, 0.005);
  EXPECT_EQ(slow.theirs_line_rate_fraction, 0.9);
  EXPECT_NEAR(slow.theirs.value_or(0), 22.5, 0.001);
}

/// 22 GB/s in and out and combined: 77 GB/s through memory.
TEST(AgainstLineRate, TheLimitOfHostMemoryIsNoFaultOfTheFabric) {
  verdict::Run run = straight_run(10, 22);
  run.memory_gigabytes_per_second = 90;
  const Row slow = judged(run);
  EXPECT_EQ(slow.answer, Answer::open);
  EXPECT_NE(slow.excuse.find("host memory is the limit"), std::string::npos) << slow.excuse;
  run.memory_gigabytes_per_second = 110;  // has room
  EXPECT_EQ(judged(run).answer, Answer::failed);
  run = straight_run(10, 23);
  run.memory_gigabytes_per_second = 90;
  EXPECT_EQ(judged(run).answer, Answer::passed);
}

TEST(AgainstLineRate, ARisingCurveHasNoAnswer) {
  verdict::Run run = straight_run(10, 23);
  run.points.resize(10);
  EXPECT_EQ(judged(run).answer, Answer::open);
  EXPECT_NE(judged(run).remark.find("still rises"), std::string::npos);
}

TEST(AgainstLineRate, UnknownNicsAndOneHostHaveNone) {
  verdict::Run run = straight_run(10, 23);
  run.nics_per_node.reset();
  EXPECT_EQ(judged(run).answer, Answer::open);
  run = straight_run(10, 23);
  run.nodes = 1;
  EXPECT_EQ(judged(run).answer, Answer::open);
  run.points.clear();
  EXPECT_EQ(against_line_rate(measurement_with(run)).size(), 0u);
}

/// Two hosts of 8 H100, whose ranks have NVLink and NVLS: 116 % of line rate, and 93 % if all times
/// are a quarter longer. The same rule for line rate, policy and reference.
verdict::Run two_h100_hosts(double share) {
  verdict::Run run = straight_run(10, share * 400);
  run.nodes = 2;
  run.ranks = 16;
  run.nics_per_node = 8;
  run.line_rate_gigabits_per_second = 400;
  return run;
}

std::vector<Outcome> verdicts(const verdict::Run& run) {
  const RunSet ours = measurement_with(run);
  const Policy policy{.name = "p", .rules = {{.min_line_rate_percent = 80}}};
  const Policy sizes{.name = "q",
                     .rules = {{.from_bytes = 1U << 30U, .min_line_rate_percent = 80}}};
  verdict::Run theirs = two_h100_hosts(0.9);
  theirs.ranks = 2;
  return {outcome_of(against_line_rate(ours)), outcome_of(against_policy(ours, policy)),
          outcome_of(against_policy(ours, sizes)),
          outcome_of(against_reference(ours, reference_with(theirs), {}))};
}

TEST(OneRule, NothingPassesWhereSomethingElseCarriesAPart) {
  const std::vector<Outcome> none(4, Outcome::inconclusive);
  using Ways = std::optional<std::vector<std::string>>;
  for (const double share : {1.16, 0.93}) {
    for (const Ways& ways : {Ways({"NVLink", "NVLS"}), Ways({"SHARP"}), Ways({"NVLink"}), Ways()}) {
      verdict::Run run = two_h100_hosts(share);
      for (Point& point : run.points) point.algorithm.clear();
      run.beside_nics = ways;
      EXPECT_EQ(verdicts(run), none) << share;
    }
  }
}

/// Known to be a ring, on more hosts, or with one rank a host: busbw is what the NICs carry.
TEST(OneRule, TheirHealthyTwinsPass) {
  const std::vector<Outcome> all(4, Outcome::pass);
  verdict::Run ring = two_h100_hosts(0.93);
  ring.beside_nics = {"NVLink"};
  EXPECT_EQ(ring.points[0].algorithm, "ring");
  EXPECT_EQ(verdicts(ring), all);
  verdict::Run four = ring;
  four.nodes = 4;
  four.ranks = 32;
  for (Point& point : four.points) point.algorithm.clear();
  EXPECT_EQ(verdicts(four), all);
  verdict::Run single = two_h100_hosts(0.93);
  single.ranks = 2;
  single.beside_nics = std::vector<std::string>{};
  for (Point& point : single.points) point.algorithm.clear();
  EXPECT_EQ(verdicts(single), all);
}

TEST(OneRule, MoreThanLineRateIsAContradiction) {
  EXPECT_EQ(judged(straight_run(10, 25.4)).answer, Answer::passed);  // rounding
  const Row more = judged(straight_run(10, 26));
  EXPECT_EQ(more.answer, Answer::open);
  EXPECT_NE(more.remark.find("more than its NICs carry"), std::string::npos);
}

TEST(OneRule, BothDirectionsCountHalf) {
  verdict::Run run{.collective = "ib_write_bw_bidirectional",
                   .nodes = 2,
                   .ranks = 2,
                   .nics_per_node = 1,
                   .line_rate_gigabits_per_second = 400,
                   .beside_nics = std::vector<std::string>{}};
  EXPECT_EQ(line_rate_fraction(run, 95), 0.95);
  run.collective = "osu_bibw";
  EXPECT_EQ(line_rate_fraction(run, 95), 0.95);
  run.collective = "osu_bw";
  EXPECT_EQ(line_rate_fraction(run, 47.5), 0.95);
}

}  // namespace
}  // namespace railgauge::verdict
