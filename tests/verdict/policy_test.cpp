#include "verdict/policy.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verdict/library.hpp"

namespace railgauge::verdict {
namespace {

using Json = nlohmann::ordered_json;

Json small() {
  return {{"schema", "railgauge/policy/1"},
          {"name", "ours"},
          {"rules", {{{"collective", "all_reduce"}, {"min_line_rate_percent", 90}}}},
          {"counters_that_stay", {"packet_seq_err"}}};
}

TEST(Policy, IsRead) {
  const Policy policy = policy_of(small());
  EXPECT_EQ(policy.name, "ours");
  ASSERT_EQ(policy.rules.size(), 1u);
  EXPECT_EQ(policy.rules[0].collective, "all_reduce");
  EXPECT_EQ(policy.rules[0].min_line_rate_percent, 90);
  EXPECT_EQ(policy.rules[0].from_bytes, std::nullopt);
  EXPECT_EQ(policy.counters_that_stay, std::vector<std::string>{"packet_seq_err"});
  EXPECT_FALSE(policy.all_planes);
  Json strict = small();
  strict["all_planes"] = true;
  EXPECT_TRUE(policy_of(strict).all_planes);
}

TEST(Policy, OfRailgaugeAreThree) {
  const Library library(RAILGAUGE_SCHEMA_DIRECTORY);
  EXPECT_EQ(library.policies(),
            (std::vector<std::string>{"software-roce", "strict", "vendor-thresholds"}));
  for (const std::string& name : library.policies()) {
    EXPECT_EQ(policy_of(library.policy(name)).name, name);
  }
}

TEST(Policy, RefusesWhatWouldDemandNothing) {
  const auto refused = [](const Json& json, const std::string& why) {
    try {
      policy_of(json);
      ADD_FAILURE() << why;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  Json json = small();
  json["rules"][0]["min_linerate_percent"] = 90;
  refused(json, "no field 'min_linerate_percent'");
  json = small();
  json["rules"][0].erase("min_line_rate_percent");
  refused(json, "demands nothing");
  json = small();
  json["counters"] = Json::array();
  refused(json, "no field 'counters'");
  json = small();
  json.erase("rules");
  refused(json, "'rules' is missing");
  refused(Json::array(), "it has no schema");
}

}  // namespace
}  // namespace railgauge::verdict
