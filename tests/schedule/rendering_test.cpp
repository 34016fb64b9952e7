#include "schedule/rendering.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schedule/algorithms.hpp"

namespace railgauge::schedule {
namespace {

Schedule made(Collective collective, const char* name, Rank ranks) {
  return find_algorithm(collective, name)->make({ranks, 0, 1});
}

TEST(Listing, TellsEveryMessage) {
  EXPECT_EQ(
      as_table(made(Collective::all_reduce, "ring", 2)),
      "ring all_reduce, 2 ranks, 2 blocks\n"
      "rounds   2 (no algorithm needs fewer than 1), depth 2\n"
      "messages 2 from the busiest rank\n"
      "data     1 times a rank's data sent or received by the busiest rank (no algorithm needs "
      "less than 1)\n"
      "\n"
      "step 1 of 2\n"
      "  rank 0: send 1 to 1, reduce 0 from 1\n"
      "  rank 1: send 0 to 0, reduce 1 from 0\n"
      "\n"
      "step 2 of 2\n"
      "  rank 0: send 0 to 1, receive 1 from 1\n"
      "  rank 1: send 1 to 0, receive 0 from 0\n");
}

TEST(Listing, NamesTheBufferWhereThereAreSeveral) {
  const std::string table = as_table(made(Collective::all_to_all, "bruck", 3));
  EXPECT_NE(table.find("rank 0: copy in 1 into scratch 0"), std::string::npos) << table;
  EXPECT_NE(table.find("copy in 0 into out 0"), std::string::npos) << table;
}

TEST(Listing, AsJsonHasEveryOp) {
  for (const Algorithm& algorithm : algorithms()) {
    const Schedule schedule = algorithm.make({6, 0, 2});
    const auto json = nlohmann::json::parse(as_json(schedule));
    EXPECT_EQ(json["algorithm"], schedule.name);
    ASSERT_EQ(json["steps"].size(), schedule.steps);
    for (Step step = 0; step < schedule.steps; ++step) {
      for (Rank rank = 0; rank < schedule.ranks; ++rank) {
        EXPECT_EQ(json["steps"][step][rank].size(), schedule.ops(rank, step).size());
      }
    }
  }
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Drawing, HasAnArrowForEveryMessage) {
  for (const Algorithm& algorithm : algorithms()) {
    const Schedule schedule = algorithm.make({6, 0, 2});
    std::size_t messages = 0;
    for (Step step = 0; step < schedule.steps; ++step) {
      for (Rank rank = 0; rank < schedule.ranks; ++rank) {
        for (const Op& op : schedule.ops(rank, step)) messages += op.action == Action::send ? 1 : 0;
      }
    }
    EXPECT_EQ(times(as_svg(schedule), "marker-end="), messages) << schedule.name;
  }
}

TEST(Drawing, DashesWhatIsCombined) {
  const auto svg = as_svg(find_algorithm(Collective::all_reduce, "ring")->make({4, 0, 1}));
  EXPECT_EQ(times(svg, "stroke-dasharray='5 3'"), 3U * 4);
  EXPECT_EQ(times(svg, "</svg>"), 1U);
}

TEST(Drawing, NamesItsAxesAndHasNoColoursOfItsOwn) {
  const auto svg = as_svg(made(Collective::all_reduce, "ring", 4));
  EXPECT_EQ(times(svg, ">rank<"), 1U);
  EXPECT_EQ(times(svg, ">round<"), 1U);
  EXPECT_EQ(times(svg, "fill='#"), 0U) << "it would not follow the viewer into the dark";
  EXPECT_EQ(times(svg, "stroke='#"), 0U);
}

/// Whatever its name: the picture is as wide as its texts.
TEST(Drawing, CutsNoText) {
  Schedule schedule = made(Collective::all_reduce, "ring", 2);
  const auto width = [](const std::string& svg) {
    return std::stoi(svg.substr(svg.find("width='") + 7));
  };
  const int before = width(as_svg(schedule));
  schedule.name.append(200, 'x');
  EXPECT_GT(width(as_svg(schedule)), before + 200 * 6);
}

}  // namespace

}  // namespace railgauge::schedule
