#include "fabric/description.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fabric/addresses.hpp"
#include "tree.hpp"

namespace railgauge::fabric::described {
namespace {

using Json = nlohmann::ordered_json;

/// Two hosts at one leaf: all that a description needs.
Json smallest() {
  return Json::parse(R"({
    "schema": "railgauge/fabric/1",
    "hosts": [{"name": "host0"}, {"name": "host1"}],
    "switches": [{"name": "leaf0"}],
    "links": [
      {"a": "host0", "a_port": "rail0", "b": "leaf0", "b_port": "host0"},
      {"a": "host1", "a_port": "rail0", "b": "leaf0", "b_port": "host1"}
    ]})");
}

std::string refusal(const Json& document) {
  try {
    fabric_of(document);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

/// What `fabric_of` says if `value` stands at `pointer`.
std::string refusal_of(const std::string& pointer, const Json& value) {
  Json document = smallest();
  document[Json::json_pointer(pointer)] = value;
  return refusal(document);
}

TEST(Description, WhatIsLeftOutHasItsDefault) {
  Fabric fabric = fabric_of(smallest());
  fill_in(fabric);
  EXPECT_EQ(fabric.name, "fabric");
  EXPECT_EQ(fabric.seed, 1U);
  EXPECT_EQ(fabric.switches[0].tier, 1);
  EXPECT_FALSE(fabric.switches[0].rail.has_value());
  EXPECT_EQ(fabric.links[0].rate_mbit_per_s, 200);
  EXPECT_EQ(fabric.links[0].mtu_bytes, 4200);
  EXPECT_EQ(fabric.switching.balance, Balance::ecmp);
  ASSERT_EQ(fabric.switching.priorities.size(), 3U);
  EXPECT_TRUE(fabric.switching.priorities[1].lossless);
}

TEST(Description, TheExampleSurvivesWritingAndReading) {
  std::ifstream file(in_tree("results-schema/examples/fabric.json"));
  const Fabric fabric = fabric_in(std::string(std::istreambuf_iterator<char>(file), {}));
  EXPECT_EQ(fabric.name, "unequal-spines");
  EXPECT_EQ(fabric.seed, 7U);
  EXPECT_EQ(fabric.switches[0].balance, Balance::wcmp);
  EXPECT_EQ(fabric.links[3].rate_mbit_per_s, 100);
  EXPECT_EQ(fabric.switching.priorities[0].ecn_kmax_bytes, 204800U);
  ASSERT_EQ(fabric.faults.size(), 1U);
  EXPECT_EQ(fabric.faults[0].direction, "a-to-b");
  const auto document = document_of(fabric);
  EXPECT_EQ(document_of(fabric_of(Json::parse(document.dump()))), document);
}

TEST(Description, EveryFieldSurvives) {
  Json document = smallest();
  document["switches"][0].update({{"rail", 1},
                                  {"plane", 2},
                                  {"pod", 3},
                                  {"balance", "adaptive"},
                                  {"buffer_bytes", 99000},
                                  {"address", "10.1.2.3"}});
  document["links"][0].update({{"delay_us", 2.5}, {"a_address", "10.99.0.1/24"}});
  document["switching"] = {{"buffer_bytes", 10000},   {"dynamic_threshold", 0.5},
                           {"pfc_headroom_bytes", 2}, {"pfc_watchdog_ms", 3},
                           {"balance", "spray"},      {"flowlet_gap_us", 4},
                           {"reroute_after_ms", -1},  {"icmp_per_second", 5}};
  const auto written = document_of(fabric_of(document));
  EXPECT_EQ(written["switches"][0]["plane"], 2);
  EXPECT_EQ(written["switches"][0]["address"], "10.1.2.3");
  EXPECT_EQ(written["links"][0]["delay_us"], 2.5);
  EXPECT_EQ(written["links"][0]["a_address"], "10.99.0.1/24");
  EXPECT_EQ(written["switching"]["reroute_after_ms"], -1);
  EXPECT_EQ(written["switching"]["balance"], "spray");
  EXPECT_EQ(document_of(fabric_of(Json::parse(written.dump()))), written);
}

TEST(Description, MistakesNameTheField) {
  EXPECT_EQ(refusal_of("/schema", "railgauge/result/2"),
            "the field 'schema' is 'railgauge/result/2'; this railgauge reads railgauge/fabric/1");
  EXPECT_EQ(refusal_of("/colour", 1), "the field 'colour' is unknown");
  EXPECT_EQ(refusal_of("/links/1/speed", 1), "the field 'links[1].speed' is unknown");
  EXPECT_EQ(refusal_of("/hosts/0/name", 7), "the field 'hosts[0].name' is of the wrong type: 7");
  EXPECT_EQ(refusal_of("/hosts", 7), "the field 'hosts' is of the wrong type: 7");
  EXPECT_EQ(refusal_of("/switches/0", "leaf"),
            "the field 'switches[0]' is of the wrong type: \"leaf\"");
  EXPECT_EQ(refusal_of("/links/0/rate_mbit_per_s", 0),
            "the field 'links[0].rate_mbit_per_s' is 0: it has to be from 1 to 10000000");
  EXPECT_EQ(refusal_of("/links/0/delay_us", "5us"),
            "the field 'links[0].delay_us' is of the wrong type: \"5us\"");
  EXPECT_EQ(refusal_of("/switches/0/tier", 4),
            "the field 'switches[0].tier' is 4: it has to be from 1 to 3");
  EXPECT_EQ(
      refusal_of("/switching", {{"balance", "luck"}}),
      "the field 'switching.balance' is wrong: 'luck' is not one of ecmp, ecmp+qp, wcmp, flowlet, "
      "spray, adaptive");
  EXPECT_EQ(refusal_of("/switching", Json::parse(R"({"priorities": [{"priority": 8}]})")),
            "the field 'switching.priorities[0].priority' is 8: it has to be from 0 to 7");
  EXPECT_EQ(
      refusal_of("/switching", Json::parse(R"({"priorities": [{"priority": 0, "dscp": [64]}]})")),
      "switching.priorities[0].dscp: must be from 0 to 63, not 64");
}

TEST(Description, WhatIsMissingIsNamed) {
  Json document = smallest();
  document["links"][1].erase("b_port");
  EXPECT_EQ(refusal(document), "the field 'links[1].b_port' is missing");
  document.erase("schema");
  EXPECT_EQ(refusal(document),
            "the field 'schema' is missing; this railgauge reads railgauge/fabric/1");
}

TEST(Description, ABufferIsNotEmpty) {
  EXPECT_EQ(refusal_of("/switching", {{"buffer_bytes", 0}}),
            "the field 'switching.buffer_bytes' is 0: it has to be from 1 to 1099511627776");
}

/// What is said of a text in which `field` is replaced by `text`.
std::string refusal_of_text(const std::string& field, const std::string& text) {
  std::string whole = smallest().dump();
  whole.replace(whole.find(field), field.size(), text);
  try {
    fabric_in(whole);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(Description, AFieldIsThereOnce) {
  const std::string of_link = R"("a":"host0")";
  EXPECT_EQ(refusal_of_text(of_link, R"("a":"host0","a":"host1")"), "the field 'a' is there twice");
  EXPECT_EQ(refusal_of_text(R"("switches")", R"("hosts":[],"switches")"),
            "the field 'hosts' is there twice");
  EXPECT_EQ(refusal_of_text(R"("name":"leaf0")", R"("name":"leaf0","tier":1,"name":"leaf0")"),
            "the field 'name' is there twice");
  EXPECT_EQ(refusal_of_text(of_link, of_link), "none");  // other objects have it, too
}

TEST(Description, LinksBetweenSwitchesAreByAddress) {
  Json document = smallest();
  document["switches"][0]["address"] = "192.0.2.1";
  document["switches"].push_back({{"name", "spine0"}, {"tier", 2}, {"address", "192.0.2.2"}});
  document["links"].push_back({{"a", "spine0"},
                               {"a_port", "down"},
                               {"b", "leaf0"},
                               {"b_port", "up"},
                               {"rate_mbit_per_s", 1'600'000}});
  const auto links = switch_links(fabric_of(document));
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0].lower, "192.0.2.1");
  EXPECT_EQ(links[0].upper, "192.0.2.2");
  EXPECT_EQ(links[0].gbps, 1600);
}

TEST(Balance, NamesAreReadAndWritten) {
  for (const char* const name : {"ecmp", "ecmp+qp", "wcmp", "flowlet", "spray", "adaptive"}) {
    EXPECT_EQ(name_of(balance_of(name)), name);
  }
}

}  // namespace
}  // namespace railgauge::fabric::described
