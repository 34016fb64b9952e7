#include "reduce/element_type.hpp"

#include <gtest/gtest.h>

namespace railgauge::reduce {
namespace {

TEST(ElementType, IsFoundByTheNameItHas) {
  for (const ElementType type : kElementTypes) EXPECT_EQ(element_type(name(type)), type);
  EXPECT_EQ(element_type("half"), ElementType::float16);
  EXPECT_EQ(element_type("f8e4m3"), ElementType::float8_e4m3);
  EXPECT_EQ(element_type("int"), ElementType::int32);  // as in nccl-tests
  EXPECT_EQ(element_type("char"), ElementType::int8);
  EXPECT_EQ(element_type("float16"), std::nullopt);
  EXPECT_EQ(element_type(""), std::nullopt);
}

TEST(ElementType, HasTheSizeOfItsCxxType) {
  EXPECT_EQ(size_bytes(ElementType::int8), 1U);
  EXPECT_EQ(size_bytes(ElementType::float8_e5m2), 1U);
  EXPECT_EQ(size_bytes(ElementType::bfloat16), 2U);
  EXPECT_EQ(size_bytes(ElementType::float32), 4U);
  EXPECT_EQ(size_bytes(ElementType::float64), 8U);
}

TEST(Operator, IsFoundByTheNameItHas) {
  for (const Operator op : kOperators) EXPECT_EQ(reduction_operator(name(op)), op);
  EXPECT_EQ(reduction_operator("mulsum"), std::nullopt);
}

}  // namespace

}  // namespace railgauge::reduce
