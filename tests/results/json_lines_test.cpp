#include "results/json_lines.hpp"

#include <gtest/gtest.h>

namespace railgauge::results {
namespace {

constexpr const char* kText = R"({
  "schema": "x",
  "say": "a \"quoted\" } and\ttab",
  "rules": [
    {"nodes": 2, "list": [1, [2, 3], {}]},
    {
      "nodes":
        0
    }
  ]
}
)";

TEST(JsonLines, AreWhereAValueBegins) {
  EXPECT_EQ(line_of(kText, ""), 1u);
  EXPECT_EQ(line_of(kText, "/schema"), 2u);
  EXPECT_EQ(line_of(kText, "/rules"), 4u);
  EXPECT_EQ(line_of(kText, "/rules/0/list/2"), 5u);
  EXPECT_EQ(line_of(kText, "/rules/1"), 6u);
  EXPECT_EQ(line_of(kText, "/rules/1/nodes"), 8u);
}

TEST(JsonLines, OfWhatIsMissingAreOfWhatLacksIt) {
  EXPECT_EQ(line_of(kText, "/name"), 1u);
  EXPECT_EQ(line_of(kText, "/rules/1/nics"), 6u);
  EXPECT_EQ(line_of(kText, "/rules/7/nics"), 4u);
  EXPECT_EQ(line_of(kText, "/schema/x"), 2u);
}

TEST(JsonLines, EndWhateverTheText) {
  const std::string text = kText;
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_LE(line_of(text.substr(0, length), "/rules/1/nodes"), 11u);
  }
}

}  // namespace
}  // namespace railgauge::results
