#include "schedule/collective.hpp"

#include <gtest/gtest.h>

namespace railgauge::schedule {
namespace {

TEST(Collective, HasTheBusFactorsOfNcclTests) {
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::reduce_scatter, 4), 0.75);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_reduce, 1), 0);
}

TEST(Collective, SaysWhoHoldsWhat) {
  EXPECT_TRUE(is_input(Collective::all_gather, 3, 3));
  EXPECT_FALSE(is_input(Collective::all_gather, 3, 2));
  EXPECT_TRUE(is_output(Collective::reduce_scatter, 3, 3));
  EXPECT_FALSE(is_output(Collective::reduce_scatter, 3, 2));
  EXPECT_TRUE(is_input(Collective::all_reduce, 3, 2) && is_output(Collective::all_reduce, 3, 2));
}

}  // namespace
}  // namespace railgauge::schedule
