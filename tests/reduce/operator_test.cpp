#include "reduce/operator.hpp"

#include <gtest/gtest.h>

namespace railgauge::reduce {
namespace {

TEST(Operator, IsFoundByTheNameItHas) {
  for (const Operator op : kOperators) EXPECT_EQ(reduction_operator(name(op)), op);
  EXPECT_EQ(reduction_operator("mulsum"), std::nullopt);
}

}  // namespace
}  // namespace railgauge::reduce
