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
    EXPECT_EQ(library.policy(name).name, name);
  }
}

void refused(const Json& json, const std::string& why) {
  try {
    policy_of(json);
    ADD_FAILURE() << why;
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(Policy, LimitsWhatPortsCountByItsMeaning) {
  Json json = small();
  json["max_per_million_packets"] = {{"loss", 1000.5}, {"ignored_cnp", 0}};
  EXPECT_EQ(policy_of(json).max_per_million_packets,
            (std::map<telemetry::Counted, double>{{telemetry::Counted::loss, 1000.5},
                                                  {telemetry::Counted::ignored_cnp, 0}}));
  json["max_per_million_packets"] = {{"lost", 1}};
  refused(json, "nothing is counted as 'lost'; there are loss, exhausted, corruption");
  json["max_per_million_packets"] = {{"traffic", 1}};
  refused(json, "nothing is counted as 'traffic'");
  for (const Json& rate : {Json(-1), Json("1"), Json()}) {
    json["max_per_million_packets"] = {{"loss", rate}};
    refused(json, "'loss' is no number from 0 on");
  }
}

Policy with_counts(const Json& counts) {
  Json json = small();
  json["counts"] = counts;
  return policy_of(json);
}

TEST(Policy, SaysWhichSizesCount) {
  EXPECT_EQ(policy_of(small()).counted, std::nullopt);
  const CountedSizes one = with_counts({{"bandwidth", {{"from_bytes", 65536}}}}).counted.value();
  EXPECT_TRUE(one.holds(8));
  EXPECT_FALSE(one.holds(8192));
  EXPECT_TRUE(one.holds(65536));
  const CountedSizes other =
      with_counts({{"latency", {{"from_bytes", 32}, {"to_bytes", 1024}}}}).counted.value();
  EXPECT_FALSE(other.holds(8));
  EXPECT_TRUE(other.holds(32));
  EXPECT_FALSE(other.holds(2048));
  EXPECT_TRUE(other.holds(8192));
}

TEST(Policy, RefusesSizesAmongWhichNoneWouldCount) {
  const auto refused_counts = [](const Json& counts, const std::string& why) {
    Json json = small();
    json["counts"] = counts;
    refused(json, why);
  };
  refused_counts(7, "counts: it is no object");
  refused_counts(Json::object(), "counts: it names neither latency nor bandwidth");
  refused_counts({{"plateau", Json::object()}}, "counts: there is no field 'plateau'");
  refused_counts({{"latency", 8}}, "counts: latency: it is no object");
  refused_counts({{"latency", Json::object()}},
                 "latency: it names neither from_bytes nor to_bytes");
  refused_counts({{"latency", {{"from", 8}}}}, "there is no field 'from'");
  refused_counts({{"bandwidth", {{"from_bytes", -8}}}}, "of the wrong type: -8");
  refused_counts({{"bandwidth", {{"from_bytes", 0.5}}}}, "of the wrong type: 0.5");
  refused_counts({{"bandwidth", {{"to_bytes", 0}}}}, "it has to be above zero");
  refused_counts({{"bandwidth", {{"from_bytes", 64}, {"to_bytes", 32}}}},
                 "bandwidth: no size is from 64 to 32 bytes");
  refused_counts({{"bandwidth", {{"from_bytes", 1ULL << 60U}}}}, "no benchmark goes there");
  refused_counts({{"latency", {{"from_bytes", 8192}}}}, "no size is from 8192 to 4096 bytes");
  refused_counts({{"latency", {{"to_bytes", 8192}}}}, "latency is that of sizes up to 4096 bytes");
}

TEST(Policy, RefusesWhatWouldDemandNothing) {
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
