#include "validation/waivers.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::validation {
namespace {

std::string file_with(const std::string& waiver) {
  return "{\n\"schema\": \"railgauge/waivers/1\",\n\"waivers\": [\n" + waiver + "\n]}";
}

std::string refused_waivers(const std::string& text) {
  try {
    static_cast<void>(waivers_in(text, "known.json"));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

Waiver until(const std::string& day) {
  return {.finding = "firmware", .reason = "replaced in March", .until = day};
}

TEST(Waivers, HaveAReasonAndADay) {
  const Waivers waivers = waivers_in(
      file_with(R"({"finding": "firmware", "reason": "replaced in March", "until": "2027-03-31"})"),
      "known.json");
  ASSERT_EQ(waivers.waivers.size(), 1U);
  EXPECT_EQ(in_force(waivers.waivers[0]).reason, "replaced in March (until 2027-03-31)");
}

TEST(Waivers, HoldUntilTheEndOfTheirDay) {
  EXPECT_FALSE(has_expired(until("2026-11-27"), "2026-11-26"));
  EXPECT_FALSE(has_expired(until("2026-11-27"), "2026-11-27"));
  EXPECT_TRUE(has_expired(until("2026-11-27"), "2026-11-28"));
  EXPECT_TRUE(has_expired(until("2026-11-27"), "2027-01-01"));
  EXPECT_EQ(in_force(Waivers{{until("2026-11-26"), until("2026-11-27")}}, "2026-11-27").size(), 1U);
}

TEST(Waivers, TodayIsADay) {
  EXPECT_EQ(refused_waivers(
                file_with(R"({"finding": "mtu", "reason": "r", "until": ")" + today() + "\"}")),
            "");
}

TEST(Waivers, AMistakeIsRefusedWithItsLine) {
  EXPECT_EQ(
      refused_waivers(file_with(R"({"finding": "mtu", "reason": "r", "until": "2026-02-30"})")),
      "waivers known.json:4: the field 'waivers[0].until' is '2026-02-30': give a day, such as "
      "2026-12-31");
  for (const char* const wrong :
       {R"({"finding": "mtu", "reason": "r"})", R"({"finding": "mtu", "until": "2026-12-31"})",
        R"({"finding": "", "reason": "r", "until": "2026-12-31"})",
        R"({"finding": "mtu", "reason": "", "until": "2026-12-31"})",
        R"({"finding": "mtu", "reason": "r", "until": "31.12.2026"})",
        R"({"finding": "mtu", "reason": "r", "until": "2026-12-31", "host": "a"})"}) {
    EXPECT_TRUE(refused_waivers(file_with(wrong)).starts_with("waivers known.json:4: ")) << wrong;
  }
  EXPECT_TRUE(refused_waivers("[]").starts_with("waivers known.json")) << refused_waivers("[]");
  EXPECT_TRUE(refused_waivers("{").starts_with("waivers known.json")) << refused_waivers("{");
}

}  // namespace
}  // namespace railgauge::validation
