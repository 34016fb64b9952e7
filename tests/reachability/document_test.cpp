#include "reachability/document.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reachability/fabric.hpp"

namespace railgauge::reachability {
namespace {

TEST(Document, HasEveryPairThatWasAsked) {
  const Matrix matrix = filled(fabric(2, 2), [](std::size_t from, std::size_t to) {
    return from == 0 && to == 3 ? fails() : works();
  });
  const auto document = nlohmann::json::parse(as_json(matrix, {"one"}, {.start = "now"}));
  EXPECT_EQ(document.at("schema"), "railgauge/reachability/1");
  EXPECT_EQ(document.at("nics").size(), 4U);
  EXPECT_EQ(document.at("wrong").at(0), "one");
  ASSERT_EQ(document.at("pairs").size(), 8U);
  const auto& there = document.at("pairs").at(0);
  EXPECT_EQ(there.at("to"), 2);
  EXPECT_EQ(there.at("same_rail"), true);
  EXPECT_EQ(there.at("gigabytes_per_second"), 10);
  const auto& nowhere = document.at("pairs").at(1);
  EXPECT_EQ(nowhere.at("reached"), false);
  EXPECT_TRUE(nowhere.at("latency_us").is_null());
  EXPECT_EQ(nowhere.at("reason"), "nobody answered");
  EXPECT_EQ(document.at("kinds").at(1).at("reached"), 3);
}

}  // namespace
}  // namespace railgauge::reachability
