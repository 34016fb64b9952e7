#include "verdict/counterpart.hpp"

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
  const std::vector<Curve> theirs{{.type = "double", .placement = BufferMode::in_place},
                                  {.type = "half", .placement = BufferMode::out_of_place},
                                  {.type = "float", .placement = BufferMode::out_of_place}};
  const auto type_like = [&](const std::string& type, BufferMode placement) {
    const Curve* const found = like({.type = type, .placement = placement}, theirs);
    return found == nullptr ? "" : found->type;
  };
  EXPECT_EQ(type_like("float", BufferMode::out_of_place), "float");
  EXPECT_EQ(type_like("int8", BufferMode::out_of_place), "half");
  EXPECT_EQ(type_like("float", BufferMode::in_place), "double");
  EXPECT_EQ(like({.placement = BufferMode::in_place}, {theirs[1]}), nullptr);
  EXPECT_NE(like({.placement = BufferMode::in_place}, {Curve{}}), nullptr);  // unstated
}

}  // namespace
}  // namespace railgauge::verdict
