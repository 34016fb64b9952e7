#include "json/fields.hpp"

#include <gtest/gtest.h>

namespace railgauge::json {
namespace {

TEST(JsonFields, AreOfTheirTypeAndRange) {
  const Json json{{"ranks", 99999999999}, {"nodes", 0}, {"nics", 2.5}, {"good", 3}};
  EXPECT_THROW(maybe<int>(json, "ranks"), FieldError);
  EXPECT_THROW(maybe<int>(json, "nics"), FieldError);
  EXPECT_THROW(maybe_positive<int>(json, "nodes"), FieldError);
  EXPECT_EQ(maybe_positive<int>(json, "good"), 3);
  EXPECT_EQ(maybe_positive<int>(json, "none"), std::nullopt);
  EXPECT_EQ(maybe<int>(Json::array(), "good"), std::nullopt);
  EXPECT_THROW(wanted<int>(json, "none"), FieldError);
  EXPECT_TRUE(list(json, "none").empty());
  EXPECT_THROW(list(json, "good"), FieldError);
}

}  // namespace
}  // namespace railgauge::json
