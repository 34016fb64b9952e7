#include "reduce/element_type.hpp"

#include <gtest/gtest.h>

namespace railgauge::reduce {
namespace {

TEST(ElementType, IsFoundByTheNameItHas) {
  for (const ElementType type : kElementTypes) EXPECT_EQ(element_type(name(type)), type);
  EXPECT_EQ(element_type("half"), std::nullopt);
  EXPECT_EQ(element_type(""), std::nullopt);
}

TEST(ElementType, HasTheSizeOfItsCxxType) {
  EXPECT_EQ(size_bytes(ElementType::int8), 1U);
  EXPECT_EQ(size_bytes(ElementType::float32), 4U);
  EXPECT_EQ(size_bytes(ElementType::float64), 8U);
}

}  // namespace
}  // namespace railgauge::reduce
