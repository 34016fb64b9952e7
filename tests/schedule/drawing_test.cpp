#include "schedule/drawing.hpp"

#include <gtest/gtest.h>

#include "schedule/algorithms.hpp"

namespace railgauge::schedule {
namespace {

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
  EXPECT_EQ(times(svg, "stroke-dasharray"), 3U * 4);
  EXPECT_EQ(times(svg, "</svg>"), 1U);
}

}  // namespace
}  // namespace railgauge::schedule
