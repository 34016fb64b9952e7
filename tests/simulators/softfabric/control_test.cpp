#include "softfabric/control.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "softfabric/rig.hpp"
#include "softfabric/telemetry.hpp"

namespace railgauge::softfabric {
namespace {

using Json = nlohmann::json;

Json asked(Rig& rig, std::string_view line) {
  return Json::parse(answer(rig.model, line));
}

const Json kDone{{"ok", true}};

TEST(Control, CountersSayWhatHappened) {
  Rig rig(shaped({}));
  rig.send(0, 1, {.dscp = kLosslessDscp});
  rig.send(0, frame_of({.destination = 0x01010101}));
  rig.run_out();
  const Json counters = asked(rig, "counters");
  EXPECT_EQ(counters["schema"], "railgauge/fabric-counters/1");
  EXPECT_EQ(counters["packets"],
            (Json{{"received", 2}, {"made", 0}, {"delivered", 1}, {"dropped", 1}, {"held", 0}}));
  EXPECT_EQ(counters["conserved"], true);
  EXPECT_EQ(counters["lateness"]["kept_up"], true);
  const Json& from_host = counters["directions"][0];
  EXPECT_EQ(from_host["link"], "host0:leaf0");
  EXPECT_EQ(from_host["direction"], "a-to-b");
  EXPECT_EQ(from_host["from"], "host0");
  EXPECT_EQ(from_host["to"], "leaf0");
  ASSERT_EQ(from_host["priorities"].size(), 2U);
  EXPECT_EQ(from_host["priorities"][0]["drops"], (Json{{"no_route", 1}}));
  EXPECT_EQ(from_host["priorities"][1]["priority"], 3);
  EXPECT_EQ(from_host["priorities"][1]["sent_packets"], 1);
  EXPECT_EQ(from_host["priorities"][1]["received_packets"], 1);
  EXPECT_EQ(from_host["priorities"][1]["drops"], Json::object());
}

TEST(Control, CongestionIsThatPartOfTheCounters) {
  Rig rig(shaped({}));
  rig.send(0, 1, {.dscp = kLosslessDscp});
  rig.run_out();
  const Json all = asked(rig, "counters");
  const Json part = asked(rig, "congestion");
  for (const char* same : {"schema", "time_s", "lateness", "packets"})
    EXPECT_EQ(part[same], all[same]) << same;
  ASSERT_EQ(part["directions"].size(), all["directions"].size());
  const Json& used = part["directions"][0]["priorities"];
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(part["directions"][0]["from"], "host0");
  const Json& whole = all["directions"][0]["priorities"][1];
  for (const auto& [name, value] : used[0].items()) EXPECT_EQ(value, whole[name]) << name;
  EXPECT_EQ(part["directions"][1]["priorities"], Json::array());
}

TEST(Control, PrometheusSaysTheSame) {
  Rig rig(shaped({}));
  rig.send(0, 1, {.dscp = kLosslessDscp});
  rig.send(0, frame_of({.destination = 0x01010101}));
  rig.run_out();
  const std::string text = answer(rig.model, "prometheus\n");
  for (const char* line :
       {"# TYPE softfabric_sent_packets_total counter\n",
        "softfabric_sent_packets_total{link=\"host0:leaf0\",direction=\"a-to-b\",from=\"host0\","
        "to=\"leaf0\",priority=\"3\"} 1\n",
        "softfabric_dropped_packets_total{link=\"host0:leaf0\",direction=\"a-to-b\",from=\"host0\","
        "to=\"leaf0\",priority=\"0\",reason=\"no_route\"} 1\n",
        "softfabric_late_packets_total 0\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(Control, PlantsAndClearsFaults) {
  Rig rig(shaped({}));
  EXPECT_EQ(asked(rig, "fault host0:leaf0 a-to-b loss=100% priority=3"), kDone);
  EXPECT_EQ(rig.model.wire(0).faults.loss, 1);
  EXPECT_EQ(rig.model.wire(1).faults, Faults{});
  EXPECT_EQ(asked(rig, "counters")["directions"][0]["faulty"], true);
  EXPECT_EQ(asked(rig, "clear host1.rail0"), kDone);
  EXPECT_EQ(rig.model.wire(0).faults.loss, 1);
  EXPECT_EQ(asked(rig, "clear"), kDone);
  EXPECT_EQ(rig.model.wire(0).faults, Faults{});
}

TEST(Control, WhatIsWrongChangesNothing) {
  Rig rig(shaped({}));
  for (const char* line : {"", "fault", "fault host0:leaf0 a-to-b", "fault host0:leaf0 up loss=1%",
                           "fault host9:leaf0 both loss=1%", "fault leaf0 both loss=50% los=1%",
                           "link host0.rail0 askew", "reboot host0", "reboot leaf0 soon",
                           "seed leaf0 x", "path 1.2.3.4:1-10.10.0.1:2", "halt"}) {
    EXPECT_TRUE(asked(rig, line).contains("error")) << line;
  }
  EXPECT_EQ(rig.model.wire(0).faults, Faults{});
  EXPECT_EQ(asked(rig, "fault host9:leaf0 both loss=1%")["error"],
            "'host9:leaf0' is neither a link, a port nor a switch");
}

TEST(Control, LinksRebootsSeeds) {
  Rig rig(shaped({}));
  EXPECT_EQ(asked(rig, "link host0.rail0 down"), kDone);
  EXPECT_EQ(asked(rig, "counters")["directions"][1]["up"], false);
  EXPECT_EQ(asked(rig, "link host0.rail0 up"), kDone);
  EXPECT_TRUE(rig.model.wire(0).up);
  EXPECT_EQ(asked(rig, "reboot leaf0 2ms"), kDone);
  EXPECT_FALSE(rig.model.wire(0).up);
  rig.run(2ms);
  EXPECT_TRUE(rig.model.wire(0).up);
  EXPECT_EQ(asked(rig, "seed leaf0 42"), kDone);
  EXPECT_EQ(rig.model.balancer(0).seed(), 42U);
  EXPECT_EQ(asked(rig, "counters")["switches"][0]["seed"], 42);
}

TEST(Control, TellsAFlowsPath) {
  Rig rig(shaped({.hosts_per_leaf = 1, .leaves = 2, .spines = 4}));
  const Json path = asked(rig, "path 10.10.0.1:50000-10.10.0.2:4791")["path"];
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[0], "leaf0");
  EXPECT_EQ(path[2], "leaf1");
  rig.send(0, 1, {.source_port = 50000});
  rig.run_out();
  EXPECT_EQ(rig.sent(rig.wire("leaf0", path[1].get<std::string>().c_str())), 1U);
}

}  // namespace
}  // namespace railgauge::softfabric
