#include "verdict/policy.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tree.hpp"
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
  EXPECT_TRUE(policy.decides.errors.empty());
  Json strict = small();
  strict["all_planes"] = true;
  EXPECT_TRUE(policy_of(strict).decides.errors.contains(finding::Cause::missing_plane));
}

TEST(Policy, OfRailgaugeAreThree) {
  const Library library(in_tree("results-schema"));
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
  refused(json,
          "'max_per_million_packets.lost' is no class of counters; there are loss, exhausted, "
          "corruption");
  json["max_per_million_packets"] = {{"traffic", 1}};
  refused(json, "'max_per_million_packets.traffic' is no class of counters");
  const std::string loss = "'max_per_million_packets.loss' is ";
  json["max_per_million_packets"] = {{"loss", -1}};
  refused(json, loss + "-1: it cannot be negative");
  for (const Json& rate : {Json("1"), Json()}) {
    json["max_per_million_packets"] = {{"loss", rate}};
    refused(json, loss + "of the wrong type");
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
  refused_counts(7, "'counts' is of the wrong type: 7");
  refused_counts(Json::object(), "'counts' names neither latency nor bandwidth");
  refused_counts({{"plateau", Json::object()}}, "'counts.plateau' is unknown");
  refused_counts({{"latency", 8}}, "'counts.latency' is of the wrong type: 8");
  refused_counts({{"latency", Json::object()}},
                 "'counts.latency' names neither from_bytes nor to_bytes");
  refused_counts({{"latency", {{"from", 8}}}}, "'counts.latency.from' is unknown");
  refused_counts({{"bandwidth", {{"from_bytes", -8}}}}, "of the wrong type: -8");
  refused_counts({{"bandwidth", {{"from_bytes", 0.5}}}}, "of the wrong type: 0.5");
  refused_counts({{"bandwidth", {{"to_bytes", 0}}}}, "it has to be above zero");
  refused_counts({{"bandwidth", {{"from_bytes", 64}, {"to_bytes", 32}}}},
                 "'counts.bandwidth' holds no size: it is from 64 to 32 bytes");
  refused_counts({{"bandwidth", {{"from_bytes", 1ULL << 60U}}}},
                 "'counts.bandwidth.from_bytes' is 1152921504606846976: no benchmark goes");
  refused_counts({{"latency", {{"from_bytes", 8192}}}},
                 "holds no size: it is from 8192 to 4096 bytes");
  refused_counts({{"latency", {{"to_bytes", 8192}}}}, "latency is that of sizes up to 4096 bytes");
}

TEST(Policy, RefusesWhatWouldDemandNothing) {
  Json json = small();
  json["rules"][0]["min_linerate_percent"] = 90;
  refused(json, "'rules[0].min_linerate_percent' is unknown");
  json = small();
  json["rules"][0].erase("min_line_rate_percent");
  refused(json, "'rules[0]' demands nothing");
  json = small();
  json["counters"] = Json::array();
  refused(json, "'counters' is unknown");
  refused(Json::array(), "the document is of the wrong type: []");
}

TEST(Policy, SaysWhatDecides) {
  Json json = {{"schema", "railgauge/policy/1"},
               {"name", "site"},
               {"fail_at", "warning"},
               {"sure_at", "confirmed"},
               {"min_coverage", 0.5},
               {"waivers", {{{"finding", "mtu"}, {"reason", "planned"}}}}};
  const finding::Policy decides = policy_of(json).decides;
  EXPECT_EQ(decides.fail_at, finding::Severity::warning);
  EXPECT_EQ(decides.sure_at, finding::Certainty::confirmed);
  EXPECT_EQ(decides.min_coverage, 0.5);
  EXPECT_EQ(decides.waivers.at(0).reason, "planned");
  json["waivers"][0]["reason"] = "";
  EXPECT_THROW(policy_of(json), std::runtime_error);
  json["waivers"][0].erase("reason");
  EXPECT_THROW(policy_of(json), std::runtime_error);
  json.erase("waivers");
  json["min_coverage"] = 2;
  EXPECT_THROW(policy_of(json), std::runtime_error);
}

}  // namespace
}  // namespace railgauge::verdict
