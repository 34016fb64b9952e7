#include "runner/options/options.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>

namespace railgauge::runner {
namespace {

using schedule::Collective;

ParsedOptions parse(std::vector<std::string> words,
                    Collective collective = Collective::all_reduce) {
  words.insert(words.begin(), "all_reduce_perf");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return parse_options({"all_reduce", collective}, static_cast<int>(argv.size()), argv.data());
}

/// The text of a mistake; empty if there was none.
std::string mistake(const std::vector<std::string>& words) {
  const ParsedOptions parsed = parse(words);
  EXPECT_TRUE(parsed.mistake || parsed.options);
  return parsed.mistake ? parsed.text : "";
}

TEST(Options, HaveNcclTestsDefaults) {
  const ParsedOptions parsed = parse({});
  ASSERT_TRUE(parsed.options);
  EXPECT_EQ(parsed.options->min_bytes, 32U << 20);
  EXPECT_EQ(parsed.options->max_bytes, 32U << 20);
  EXPECT_EQ(parsed.options->step_bytes, 1U << 20);
  EXPECT_EQ(parsed.options->step_factor, 1U);
  EXPECT_EQ(parsed.options->timing.stopping.iterations, 20U);
  EXPECT_EQ(parsed.options->timing.warm_up, 1U);
  EXPECT_EQ(parsed.options->timing.verified, 1U);
  EXPECT_EQ(parsed.options->timing.collectives, 1U);
  EXPECT_EQ(parsed.options->cycles, 1U);
  EXPECT_EQ(parsed.options->types, std::vector{reduce::ElementType::float32});
  EXPECT_EQ(parsed.options->ops, std::vector{reduce::Operator::sum});
  EXPECT_EQ(parsed.options->sizes(), (std::vector<std::uint64_t>{32U << 20}));
}

TEST(Options, AreRead) {
  const ParsedOptions parsed =
      parse({"-b",        "8",      "-e",      "4K", "-f",   "4",      "-n",     "3",  "-w",
             "0",         "-c",     "0",       "-d", "int8", "-o",     "max",    "-T", "7",
             "--connect", "rdmacm", "--nodes", "2",  "-J",   "a.json", "--force"});
  ASSERT_TRUE(parsed.options) << parsed.text;
  const Options& options = *parsed.options;
  EXPECT_EQ(options.sizes(), (std::vector<std::uint64_t>{8, 32, 128, 512, 2048}));
  EXPECT_EQ(options.types, std::vector{reduce::ElementType::int8});
  EXPECT_EQ(options.ops, std::vector{reduce::Operator::max});
  EXPECT_EQ(options.limit, std::chrono::seconds(7));
  EXPECT_EQ(options.connect, transport::Connect::rdmacm);
  EXPECT_EQ(options.nodes, 2);
  EXPECT_EQ(options.output_file, "a.json");
  EXPECT_TRUE(options.overwrite);
}

TEST(Options, SendAllDataByTheRailsUnlessTold) {
  const ParsedOptions rails = parse({});
  ASSERT_TRUE(rails.options);
  EXPECT_EQ(rails.options->same_host, SameHost::rails);
  const ParsedOptions memory = parse({"--same-host", "memory"});
  ASSERT_TRUE(memory.options);
  EXPECT_EQ(memory.options->same_host, SameHost::memory);
  EXPECT_EQ(std::get<std::string>(memory.options->in_force.at("same-host").value), "memory");
}

/// A file that is there as long as this.
class File {
 public:
  explicit File(const std::string& text) : path_(::testing::TempDir() + "railgauge_options") {
    std::ofstream(path_) << text;
  }
  ~File() { std::remove(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Options, AreRecordedWithWhereTheyCameFrom) {
  using Origin = results::Option::Origin;
  const File file("iters = 4\nqps = 2,3\nforce = true\njsonl = \"a.jsonl\"\n");
  setenv("RAILGAUGE_QPS", "7", 1);
  setenv("RAILGAUGE_CHECK", "5", 1);
  const ParsedOptions parsed = parse({"-n", "3", "--config", file.path()});
  unsetenv("RAILGAUGE_QPS");
  unsetenv("RAILGAUGE_CHECK");
  ASSERT_TRUE(parsed.options) << parsed.text;
  const auto& in_force = parsed.options->in_force;
  EXPECT_EQ(std::get<std::int64_t>(in_force.at("iters").value), 3);
  EXPECT_EQ(in_force.at("iters").origin, Origin::command_line);
  EXPECT_EQ(parsed.options->queue_pairs, (std::vector<unsigned>{2, 3}));
  EXPECT_EQ(std::get<std::string>(in_force.at("qps").value), "2,3");
  EXPECT_EQ(in_force.at("qps").origin, Origin::config_file);
  EXPECT_TRUE(std::get<bool>(in_force.at("force").value));
  EXPECT_EQ(parsed.options->timing.verified, 5U);
  EXPECT_EQ(in_force.at("check").origin, Origin::environment);
  EXPECT_EQ(in_force.at("warmup_iters").origin, Origin::default_value);
}

TEST(Options, OfAFileAreAsStrictAsOthers) {
  for (const std::string text : {"itres = 4\n", "iters = many\n", "[section]\niters = 4\n"}) {
    const File file(text);
    EXPECT_TRUE(parse({"--config", file.path()}).mistake) << text;
  }
  EXPECT_NE(mistake({"--config", "/no/such"}).find("/no/such"), std::string::npos);
}

TEST(Options, MayStandInTheEnvironmentByTheirLongNames) {
  setenv("RAILGAUGE_MINBYTES", "4K", 1);
  setenv("RAILGAUGE_TRAFFIC_CLASS", "104", 1);
  const ParsedOptions parsed = parse({});
  setenv("RAILGAUGE_TRAFFIC_CLASS", "256", 1);
  const ParsedOptions wrong = parse({});
  unsetenv("RAILGAUGE_MINBYTES");
  unsetenv("RAILGAUGE_TRAFFIC_CLASS");
  ASSERT_TRUE(parsed.options) << parsed.text;
  EXPECT_EQ(parsed.options->min_bytes, 4096U);
  EXPECT_EQ(parsed.options->traffic_classes, std::vector<std::uint8_t>{104});
  EXPECT_TRUE(wrong.mistake);
}

TEST(Options, OfNcclTestsHaveItsMeaning) {
  const ParsedOptions parsed =
      parse({"-b", "1M", "-e", "4M", "-i", "1M", "-m", "3",  "-N", "2",  "-z",
             "3",  "-a", "1",  "-S", "1",  "-u", "2",  "-I", "1",  "-K", "5"});
  ASSERT_TRUE(parsed.options) << parsed.text;
  const Options& options = *parsed.options;
  EXPECT_EQ(options.sizes(), (std::vector<std::uint64_t>{1U << 20, 2U << 20, 3U << 20, 4U << 20}));
  EXPECT_EQ(options.timing.collectives, 3U);
  EXPECT_EQ(options.cycles, 2U);
  EXPECT_EQ(options.timing.separation, measure::Separation::barrier_outside);
  EXPECT_EQ(options.timing.over_ranks, measure::OverRanks::mean);
  EXPECT_TRUE(options.timestamps);
  EXPECT_EQ(options.unaligned, 2U);
  EXPECT_TRUE(options.per_iteration);
  EXPECT_EQ(options.timing.skipped, 5U);
  EXPECT_EQ(parse({"--sync", "barrier"}).options->timing.separation,
            measure::Separation::barrier_outside);
  EXPECT_EQ(parse({"-z", "1"}).options->timing.separation, measure::Separation::barrier_inside);
}

TEST(Options, AboutGpusAreRefusedWithWhatToUseInstead) {
  for (const char* option : {"-g", "-t", "-G", "-C", "-R", "-p", "-y", "-x", "-D", "-V", "-M"}) {
    const std::string text = mistake({option, "1"});
    EXPECT_NE(text.find(std::string(option) + ","), std::string::npos) << text;
    EXPECT_NE(text.find("of nccl-tests is about GPUs: "), std::string::npos) << text;
  }
  EXPECT_NE(mistake({"--ngpus=8"}).find("mpirun -np"), std::string::npos);
}

TEST(Options, SayWhenItIsEnough) {
  const ParsedOptions narrow = parse({"--ci", "0.5%"});
  ASSERT_TRUE(narrow.options) << narrow.text;
  EXPECT_DOUBLE_EQ(narrow.options->timing.stopping.interval.value(), 0.005);
  EXPECT_EQ(narrow.options->timing.stopping.duration, std::chrono::seconds(10));
  EXPECT_EQ(parse({"--ci", "1", "--duration", "3"}).options->timing.stopping.duration,
            std::chrono::seconds(3));
  EXPECT_FALSE(parse({}).options->timing.stopping.duration);
}

TEST(Options, ThatTakeListsMultiply) {
  const ParsedOptions parsed = parse({"--qps", "1,2", "--chunk", "64K,128K", "--rails", "each,all",
                                      "--traffic-class", "0,104", "-d", "half,float"});
  ASSERT_TRUE(parsed.options) << parsed.text;
  const auto settings = parsed.options->settings(2, 4);
  EXPECT_EQ(settings.size(), 2U * 2 * 3 * 2 * 2);
  EXPECT_EQ(settings.front().rails, (RailUse{{0}}));
  EXPECT_EQ(settings.back().rails, (RailUse{{0, 1}}));
  EXPECT_EQ(settings[0].type, reduce::ElementType::float16);
  EXPECT_EQ(settings[1].type, reduce::ElementType::float32);
}

TEST(Options, TakeAllTypesOperatorsAndRoots) {
  EXPECT_EQ(parse({"-d", "all"}).options->types.size(), reduce::kElementTypes.size());
  EXPECT_EQ(parse({"-o", "all"}).options->ops.size(), reduce::kOperators.size());
  const ParsedOptions roots = parse({"-r", "-1"}, Collective::broadcast);
  ASSERT_TRUE(roots.options) << roots.text;
  EXPECT_EQ(roots.options->settings(1, 5).size(), 5U);
  EXPECT_EQ(roots.options->settings(1, 5).back().root, 4);
  EXPECT_EQ(parse({"-r", "all"}, Collective::broadcast).options->settings(1, 3).size(), 3U);
}

TEST(Options, DevicesMayComeFromTheEnvironment) {
  using Origin = results::Option::Origin;
  setenv("RAILGAUGE_DEVICES", "rxe2,rxe3", 1);
  const ParsedOptions from_environment = parse({});
  const ParsedOptions from_command_line = parse({"--devices", "mlx5_0"});
  unsetenv("RAILGAUGE_DEVICES");
  ASSERT_TRUE(from_environment.options && from_command_line.options);
  EXPECT_EQ(from_environment.options->device.devices, (std::vector<std::string>{"rxe2", "rxe3"}));
  EXPECT_EQ(from_environment.options->in_force.at("devices").origin, Origin::environment);
  EXPECT_EQ(from_command_line.options->device.devices, (std::vector<std::string>{"mlx5_0"}));
  EXPECT_EQ(from_command_line.options->in_force.at("devices").origin, Origin::command_line);
  EXPECT_EQ(parse({}).options->in_force.at("devices").origin, Origin::default_value);
}

std::string names_of(const Options& options) {
  std::string names;
  for (const auto* algorithm : options.algorithms) names += std::string(algorithm->name) + " ";
  return names;
}

TEST(Options, AlgorithmsAreChosenByName) {
  EXPECT_EQ(names_of(*parse({}).options), "ring ");
  const ParsedOptions two = parse({"--algo", "folded,tree"});
  ASSERT_TRUE(two.options) << two.text;
  EXPECT_EQ(names_of(*two.options), "folded tree ");
  EXPECT_EQ(std::get<std::string>(two.options->in_force.at("algo").value), "folded,tree");
  EXPECT_EQ(names_of(*parse({}, Collective::all_to_all).options), "pairwise ");
}

TEST(Options, OfAProgramWithOneAlgorithmHaveNoOther) {
  const Program hypercube{"hypercube", Collective::all_gather, "halving-doubling", true};
  std::string name = "hypercube_perf";
  std::string option = "--algo";
  std::string ring = "ring";
  std::array<char*, 3> argv{name.data(), option.data(), ring.data()};
  EXPECT_EQ(names_of(*parse_options(hypercube, 1, argv.data()).options), "halving-doubling ");
  EXPECT_TRUE(parse_options(hypercube, 3, argv.data()).mistake);
}

TEST(Options, TakeAllAlgorithmsOrLeaveTheChoice) {
  const ParsedOptions all = parse({"--algo", "all"}, Collective::gather);
  EXPECT_EQ(names_of(*all.options), "direct binomial ");
  EXPECT_EQ(all.options->choice, Options::Choice::all);
  EXPECT_EQ(parse({"--algo", "auto"}).options->choice, Options::Choice::automatic);
}

TEST(Options, AreThoseOfTheCollective) {
  EXPECT_EQ(parse({"-r", "3"}, Collective::broadcast).options->roots, std::vector{3});
  EXPECT_TRUE(parse({"-r", "3"}).mistake);
  EXPECT_TRUE(parse({"-o", "sum"}, Collective::broadcast).mistake);
  EXPECT_FALSE(parse({"-o", "avg"}, Collective::reduce_scatter).mistake);
  EXPECT_TRUE(parse({"-b", "8"}, Collective::barrier).mistake);
  EXPECT_EQ(parse({}, Collective::barrier).options->sizes(), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(parse({"--chunk", "8K"}).options->chunks, std::vector<std::uint32_t>{8192});
  EXPECT_TRUE(parse({"--spread", "10"}).mistake);
  EXPECT_EQ(parse({"--spread", "10"}, Collective::all_to_all_v).options->spread_percent, 10U);
}

TEST(Options, OfSoftDevicesNameThem) {
  setenv("RAILGAUGE_DEVICES", "mlx5_0", 1);
  const ParsedOptions two = parse({"--device", "soft:2"});
  unsetenv("RAILGAUGE_DEVICES");
  ASSERT_TRUE(two.options) << two.text;
  EXPECT_EQ(two.options->device.soft_rails, 2);
  EXPECT_EQ(two.options->device.devices, (std::vector<std::string>{"soft0", "soft1"}));
  EXPECT_EQ(std::get<std::string>(two.options->in_force.at("device").value), "soft:2");
  EXPECT_EQ(parse({"--device", "soft"}).options->device.devices,
            (std::vector<std::string>{"soft0"}));
  EXPECT_EQ(parse({}).options->device.soft_rails, 0);
}

TEST(Options, AreRefusedWithASentence) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"-Q"}, "-Q"},
      {{"-i", "1M", "-f", "2"}, "-i and -f"},
      {{"-i", "0"}, "-i 0"},
      {{"-f", "0"}, "-f 0"},
      {{"-b", "8", "-e", "64G", "-i", "8"}, "more than a million sizes"},
      {{"-K", "3"}, "-K without -I 1"},
      {{"-I", "2"}, "--per_iter_timing"},
      {{"-N", "0", "--qps", "1,2"}, "-N 0 with a list"},
      {{"-z", "4"}, "--blocking"},
      {{"--ci", "0%"}, "--ci 0%"},
      {{"--ci", "narrow"}, "--ci narrow"},
      {{"--rails", "0+0"}, "twice"},
      {{"--rails", "left"}, "--rails does not know 'left'"},
      {{"--rails", "0+"}, "--rails does not know '0+'"},
      {{"--table", "square"}, "--table"},
      {{"-d", "half,half"}, "has 'half' twice"},
      {{"stray"}, "stray"},
      {{"-b", "4X"}, "-b: '4X' is not a size"},
      {{"-b", "-8"}, "-b"},
      {{"-b", "0", "-f", "2"}, "0"},
      {{"-b", "8", "-e", "4"}, "-e 4 is below -b 8"},
      {{"-n", "0"}, "--iters"},
      {{"-n", "many"}, "--iters"},
      {{"-w", "-1"}, "--warmup_iters"},
      {{"--algo", "bring"},
       "--algo does not know 'bring': it takes ring, tree, halving-doubling, doubling, "},
      {{"--algo", "ring,ring"}, "--algo has 'ring' twice"},
      {{"--algo", ""}, "--algo does not know ''"},
      {{"--chunk", "100"}, "--chunk 100 is not a multiple of 64"},
      {{"--chunk", "32M"}, "--chunk 32M"},
      {{"--qps", "0"}, "--qps"},
      {{"-d", "float16"}, "--datatype does not know 'float16': it takes int8, "},
      {{"-o", "mulsum"}, "--op does not know 'mulsum': it takes sum, "},
      {{"-T", "0"}, "--timeout"},
      {{"--connect", "carrier-pigeon"}, "--connect"},
      {{"--same-host", "shared"}, "--same-host"},
      {{"--nodes", "0"}, "--nodes"},
      {{"--device", ""}, "--device does not know ''"},
      {{"--device", "soft0"}, "names of devices are for --devices"},
      {{"--device", "soft:"}, "--device does not know 'soft:'"},
      {{"--device", "soft:0"}, "1 to 64 rails"},
      {{"--device", "soft:65"}, "1 to 64 rails"},
      {{"--device", "soft:2x"}, "--device does not know 'soft:2x'"},
      {{"--device", "soft:99999999999"}, "--device does not know"},
      {{"--device", "hard:2"}, "--device does not know 'hard:2'"},
      {{"--device"}, "--device"},
      {{"--device", "soft", "--devices", "soft0"}, "--device and --devices"},
      {{"--device", "soft", "--connect", "rdmacm"}, "librdmacm"},
      {{"--force"}, "--force without -J"}};
  for (const auto& [words, expected] : mistakes) {
    const std::string text = mistake(words);
    EXPECT_EQ(text.rfind("all_reduce_perf: ", 0), 0U) << text;
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  }
}

TEST(Options, HelpIsAnAnswerAndNoMistake) {
  const ParsedOptions parsed = parse({"--help"});
  EXPECT_FALSE(parsed.options);
  EXPECT_FALSE(parsed.mistake);
  EXPECT_NE(parsed.text.find("Exit status"), std::string::npos);
}

TEST(Options, ChooseRailsAsNcclDoes) {
  const ParsedOptions parsed = parse({"--include", "^mlx5_9", "--exclude", "mlx5_1:2", "--rail-map",
                                      "mlx5_0=1,mlx5_1=0", "--placement", "spread"});
  ASSERT_TRUE(parsed.options) << parsed.text;
  const topology::NicWishes& nics = parsed.options->device.nics;
  ASSERT_TRUE(nics.include && nics.exclude);
  EXPECT_FALSE(nics.include->matches("mlx5_9", 1));
  EXPECT_TRUE(nics.exclude->matches("mlx5_1", 2));
  EXPECT_EQ(nics.rail_map, (topology::RailMap{{"mlx5_0", 1}, {"mlx5_1", 0}}));
  EXPECT_EQ(parsed.options->device.placement, "spread");
}

TEST(Options, PlaceRanksBesideTheirNicsUnlessToldOtherwise) {
  const ParsedOptions parsed = parse({});
  ASSERT_TRUE(parsed.options);
  EXPECT_EQ(parsed.options->device.placement, "rail");
  EXPECT_FALSE(parsed.options->device.nics.include || parsed.options->device.nics.exclude);
}

TEST(Options, RefuseWhatCannotChooseRails) {
  EXPECT_NE(mistake({"--include", "mlx5_0:x"}).find("--include: "), std::string::npos);
  EXPECT_NE(mistake({"--exclude", ","}).find("--exclude: "), std::string::npos);
  EXPECT_NE(mistake({"--rail-map", "mlx5_0=1"}).find("rail"), std::string::npos);
  const std::string named = "choose rails, and --device";
  EXPECT_NE(mistake({"--devices", "a", "--include", "a"}).find(named + "s has"), std::string::npos);
  EXPECT_NE(mistake({"--device", "soft", "--exclude", "a"}).find(named + " has"),
            std::string::npos);
  EXPECT_NE(mistake({"--devices", "a", "--rail-map", "a=0"}).find(named), std::string::npos);
}

}  // namespace
}  // namespace railgauge::runner
