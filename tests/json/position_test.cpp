#include "json/position.hpp"

#include <gtest/gtest.h>

namespace railgauge::json {
namespace {

constexpr const char* kText = R"({
  "name": "a",
  "stages": [
    {"kind": "x"},
    {
      "kind": "y",
      "limit": 3,
      "criteria": {
        "nothing": [1, 2]
      }
    }
  ]
})";

TEST(LineOf, AFieldIsInTheLineOfItsName) {
  EXPECT_EQ(line_of(kText, "name"), 2U);
  EXPECT_EQ(line_of(kText, "stages"), 3U);
  EXPECT_EQ(line_of(kText, "stages[0].kind"), 4U);
  EXPECT_EQ(line_of(kText, "stages[1].limit"), 7U);
  EXPECT_EQ(line_of(kText, "stages[1].criteria.nothing"), 9U);
}

TEST(LineOf, AnElementIsInTheLineInWhichItBegins) {
  EXPECT_EQ(line_of(kText, "stages[1]"), 5U);
}

TEST(LineOf, OfAMissingFieldItIsTheLineOfTheObject) {
  EXPECT_EQ(line_of(kText, "stages[1].needs"), 5U);
  EXPECT_EQ(line_of(kText, "schema"), 1U);
  EXPECT_EQ(line_of(kText, "names"), 1U);
}

TEST(LineOf, ATextThatIsNoJsonHasNoLines) {
  EXPECT_EQ(line_of("{", "name"), std::nullopt);
}

}  // namespace
}  // namespace railgauge::json
