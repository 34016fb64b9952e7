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

TEST(Counterpart, OfGroupsOfRanksIsOfTheSameGroups) {
  verdict::Run whole = of_nodes(4, 4);
  whole.point = results::SweepPoint{.rails = {0, 1}};
  verdict::Run groups = whole;
  groups.split = groups.point->split = "MOD 2";
  groups.group_ranks = 2;
  const std::vector<verdict::Run> alike{groups};
  EXPECT_EQ(same_run(groups, alike).run, alike.data());
  EXPECT_EQ(same_run(whole, {groups}).run, nullptr);
  EXPECT_EQ(same_run(groups, {whole}).run, nullptr);
  EXPECT_NE(same_run(groups, {whole}).why_none.find("--split"), std::string::npos);
  verdict::Run imported = groups;
  imported.point.reset();
  imported.group_ranks.reset();
  EXPECT_EQ(same_run(whole, {imported}).run, nullptr);
  EXPECT_EQ(same_run(imported, {whole}).run, nullptr);
  EXPECT_EQ(same_run(imported, {imported}).run, nullptr) << "the rule alone is not the groups";
  EXPECT_EQ(nearest_run(imported, reference_with(of_nodes(4, 4)), {}).run, nullptr);
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
                            .median_interval = measure::MedianInterval{1, 2}});
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

/// "direct 8, ring 16".
std::string in_words(const Curve& curve) {
  std::string text;
  for (const Point& point : curve.points) {
    text += (text.empty() ? "" : ", ") + point.algorithm + " " + std::to_string(*point.size_bytes);
  }
  return text;
}

TEST(SameCurve, HasEachSizeByOurAlgorithmThere) {
  const std::vector<Curve> theirs{curve_by({"tree", "tree", "tree"}),
                                  curve_by({"ring", "ring", "ring"}),
                                  curve_by({"direct", "direct", "direct"})};
  const auto made_for = [&](const std::vector<std::string>& ours) {
    return in_words(by_our_algorithms(curve_by(ours), theirs));
  };
  EXPECT_EQ(made_for({"direct", "direct", "ring"}), "direct 8, direct 16, ring 32");
  EXPECT_EQ(made_for({"ring", "tree", "direct"}), "ring 8, tree 16, direct 32");
  EXPECT_EQ(made_for({"direct", "ring"}), "direct 8, ring 16, ring 32") << "ours ends earlier";
  EXPECT_EQ(made_for({"chain"}), "");
  const Curve found = by_our_algorithms(curve_by({"direct", "direct", "ring"}), theirs);
  EXPECT_EQ(found.algorithm, "ring");
}

TEST(SameCurve, IsOfTheSameTypeOpAndBuffers) {
  const std::vector<Curve> theirs{curve_by({"ring", "ring", "ring"})};
  Curve ours = curve_by({"ring"});
  EXPECT_EQ(by_our_algorithms(ours, theirs).points.size(), 3U);
  ours.points[0].size_bytes = 1 << 20;
  EXPECT_EQ(by_our_algorithms(ours, theirs).points.size(), 3U) << "no size in common";
  ours.type = "half";
  EXPECT_TRUE(by_our_algorithms(ours, theirs).points.empty());
}

TEST(SameCurve, IsComparedWhereTheAlgorithmIsTheSame) {
  const Curve ours = curve_by({"direct", "direct", "ring"});
  const Curve rings = curve_by({"ring", "ring", "ring", "ring"});
  const Curve comparable = by_our_algorithms(ours, {rings});
  EXPECT_EQ(in_words(comparable), "ring 32, ring 64") << "64 is a size that ours lacks";
  EXPECT_EQ(in_words(at_sizes_of(ours, comparable)), "ring 32");
  EXPECT_EQ(in_words(at_sizes_of(comparable, ours)), "ring 32");
  EXPECT_EQ(by_our_algorithms(ours, {ours}).points.size(), 3U);
}

TEST(BaselinePoint, IsThereOrInterpolatedIfAsked) {
  const Curve theirs = curve_of({1024, 4096});
  const auto at = [&](std::uint64_t size, bool interpolate) {
    const std::size_t curves = interpolate ? 1 : 0;
    return counterpoint(theirs, {.size_bytes = size}, {&theirs, curves});
  };
  EXPECT_EQ(at(1024, false)->point.time_us, 1024.0);
  EXPECT_FALSE(at(1024, true)->is_interpolated);
  EXPECT_FALSE(at(2048, false));
  const auto between = at(2048, true);
  ASSERT_TRUE(between);
  EXPECT_TRUE(between->is_interpolated);
  EXPECT_NEAR(*between->point.time_us, 2048, 1e-6);
  EXPECT_FALSE(between->point.median_interval);
  EXPECT_FALSE(at(8192, true));
}

TEST(MissingSizes, AreNamed) {
  const auto row = missing_sizes({}, curve_of({8}), curve_of({8, 1024, 2048}), "baseline", {});
  ASSERT_TRUE(row);
  EXPECT_EQ(row->answer, Answer::note);
  EXPECT_EQ(row->subject, Subject::missing);
  EXPECT_EQ(row->remark, "sizes of the baseline were not measured: 1K, 2K");
  EXPECT_EQ(row->missing, 2U);
  EXPECT_FALSE(missing_sizes({}, curve_of({8, 16}), curve_of({8}), "baseline", {}));
  const Terms small{.counted = CountedSizes{{0, 1024}, {4096, UINT64_MAX}}};
  EXPECT_EQ(missing_sizes({}, curve_of({8}), curve_of({8, 1024, 2048}), "baseline", small)->missing,
            1U);
}

}  // namespace
}  // namespace railgauge::verdict
