#include "schedule/collective.hpp"

#include <gtest/gtest.h>

#include <set>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {
namespace {

TEST(Collective, HasTheBusFactorsOfNcclTests) {
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::reduce_scatter, 4), 0.75);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_reduce, 1), 0);
  for (const auto collective : {Collective::reduce, Collective::broadcast, Collective::sendrecv}) {
    EXPECT_DOUBLE_EQ(bus_factor(collective, 8), 1) << name(collective);
  }
  for (const auto collective : {Collective::gather, Collective::scatter, Collective::all_to_all,
                                Collective::all_to_all_v}) {
    EXPECT_DOUBLE_EQ(bus_factor(collective, 8), 0.875) << name(collective);
  }
  EXPECT_DOUBLE_EQ(bus_factor(Collective::barrier, 8), 0);
}

TEST(Collective, HasARowOfItsOwn) {
  std::set<std::string_view> names;
  for (const CollectiveTraits& row : collectives()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(&traits(row.collective), &row);
    EXPECT_EQ(collective(row.name), row.collective);
  }
  EXPECT_EQ(names.size(), 11U);
}

TEST(Collective, IsRootedWhereOneRankPlaysAnotherPart) {
  std::set<std::string_view> with_root;
  for (const CollectiveTraits& row : collectives()) {
    if (rooted(row.collective)) with_root.insert(row.name);
  }
  EXPECT_EQ(with_root, (std::set<std::string_view>{"reduce", "broadcast", "gather", "scatter"}));
}

TEST(Collective, IsFoundByTheNamesOfNcclTests) {
  EXPECT_EQ(collective("alltoall"), Collective::all_to_all);
  EXPECT_EQ(collective("all_to_all"), std::nullopt);
  EXPECT_EQ(name(Collective::reduce_scatter), "reduce_scatter");
}

Schedule of(Collective collective, Rank root = 0) {
  return {"", collective, 4, 4, 0, {}, {}, root};
}

TEST(Collective, SaysWhoHoldsWhat) {
  EXPECT_TRUE(is_input(of(Collective::all_gather), 3, 3));
  EXPECT_FALSE(is_input(of(Collective::all_gather), 3, 2));
  EXPECT_TRUE(is_output(of(Collective::reduce_scatter), 3, 3));
  EXPECT_FALSE(is_output(of(Collective::reduce_scatter), 3, 2));
  EXPECT_TRUE(is_output(of(Collective::gather, 2), 2, 0));
  EXPECT_FALSE(is_output(of(Collective::gather, 2), 0, 0));
  EXPECT_TRUE(is_input(of(Collective::broadcast, 2), 2, 0));
  EXPECT_FALSE(is_input(of(Collective::broadcast, 2), 0, 0));
}

TEST(Collective, KeepsItsInputSeparateWhereBlocksMove) {
  EXPECT_FALSE(is_input(of(Collective::all_to_all), 0, 3));
  EXPECT_TRUE(is_input(of(Collective::all_to_all), 0, 4));
  EXPECT_FALSE(is_input(of(Collective::all_to_all), 0, 8));
  const Place source = source_of(of(Collective::all_to_all), 1, 3);
  EXPECT_EQ(source.rank, 3U);
  EXPECT_EQ(source.block, 4U + 1);
}

}  // namespace
}  // namespace railgauge::schedule
