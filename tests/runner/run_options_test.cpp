#include "runner/options/run_options.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "runner/file.hpp"
#include "runner/parsed.hpp"

namespace railgauge::runner {
namespace {

using Origin = results::Option::Origin;

class Parsed : public ParsedRun {
 public:
  explicit Parsed(const std::vector<std::string>& words) : ParsedRun("some_perf") {
    parse(words, [] {});
  }
};

std::string mistake(const std::vector<std::string>& words) {
  return Parsed(words).mistake();
}

TEST(RunOptions, HaveDefaults) {
  const Parsed parsed({});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(parsed.run.nodes, 0);
  EXPECT_EQ(parsed.run.ranks_per_node, 0);
  EXPECT_FALSE(parsed.run.allow_single);
  EXPECT_EQ(parsed.run.limit, std::chrono::seconds(60));
  EXPECT_EQ(parsed.run.table, "nccl");
  EXPECT_EQ(parsed.run.output_file + parsed.run.lines_file + parsed.run.csv_file, "");
  EXPECT_FALSE(parsed.run.overwrite);
}

TEST(RunOptions, AreRead) {
  const Parsed parsed({"-T", "7", "--nodes", "2", "--ppn", "8", "--allow-single", "--table", "wide",
                       "-J", "a.json", "--jsonl", "a.jsonl", "--csv", "a.csv", "--force"});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(parsed.run.limit, std::chrono::seconds(7));
  EXPECT_EQ(parsed.run.nodes, 2);
  EXPECT_EQ(parsed.run.ranks_per_node, 8);
  EXPECT_TRUE(parsed.run.allow_single);
  EXPECT_EQ(parsed.run.table, "wide");
  EXPECT_EQ(parsed.run.output_file, "a.json");
  EXPECT_EQ(parsed.run.lines_file, "a.jsonl");
  EXPECT_EQ(parsed.run.csv_file, "a.csv");
  EXPECT_TRUE(parsed.run.overwrite);
  EXPECT_EQ(Parsed({"--table", "none"}).run.table, "none");
}

TEST(RunOptions, SayWhereMetricsGo) {
  EXPECT_FALSE(Parsed({}).run.metrics);
  const Parsed file({"--metrics", "run.prom"});
  ASSERT_TRUE(file.run.metrics);
  EXPECT_EQ(file.run.metrics->file, "run.prom");
  EXPECT_EQ(file.run.metrics_names, MetricsNames::railgauge);
  EXPECT_TRUE(file.run.notes.empty());
  const Parsed http({"--metrics", ":9400", "--metrics-style", "nccl-inspector"});
  ASSERT_TRUE(http.run.metrics);
  EXPECT_EQ(http.run.metrics->port, 9400);
  EXPECT_EQ(http.run.metrics_names, MetricsNames::nccl_inspector);
}

TEST(RunOptions, DoubtMetricsThatNobodyWouldRead) {
  const Parsed other({"--metrics", "run.txt"});
  ASSERT_EQ(other.run.notes.size(), 1U);
  EXPECT_NE(other.run.notes[0].find(".prom"), std::string::npos) << other.run.notes[0];
  EXPECT_NE(mistake({"--metrics", "9400"}).find("expected FILE, :PORT"), std::string::npos);
  EXPECT_NE(mistake({"--metrics", "node1:9400"}).find("IP address"), std::string::npos);
  EXPECT_NE(mistake({"--metrics-style", "nccl-inspector"}).find("without --metrics"),
            std::string::npos);
}

TEST(RunOptions, TakeTimesWithUnits) {
  using std::chrono::seconds;
  for (const auto& [word, limit] :
       std::vector<std::pair<std::string, seconds>>{{"90", seconds(90)},
                                                    {"90s", seconds(90)},
                                                    {"2m", seconds(120)},
                                                    {"1h", seconds(3600)},
                                                    {"1m30s", seconds(90)},
                                                    {"2min", seconds(120)},
                                                    {"3000ms", seconds(3)},
                                                    {"1d", seconds(86'400)}}) {
    EXPECT_EQ(Parsed({"-T", word}).run.limit, limit) << word;
  }
  for (const char* word :
       {"", "s", "1.5s", "-1", "90 s", "1m30", "2d", "1500ms", "1x", "99999999999"}) {
    EXPECT_NE(mistake({"-T", word}).find("expected a duration from 1 to 86400"), std::string::npos)
        << word;
  }
}

TEST(RunOptions, OfAFileAreAsStrictAsOthers) {
  for (const std::string text : {"tiemout = 4\n", "timeout = long\n", "[section]\ntimeout = 4\n"}) {
    const File file(text);
    EXPECT_NE(mistake({"--config", file.path()}), "") << text;
  }
  const File file("timeout = 4\n");
  EXPECT_EQ(mistake({"--config", file.path()}), "");
  EXPECT_NE(mistake({"--config", "/no/such"}).find("/no/such"), std::string::npos);
}

TEST(RunOptions, TakeDevicesFromTheEnvironment) {
  const Variable devices("RAILGAUGE_DEVICES", "rxe2,rxe3");
  const Parsed from_environment({});
  const Parsed from_command_line({"--devices", "mlx5_0"});
  EXPECT_EQ(from_environment.run.device.devices, (std::vector<std::string>{"rxe2", "rxe3"}));
  EXPECT_EQ(from_environment.run.in_force.at("devices").origin, Origin::environment);
  EXPECT_EQ(from_command_line.run.device.devices, (std::vector<std::string>{"mlx5_0"}));
  EXPECT_EQ(from_command_line.run.in_force.at("devices").origin, Origin::command_line);
}

TEST(RunOptions, NameNoDevicesByDefault) {
  const Parsed parsed({});
  EXPECT_TRUE(parsed.run.device.devices.empty());
  EXPECT_EQ(parsed.run.in_force.at("devices").origin, Origin::default_value);
  EXPECT_EQ(parsed.run.device.soft.rails, 0);
}

TEST(RunOptions, OfSoftDevicesNameThem) {
  const Variable devices("RAILGAUGE_DEVICES", "mlx5_0");
  const Parsed two({"--device", "soft:2"});
  ASSERT_EQ(two.mistake(), "");
  EXPECT_EQ(two.run.device.soft.rails, 2);
  EXPECT_EQ(two.run.device.devices, (std::vector<std::string>{"soft0", "soft1"}));
  EXPECT_EQ(std::get<std::string>(two.run.in_force.at("device").value), "soft:2");
  EXPECT_EQ(Parsed({"--device", "soft"}).run.device.devices, (std::vector<std::string>{"soft0"}));
  EXPECT_EQ(Parsed({"--device", "soft:64"}).run.device.devices.size(), 64U);
}

TEST(RunOptions, OfSoftDevicesNameThePlanes) {
  const Parsed planes({"--device", "soft:2x2"});
  ASSERT_EQ(planes.mistake(), "");
  EXPECT_EQ(planes.run.device.soft.count(), 4);
  EXPECT_EQ(planes.run.device.devices,
            (std::vector<std::string>{"soft0::0:0", "soft1::0:1", "soft2::1:0", "soft3::1:1"}));
  for (const char* word : {"soft:0x2", "soft:2x0", "soft:2x", "soft:x2", "soft:33x2"}) {
    EXPECT_NE(mistake({"--device", word}).find("expected soft"), std::string::npos) << word;
  }
}

TEST(RunOptions, FollowNcclWhereNoOptionSaysOtherwise) {
  const Variable nccl("NCCL_IB_HCA", "=mlx5_0:1:0:0,mlx5_1:1:0:1");
  const Parsed parsed({});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(topology::mapped_place(parsed.run.device.nics.said(), "mlx5_1", 1),
            (topology::RailPlane{0, 1}));
  EXPECT_EQ(parsed.run.device.note,
            "rails are the ports of NCCL_IB_HCA==mlx5_0:1:0:0,mlx5_1:1:0:1, as no option names "
            "others");
  EXPECT_EQ(parsed.run.in_force.at("include").origin, Origin::environment);
  for (const std::vector<std::string>& said : {std::vector<std::string>{"--include", "mlx5_3"},
                                               {"--exclude", "mlx5_3"},
                                               {"--fabric", "storage"},
                                               {"--rail-map", "mlx5_3=0"},
                                               {"--devices", "mlx5_3"},
                                               {"--device", "soft"}}) {
    const Parsed other(said);
    EXPECT_EQ(other.run.device.note, "") << said[0];
    const auto& include = other.run.device.nics.include;
    EXPECT_EQ(include ? include->text() : "", said[0] == "--include" ? "mlx5_3" : "") << said[0];
  }
}

TEST(RunOptions, SayWhyTheyDoNotFollowNccl) {
  const Variable nccl("NCCL_IB_HCA", "mlx5_0:1:1");
  const Parsed parsed({});
  EXPECT_EQ(parsed.mistake(), "");
  EXPECT_FALSE(parsed.run.device.nics.include);
  EXPECT_EQ(parsed.run.device.note,
            "NCCL_IB_HCA=mlx5_0:1:1 is not followed: the rail map has nothing on rail 0");
}

TEST(RunOptions, RefuseDevicesWhosePlacesContradict) {
  EXPECT_NE(mistake({"--devices", "a::0,b::0"}).find("two ports on rail 0"), std::string::npos);
  EXPECT_NE(mistake({"--devices", "a::0:0,b"}).find("some devices say their rails"),
            std::string::npos);
}

TEST(RunOptions, TakeSoftDevicesFromTheEnvironment) {
  const Variable device("RAILGAUGE_DEVICE", "soft:3");
  EXPECT_EQ(Parsed({}).run.device.devices.size(), 3U);
  EXPECT_NE(mistake({"--devices", "mlx5_0"}).find("give one of the two"), std::string::npos);
}

TEST(RunOptions, ChooseGidsByRuleUnlessTold) {
  EXPECT_FALSE(Parsed({}).run.device.gid_index);
  EXPECT_FALSE(Parsed({"--gid-index", "-1"}).run.device.gid_index);
  EXPECT_EQ(Parsed({"--gid-index", "3"}).run.device.gid_index, 3);
}

TEST(RunOptions, GiveAllConnectionsOnePriority) {
  EXPECT_EQ(Parsed({}).run.device.service_level, 0);
  EXPECT_EQ(Parsed({"--service-level", "3"}).run.device.service_level, 3);
  EXPECT_NE(mistake({"--service-level", "8"}).find("from 0 to 7"), std::string::npos);
}

TEST(RunOptions, ChooseRailsAsNcclDoes) {
  const Parsed parsed({"--include", "^mlx5_9", "--exclude", "mlx5_1:2", "--rail-map",
                       "mlx5_0=1,mlx5_1=0", "--placement", "spread"});
  ASSERT_EQ(parsed.mistake(), "");
  const topology::NicWishes& nics = parsed.run.device.nics;
  ASSERT_TRUE(nics.include && nics.exclude);
  EXPECT_FALSE(nics.include->matches("mlx5_9", 1));
  EXPECT_TRUE(nics.exclude->matches("mlx5_1", 2));
  EXPECT_EQ(nics.rail_map, (topology::RailMap{{"mlx5_0", {}, 1}, {"mlx5_1", {}, 0}}));
  EXPECT_EQ(parsed.run.device.placement, "spread");
  EXPECT_EQ(std::get<std::string>(parsed.run.in_force.at("rail-map").value), "mlx5_0=1,mlx5_1=0");
}

TEST(RunOptions, PlaceRanksLocalToTheirNicsUnlessToldOtherwise) {
  const Parsed parsed({});
  EXPECT_EQ(parsed.run.device.placement, "rail");
  EXPECT_FALSE(parsed.run.device.nics.include || parsed.run.device.nics.exclude);
}

TEST(RunOptions, RefuseWhatCannotChooseRails) {
  EXPECT_NE(mistake({"--include", "mlx5_0:x"}).find("--include mlx5_0:x: "), std::string::npos);
  EXPECT_NE(mistake({"--exclude", ","}).find("--exclude ,: "), std::string::npos);
  EXPECT_NE(mistake({"--include", ""}).find("--include : "), std::string::npos);
  EXPECT_NE(mistake({"--rail-map", "mlx5_0=1"}).find("--rail-map mlx5_0=1: the rail map has"),
            std::string::npos);
}

TEST(RunOptions, ChooseRailsByOneWay) {
  const std::string named = "choose rails, but --device";
  EXPECT_NE(mistake({"--devices", "a", "--include", "a"}).find(named + "s has"), std::string::npos);
  EXPECT_NE(mistake({"--device", "soft", "--exclude", "a"}).find(named + " has"),
            std::string::npos);
  EXPECT_NE(mistake({"--devices", "a", "--rail-map", "a=0"}).find(named), std::string::npos);
}

TEST(RunOptions, ThatAreAMistakeAreRefusedWithASentence) {
  const std::string soft =
      ": expected soft, soft:RAILS or soft:RAILSxPLANES with 1 to 64 devices; names of devices go "
      "to --devices";
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"--table", "square"}, "--table square: expected nccl, wide or none"},
      {{"-T", "0"},
       "--timeout 0: expected a duration from 1 to 86400 whole seconds, such as 30s, 5m or 1h"},
      {{"--nodes", "0"}, "--nodes 0: expected a whole number from 1"},
      {{"--ppn", "many"}, "--ppn many: expected a whole number from 1"},
      {{"--gid-index", "-2"}, "--gid-index -2: expected a whole number from -1"},
      {{"--devices", "a,a"}, "--devices a,a: 'a' is given twice"},
      {{"--device", ""}, "--device " + soft},
      {{"--device", "soft0"}, "--device soft0" + soft},
      {{"--device", "soft:"}, "--device soft:" + soft},
      {{"--device", "soft:0"}, "--device soft:0" + soft},
      {{"--device", "soft:65"}, "--device soft:65" + soft},
      {{"--device", "soft:2x"}, "--device soft:2x" + soft},
      {{"--device", "soft:99999999999"}, "--device soft:99999999999" + soft},
      {{"--device", "hard:2"}, "--device hard:2" + soft},
      {{"--device"}, "--device"},
      {{"--device", "soft", "--devices", "soft0"}, "--device and --devices"},
      {{"-J", "a", "--csv", "./a"}, "--csv ./a and -J a are the same file"},
      {{"--csv", "a", "--jsonl", "b/../a"}, "--jsonl b/../a and --csv a are the same file"},
      {{"--force"}, "--force without -J, --jsonl or --csv"}};
  for (const auto& [words, expected] : mistakes) {
    const std::string text = mistake(words);
    EXPECT_EQ(text.rfind("some_perf: " + expected, 0), 0U) << text << "\n" << expected;
  }
}

/// The note on a variable of NCCL; empty if there is none.
std::string note_on(const std::string& variable, const std::string& value,
                    const std::vector<std::string>& words = {}) {
  const Variable set(variable, value);
  const Parsed parsed(words);
  return parsed.run.notes.empty() ? "" : parsed.run.notes.front();
}

TEST(RunOptions, SayWhichVariablesOfNcclAreNotFollowed) {
  EXPECT_EQ(note_on("NCCL_IB_GID_INDEX", "3"),
            "NCCL_IB_GID_INDEX=3 is not followed; give --gid-index 3");
  EXPECT_EQ(note_on("NCCL_TESTS_SPLIT_MASK", "0x1"), "") << "this program has no such option";
  EXPECT_EQ(note_on("NCCL_IB_ADDR_FAMILY", "AF_INET6"),
            "NCCL_IB_ADDR_FAMILY=AF_INET6 is not followed; give --gid-index INDEX (ibv_devinfo -v "
            "lists GIDs)");
  EXPECT_EQ(note_on("NCCL_IB_DISABLE", "1"),
            "NCCL_IB_DISABLE=1 is not followed: data go over RDMA devices, or over the memory of a "
            "host");
  EXPECT_EQ(
      note_on("NCCL_SOCKET_IFNAME", "eth0"),
      "NCCL_SOCKET_IFNAME=eth0 is not followed: RAILGAUGE_MANAGEMENT_IF names the interface of "
      "MPI's traffic");
  EXPECT_EQ(note_on("NCCL_IB_RETRY_CNT", "13"),
            "NCCL_IB_RETRY_CNT=13 is not followed: the ACK time-out is 1 s, with 6 retries");
  EXPECT_EQ(note_on("NCCL_IB_SL", "3"), "NCCL_IB_SL=3 is not followed; give --service-level 3");
  EXPECT_NE(note_on("NCCL_TESTS_MIN_BW", "40").find("railgauge compare"), std::string::npos);
}

TEST(RunOptions, AreSilentOnVariablesThatChangeNothing) {
  EXPECT_EQ(note_on("NCCL_IB_GID_INDEX", "3", {"--gid-index", "1"}), "");
  EXPECT_EQ(note_on("NCCL_IB_GID_INDEX", ""), "");
  EXPECT_EQ(note_on("NCCL_IB_TC", "106"), "") << "this program has no such option";
  EXPECT_EQ(note_on("NCCL_DEBUG", "INFO"), "");
  EXPECT_EQ(note_on("NCCL_IB_DISABLE", "0"), "");
  EXPECT_EQ(note_on("NCCL_NET", "IB"), "");
  EXPECT_EQ(note_on("NCCL_IB_ROCE_VERSION_NUM", "2"), "");
}

}  // namespace
}  // namespace railgauge::runner
