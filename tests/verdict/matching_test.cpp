#include "verdict/matching.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

verdict::Run of_nodes(int nodes, int ranks) {
  verdict::Run run = straight_run(10, 5);
  run.name = std::to_string(nodes) + "x" + std::to_string(ranks / nodes);
  run.nodes = nodes;
  run.ranks = ranks;
  return run;
}

TEST(Counterpart, IsTheNearestInHostsThenInRanks) {
  Reference reference;
  for (const auto& [nodes, ranks] :
       {std::pair(2, 2), std::pair(16, 16), std::pair(8, 16), std::pair(8, 8)}) {
    reference.runs.push_back(of_nodes(nodes, ranks));
  }
  const auto nearest = [&](int nodes, int ranks) {
    return nearest_run(of_nodes(nodes, ranks), reference, {}).run->name;
  };
  EXPECT_EQ(nearest(2, 4), "2x1");
  EXPECT_EQ(nearest(7, 7), "8x1");
  EXPECT_EQ(nearest(7, 14), "8x2");
  EXPECT_EQ(nearest(100, 100), "16x1");
}

TEST(Counterpart, IsNoRefusedOne) {
  Reference reference = reference_with(of_nodes(4, 4));
  reference.runs[0].not_a_target = "misconfigured";
  const Choice choice = nearest_run(of_nodes(4, 4), reference, {.absolute = true});
  EXPECT_EQ(choice.run, nullptr);
  EXPECT_EQ(choice.why_none, "its run '4x1' is no target: misconfigured");
}

TEST(Counterpart, OfDataThatWereNotReducedIsNone) {
  verdict::Run unreduced = of_nodes(4, 4);
  unreduced.point = results::SweepPoint{.rails = {0, 1}, .unreduced = true};
  verdict::Run reduced = unreduced;
  reduced.point->unreduced = false;
  const Reference reference = reference_with(of_nodes(4, 4));
  EXPECT_NE(nearest_run(reduced, reference, {}).run, nullptr);
  const Choice choice = nearest_run(unreduced, reference, {});
  EXPECT_EQ(choice.run, nullptr);
  EXPECT_NE(choice.why_none.find("--reduce none"), std::string::npos) << choice.why_none;
  EXPECT_EQ(same_run(unreduced, {reduced}).run, nullptr);
  EXPECT_EQ(same_run(reduced, {unreduced}).run, nullptr);
  const std::vector<verdict::Run> alike{unreduced};
  EXPECT_EQ(same_run(unreduced, alike).run, alike.data()) << "two loads compare";
}

TEST(Counterpart, OfAnUnknownCollectiveIsNone) {
  verdict::Run ours = of_nodes(4, 4);
  ours.collective.clear();
  const Choice choice = nearest_run(ours, reference_with(ours), {});
  EXPECT_EQ(choice.run, nullptr);
  EXPECT_EQ(choice.why_none, "our collective is not known; import it with --collective");
}

TEST(Counterpart, OfOneHostIsNone) {
  const Reference reference = reference_with(of_nodes(4, 4));
  EXPECT_EQ(nearest_run(of_nodes(1, 4), reference, {}).run, nullptr);
  EXPECT_NE(nearest_run(of_nodes(1, 4), reference, {.absolute = true}).run, nullptr);
}

TEST(Counterpart, HasTheSamePlacementAndRatherTheSameType) {
  const std::vector<Curve> theirs{{.type = "double", .buffers = BufferMode::in_place},
                                  {.type = "half", .buffers = BufferMode::out_of_place},
                                  {.type = "float", .buffers = BufferMode::out_of_place}};
  const auto type_like = [&](const std::string& type, BufferMode buffers) {
    const Curve* const found = like({.type = type, .buffers = buffers}, theirs);
    return found == nullptr ? "" : found->type;
  };
  EXPECT_EQ(type_like("float", BufferMode::out_of_place), "float");
  EXPECT_EQ(type_like("int8", BufferMode::out_of_place), "half");
  EXPECT_EQ(type_like("float", BufferMode::in_place), "double");
  EXPECT_EQ(like({.buffers = BufferMode::in_place}, {theirs[1]}), nullptr);
  EXPECT_NE(like({.buffers = BufferMode::in_place}, {Curve{}}), nullptr);  // unstated
}

Curve curve_of(const std::vector<std::uint64_t>& sizes) {
  Curve curve;
  for (const std::uint64_t size : sizes) {
    curve.points.push_back({.size_bytes = size,
                            .time_us = static_cast<double>(size),
                            .median_interval = Interval{1, 2}});
  }
  return curve;
}

Curve curve_by(const std::vector<std::string>& algorithms) {
  Curve curve;
  for (const std::string& algorithm : algorithms) {
    curve.points.push_back({.size_bytes = 8ULL << curve.points.size(), .algorithm = algorithm});
  }
  curve.algorithm = algorithms.back();
  return curve;
}

TEST(SameCurve, HasMostSizesByTheSameAlgorithm) {
  const std::vector<Curve> theirs{curve_by({"tree", "tree", "tree"}),
                                  curve_by({"ring", "ring", "ring"}),
                                  curve_by({"direct", "direct", "ring"})};
  EXPECT_EQ(same_curve(curve_by({"direct", "direct", "ring"}), theirs), &theirs[2]);
  EXPECT_EQ(same_curve(curve_by({"direct", "direct"}), theirs), &theirs[2]);
  EXPECT_EQ(same_curve(curve_by({"direct", "ring", "ring"}), theirs), &theirs[1]);
  EXPECT_EQ(same_curve(curve_by({"chain"}), theirs), nullptr);
  Curve later = curve_by({"ring"});
  later.points[0].size_bytes = 1 << 20;
  EXPECT_EQ(same_curve(later, theirs), &theirs[1]) << "no size in common";
  later.type = "half";
  EXPECT_EQ(same_curve(later, theirs), nullptr);
}

TEST(SameCurve, IsComparedWhereTheAlgorithmIsTheSame) {
  const Curve ours = curve_by({"direct", "direct", "ring"});
  const Curve rings = curve_by({"ring", "ring", "ring", "ring"});
  const Curve comparable = by_our_algorithms(ours, rings);
  ASSERT_EQ(comparable.points.size(), 2U);
  EXPECT_EQ(comparable.points[0].size_bytes, 32U);
  EXPECT_EQ(comparable.points[1].size_bytes, 64U) << "which ours lacks";
  EXPECT_EQ(by_our_algorithms(ours, ours).points.size(), 3U);
}

TEST(BaselinePoint, IsThereOrInterpolatedIfAsked) {
  const Curve theirs = curve_of({1024, 4096});
  EXPECT_EQ(counterpoint(theirs, 1024, false)->point.time_us, 1024.0);
  EXPECT_FALSE(counterpoint(theirs, 1024, true)->is_interpolated);
  EXPECT_FALSE(counterpoint(theirs, 2048, false));
  const auto between = counterpoint(theirs, 2048, true);
  ASSERT_TRUE(between);
  EXPECT_TRUE(between->is_interpolated);
  EXPECT_NEAR(*between->point.time_us, 2048, 1e-6);
  EXPECT_FALSE(between->point.median_interval);
  EXPECT_FALSE(counterpoint(theirs, 8192, true));
}

TEST(MissingSizes, AreNamed) {
  const auto finding = missing_sizes({}, curve_of({8}), curve_of({8, 1024, 2048}), "baseline");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->verdict, Verdict::note);
  EXPECT_EQ(finding->subject, Subject::missing);
  EXPECT_EQ(finding->remark, "sizes of the baseline were not measured: 1K, 2K");
  EXPECT_FALSE(missing_sizes({}, curve_of({8, 16}), curve_of({8}), "baseline"));
}

}  // namespace
}  // namespace railgauge::verdict
