#include "paths/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "paths/fake_fabric.hpp"
#include "paths/spread.hpp"

namespace railgauge::paths {
namespace {

bool says(const std::vector<std::string>& sentences, const std::string& words) {
  return std::ranges::any_of(
      sentences, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

TEST(Remarks, CountPaths) {
  FakeFabric fabric;
  const PathReport report = report_of(fabric, 64);
  EXPECT_EQ(told(report), Told::paths);
  EXPECT_TRUE(says(remarks(report), "4 paths of 64 source ports; on each: "));
}

TEST(Remarks, WarnIfQueuePairsShareOnePath) {
  FakeFabric fabric;
  fabric.spines = 1;
  PathReport report = report_of(fabric, 4);
  report.ports_are_in_use = true;
  EXPECT_TRUE(says(remarks(report), "WARNING: all 4 source ports take one path"));
  EXPECT_TRUE(settings_of_programs(report).empty());
}

/// Exactly those, and behind which switch.
TEST(Remarks, SayWhichSourcePortsMayBeDead) {
  FakeFabric fabric;
  fabric.dead_spines = {1};
  const PathReport report = report_of(fabric, 16);
  std::string dead;
  for (const PortPath& path : report.trace.paths) {
    if (fabric.passes_spine({path.source_port, 2, 0x11})) continue;
    dead += (dead.empty() ? "" : ",") + std::to_string(path.source_port);
  }
  EXPECT_TRUE(says(remarks(report), "source ports " + dead + " had no reply from behind 10.1.1.0"))
      << as_text({report});
  EXPECT_TRUE(says(remarks(report), "their packets may be lost behind 10.1.1.0, or switches"));
  EXPECT_FALSE(says(remarks(report), "are incomplete")) << as_text({report});
}

/// The healthy twin.
TEST(Remarks, SayNothingOfDeadPortsWhereAllAreAnswered) {
  FakeFabric fabric;
  EXPECT_FALSE(says(remarks(report_of(fabric, 16)), "had no reply"));
  EXPECT_TRUE(distinct_paths(report_of(fabric, 16).trace).cut_off.empty());
}

struct Case {
  const char* name;
  void (*change)(FakeFabric&);
  Told told;
  const char* words;
};

class Traps : public ::testing::TestWithParam<Case> {};

TEST_P(Traps, AreSaid) {
  FakeFabric fabric;
  GetParam().change(fabric);
  const PathReport report = report_of(fabric, 16);
  EXPECT_EQ(told(report), GetParam().told);
  EXPECT_TRUE(says(remarks(report), GetParam().words)) << as_text({report});
  EXPECT_EQ(settings_of_programs(report).empty(), GetParam().told != Told::paths);
}

INSTANTIATE_TEST_SUITE_P(
    All, Traps,
    ::testing::Values(
        Case{"Bridges", [](FakeFabric& f) { f.switches = 0; }, Told::none,
             "is reached without a router"},
        Case{"OneSwitch", [](FakeFabric& f) { f.switches = 1; }, Told::paths,
             "the path has one switch"},
        Case{"OneSilentSwitch",
             [](FakeFabric& f) {
               f.switches = 1;
               f.silent = {1};
             },
             Told::unknown, "behind 1 switch, which does not answer"},
        Case{"SilentSwitches",
             [](FakeFabric& f) {
               f.silent = {1, 2, 3};
             },
             Told::unknown, "behind 3 switches, none of which answers"},
        Case{"AllSilent",
             [](FakeFabric& f) {
               f.silent = {1, 2, 3};
               f.peer_answers = false;
             },
             Told::unknown, "ICMP is filtered, or the peer is down"},
        Case{"SilentPeer", [](FakeFabric& f) { f.peer_answers = false; }, Told::paths,
             "10.0.0.2 itself does not answer probes"},
        // The way may part behind it.
        Case{"FirstSwitchOnly",
             [](FakeFabric& f) {
               f.peer_answers = false;
               f.silent = {2, 3};
             },
             Told::unknown, "10.0.0.2 itself does not answer probes: it is down"},
        Case{"NoPathToTheEnd",
             [](FakeFabric& f) {
               f.dead_spines = {0, 1, 2, 3};
             },
             Told::unknown, "PATHS UNKNOWN: no path is complete"},
        Case{"UnreachableBehindTheFirst", [](FakeFabric& f) { f.unreachable = true; },
             Told::unknown, "there is no route to 10.0.0.2: 10.1.1.0 reports it as unreachable"},
        Case{"Unreachable",
             [](FakeFabric& f) {
               f.unreachable = true;
               f.silent = {1};
             },
             Told::unknown, "10.1.1.0 reports it as unreachable"},
        Case{"Sprayed", [](FakeFabric& f) { f.sprays = true; }, Told::none, "SPRAYED"},
        Case{"QueuePair", [](FakeFabric& f) { f.hashes_queue_pair = true; }, Told::none,
             "PATH UNKNOWN: switches hash the destination queue pair"},
        Case{"RateLimited", [](FakeFabric& f) { f.answers_every = 5; }, Told::paths,
             "try a lower --probe-rate"},
        Case{"AllBusy",
             [](FakeFabric& f) {
               for (const std::uint16_t port : ports(16)) f.busy.insert(port);
             },
             Told::unknown, "are in use by other sockets"},
        Case{"SomeBusy", [](FakeFabric& f) { f.busy = {49152}; }, Told::paths,
             "skipped, in use by other sockets of this host: source ports 49152"}),
    [](const auto& one) { return one.param.name; });

TEST(SettingsOfPrograms, AreInTheirWords) {
  FakeFabric fabric;
  const auto settings = settings_of_programs(report_of(fabric, 64));
  EXPECT_TRUE(says(settings, "4 queue pairs on 4 paths: source ports "));
  EXPECT_TRUE(says(settings, "MC_MLX5_QP_UDP_SPORTS=49152,"));
  EXPECT_TRUE(says(settings, "--flow_label=16385,"));
  EXPECT_TRUE(says(settings, "UCX_IB_NUM_PATHS=4 UCX_IB_ROCE_PATH_FACTOR="));
  EXPECT_TRUE(says(settings, "UCCL_UDP_SPORT_BASE="));
  EXPECT_TRUE(says(settings, "NCCL, RCCL have no such setting"));
}

TEST(Text, HasARowForEveryPort) {
  FakeFabric fabric;
  const std::string text = as_text({report_of(fabric, 3)});
  EXPECT_NE(text.find("# 10.0.0.1 -> 10.0.0.2, traffic class 0, switches on the path: 3\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("        49153           1     "), std::string::npos) << text;
  EXPECT_NE(text.find(" 10.1.1.0 10.1.2."), std::string::npos) << text;
}

TEST(Text, SaysThatTheLastPlaceMayBeThePeer) {
  FakeFabric fabric;
  EXPECT_EQ(as_text({report_of(fabric, 16)}).find("last place"), std::string::npos);
  fabric.lost_arrivals[4] = 1000;
  const std::string text = as_text({report_of(fabric, 16)});
  EXPECT_NE(text.find("switches on the path: at most 4\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# no reply from the last hop before 10.0.0.2: "), std::string::npos) << text;
}

TEST(Json, HasWhatTheTextHas) {
  FakeFabric fabric;
  fabric.silent = {3};
  const auto json = nlohmann::json::parse(as_json({report_of(fabric, 16)}));
  EXPECT_EQ(json["schema"], "railgauge/paths/1");
  const auto& pair = json["pairs"][0];
  EXPECT_EQ(pair["from"], "10.0.0.1");
  EXPECT_EQ(pair["balance"], "by-port");
  EXPECT_EQ(pair["switches"], 3);
  EXPECT_EQ(pair["source_ports"].size(), 16U);
  EXPECT_EQ(pair["source_ports"][0]["flow_label"], 16385);
  EXPECT_TRUE(pair["source_ports"][0]["switches"][2].is_null());
  EXPECT_EQ(pair["spread"].size(), 4U);
}

TEST(Json, NumbersNoPathThatIsNotTold) {
  FakeFabric fabric;
  fabric.dead_spines = {0, 1, 2, 3};
  const auto json = nlohmann::json::parse(as_json({report_of(fabric, 16)}));
  const auto& pair = json["pairs"][0];
  EXPECT_TRUE(pair["paths"].is_null());
  EXPECT_TRUE(pair["spread"].empty());
  EXPECT_TRUE(pair["source_ports"][0]["path"].is_null());
  EXPECT_EQ(pair["source_ports"][0]["switches"][0], "10.1.1.0");
}

TEST(Json, SaysNullOfWhatIsNotKnown) {
  FakeFabric fabric;
  fabric.sprays = true;
  fabric.peer_answers = false;
  const auto json = nlohmann::json::parse(as_json({report_of(fabric, 16)}));
  const auto& pair = json["pairs"][0];
  EXPECT_TRUE(pair["switches"].is_null());
  EXPECT_TRUE(pair["paths"].is_null());
  EXPECT_TRUE(pair["spread"].empty());
}

}  // namespace
}  // namespace railgauge::paths
