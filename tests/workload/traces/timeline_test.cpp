#include "workload/traces/timeline.hpp"

#include <gtest/gtest.h>

namespace railgauge::workload::traces {
namespace {

TEST(Covered, CountsWhatSpansHaveInCommonOnce) {
  Covered covered({{5, 8}, {1, 3}, {2, 4}});
  EXPECT_EQ(covered.within(0, 1), 0);
  EXPECT_EQ(covered.within(1, 2), 1);
  EXPECT_EQ(covered.within(2, 6), 3);
  EXPECT_EQ(covered.within(6, 7), 1);
  EXPECT_EQ(covered.within(7, 100), 1);
}

/// "0( 0) 12": begins and ends, and microseconds of computes.
std::string moments(const RankRecord& rank) {
  std::string text;
  for (const Moment& one : rank.moments) {
    if (one.kind == Moment::Kind::compute) {
      text += std::to_string(static_cast<int>(one.microseconds)) + " ";
    } else {
      text += std::to_string(one.exchange) + (one.kind == Moment::Kind::begin ? "( " : ") ");
    }
  }
  return text;
}

Exchange of(const std::string& group) {
  return {.group = group};
}

TEST(Timeline, IsComputeOutsideAndWhatIsCoveredInside) {
  RankRecord rank;
  Timeline timeline(rank);
  (void)timeline.add(of("a"), {10, 20});
  (void)timeline.add(of("a"), {30, 40});
  timeline.write({{5, 7}, {12, 15}, {41, 50}}, false);
  EXPECT_EQ(moments(rank), "5 0( 3 0) 10 1( 1) 10 ");
}

TEST(Timeline, OfIdleSpansIsComputeWhatTheyLeave) {
  RankRecord rank;
  Timeline timeline(rank);
  const auto first = timeline.add(of("a"), {10, 12});
  timeline.go_on(first);
  (void)timeline.add(of("b"), {20, 22});
  timeline.end(first, 35);
  timeline.write({{10, 12}, {20, 22}, {30, 35}}, true);
  EXPECT_EQ(moments(rank), "0( 8 1( 1) 8 0) ");
}

TEST(Timeline, KeepsTheOrderOfAGroup) {
  RankRecord rank;
  Timeline timeline(rank);
  (void)timeline.add(of("a"), {10, 30});
  (void)timeline.add(of("a"), {5, 8});
  (void)timeline.add(of("b"), {9, 9});
  timeline.write({}, false);
  EXPECT_EQ(moments(rank), "2( 2) 1 0( 1( 0) 1) ");
}

TEST(Timeline, WhatIsNeverWaitedForEndsWithTheTrace) {
  RankRecord rank;
  Timeline timeline(rank);
  timeline.go_on(timeline.add(of("a"), {1, 2}));
  (void)timeline.add(of("b"), {5, 9});
  timeline.write({}, true);
  EXPECT_EQ(moments(rank), "0( 4 1( 4 0) 1) ");
}

}  // namespace
}  // namespace railgauge::workload::traces
