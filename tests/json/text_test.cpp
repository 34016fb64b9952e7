#include "json/text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace railgauge::json {
namespace {

std::string why_not(const std::string& text) {
  try {
    json_of_text(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "it was read";
}

TEST(JsonText, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(why_not(""), "it is empty");
  EXPECT_EQ(why_not("{\n \"a\": x\n}"), "it is no JSON: line 2");
  EXPECT_EQ(why_not("{\"a\":"),
            "it ends in the middle, after 5 bytes: was it copied while it was written?");
  EXPECT_EQ(why_not("{\n\"a\": 1e400}"), "line 2: 1e400 is a number that nothing measures");
  EXPECT_EQ(why_not("\n" + std::string(65, '[') + std::string(65, ']')),
            "line 2: it is nested deeper than 64 levels, which no document is");
}

TEST(JsonText, ReadsWhatIsNestedLessAndBracketsInTexts) {
  EXPECT_EQ(why_not(std::string(64, '[') + std::string(64, ']')), "it was read");
  EXPECT_EQ(why_not("\"" + std::string(100, '[') + "\\\"[\""), "it was read");
}

}  // namespace
}  // namespace railgauge::json
