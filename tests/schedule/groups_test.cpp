#include "schedule/groups.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "schedule/algorithms.hpp"

namespace railgauge::schedule {
namespace {

using Members = std::vector<std::vector<Rank>>;

Groups of_colors(const std::vector<std::uint64_t>& colors) {
  return Groups(colors);
}

TEST(Groups, AreOneOfAllRanks) {
  const Groups groups(3);
  EXPECT_EQ(groups.members(), (Members{{0, 1, 2}}));
  EXPECT_EQ(groups.number_of(2), 2U);
}

TEST(Groups, AreOfOneColorInTheOrderOfTheirFirstRanks) {
  const Groups groups = of_colors({7, 3, 7, 3, 7, 3});
  EXPECT_EQ(groups.members(), (Members{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups.group_of(3), 1U);
  EXPECT_EQ(groups.number_of(3), 1U);
  EXPECT_EQ(of_colors({0, 1, 2}).size(), 1U);
}

TEST(Groups, AreOfOneSize) {
  try {
    (void)of_colors({0, 1, 2, 0, 1});
    FAIL() << "was taken";
  } catch (const std::invalid_argument& uneven) {
    EXPECT_STREQ(uneven.what(),
                 "groups of 1 to 2 ranks; every group must have the same number of ranks");
  }
}

/// Each rank does in every step what its number does in a group of its own.
void expect_side_by_side(const Schedule& one, const std::shared_ptr<const Groups>& groups) {
  const Schedule all = side_by_side(one, groups);
  for (Rank rank = 0; rank < all.ranks; ++rank) {
    for (Step step = 0; step < one.steps; ++step) {
      Ops expected = one.ops(groups->number_of(rank), step);
      for (Op& op : expected) op.peer = groups->members()[groups->group_of(rank)][op.peer];
      EXPECT_EQ(all.ops(rank, step), expected) << one.name << " rank " << rank << " step " << step;
    }
  }
}

TEST(SideBySide, KeepsEveryMessageInItsGroup) {
  const Rank sizes[] = {1, 2, 3, 5, 6, 7, 8, 12, 13};
  for (const Rank size : sizes) {
    std::vector<std::uint64_t> colors;
    for (Rank rank = 0; rank < 3 * size; ++rank) colors.push_back(rank % 3);
    const auto groups = std::make_shared<const Groups>(of_colors(colors));
    for (const Algorithm& algorithm : algorithms(Collective::all_reduce)) {
      try {
        expect_side_by_side(algorithm.make({.ranks = size, .per_host = 0}), groups);
      } catch (const std::invalid_argument&) {  // does not serve so many
      }
    }
  }
}

/// What was listed before stays.
TEST(SideBySide, AppendsToOps) {
  const auto groups = std::make_shared<const Groups>(of_colors({0, 1, 0, 1}));
  const Schedule ring =
      find_algorithm(Collective::all_reduce, "ring")->make({.ranks = 2, .per_host = 0});
  Ops ops{keep(9, {0, 1})};
  side_by_side(ring, groups).rule(3, 0, ops);
  ASSERT_GT(ops.size(), 1U);
  EXPECT_EQ(ops[0].peer, 9U);
  EXPECT_EQ(ops[1].peer, 1U);
}

/// Members do what their numbers do, in their own order; the others nothing.
TEST(Among, KeepsEveryMessageAmongTheMembers) {
  const Rank sizes[] = {1, 2, 3, 5, 6, 7, 8, 12, 13};
  for (const Rank size : sizes) {
    const Schedule one = ring_all_reduce(size);
    std::vector<Rank> members;  // every third rank, backwards
    for (Rank number = 0; number < size; ++number) members.push_back(3 * (size - number));
    const Schedule all = among(one, members);
    EXPECT_EQ(all.ranks, 3 * size + 1);
    for (Step step = 0; step < one.steps; ++step) {
      for (Rank number = 0; number < size; ++number) {
        Ops expected = one.ops(number, step);
        for (Op& op : expected) op.peer = members[op.peer];
        EXPECT_EQ(all.ops(members[number], step), expected);
      }
      for (const Rank other : {Rank{0}, Rank{1}, 3 * size - 1})
        EXPECT_TRUE(all.ops(other, step).empty()) << other;
    }
  }
}

}  // namespace
}  // namespace railgauge::schedule
