#include "benchmarks/options.hpp"

#include <gtest/gtest.h>

namespace railgauge::benchmarks {
namespace {

using schedule::Collective;

ParsedOptions parse(std::vector<std::string> words,
                    Collective collective = Collective::all_reduce) {
  words.insert(words.begin(), "all_reduce_perf");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return parse_options("all_reduce_perf", collective, static_cast<int>(argv.size()), argv.data());
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
  EXPECT_EQ(parsed.options->iterations, 20);
  EXPECT_EQ(parsed.options->warmup_iterations, 1);
  EXPECT_EQ(parsed.options->check_iterations, 1);
  EXPECT_EQ(parsed.options->type, reduce::ElementType::float32);
  EXPECT_EQ(parsed.options->op, reduce::Operator::sum);
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
  EXPECT_EQ(options.type, reduce::ElementType::int8);
  EXPECT_EQ(options.op, reduce::Operator::max);
  EXPECT_EQ(options.time_limit, std::chrono::seconds(7));
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

TEST(Options, AreRecordedWithWhereTheyCameFrom) {
  using Origin = results::Option::Origin;
  const ParsedOptions parsed = parse({"-n", "3"});
  ASSERT_TRUE(parsed.options);
  const auto& in_force = parsed.options->in_force;
  EXPECT_EQ(std::get<std::int64_t>(in_force.at("iters").value), 3);
  EXPECT_EQ(in_force.at("iters").origin, Origin::command_line);
  EXPECT_EQ(in_force.at("warmup_iters").origin, Origin::default_value);
}

TEST(Options, DevicesMayComeFromTheEnvironment) {
  using Origin = results::Option::Origin;
  setenv("RAILGAUGE_DEVICES", "rxe2,rxe3", 1);
  const ParsedOptions from_environment = parse({});
  const ParsedOptions from_command_line = parse({"--devices", "mlx5_0"});
  unsetenv("RAILGAUGE_DEVICES");
  ASSERT_TRUE(from_environment.options && from_command_line.options);
  EXPECT_EQ(from_environment.options->devices, (std::vector<std::string>{"rxe2", "rxe3"}));
  EXPECT_EQ(from_environment.options->in_force.at("devices").origin, Origin::environment);
  EXPECT_EQ(from_command_line.options->devices, (std::vector<std::string>{"mlx5_0"}));
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

TEST(Options, TakeAllAlgorithmsOrLeaveTheChoice) {
  const ParsedOptions all = parse({"--algo", "all"}, Collective::gather);
  EXPECT_EQ(names_of(*all.options), "direct binomial ");
  EXPECT_EQ(all.options->choice, Options::Choice::all);
  EXPECT_EQ(parse({"--algo", "auto"}).options->choice, Options::Choice::automatic);
}

TEST(Options, AreThoseOfTheCollective) {
  EXPECT_EQ(parse({"-r", "3"}, Collective::broadcast).options->root, 3);
  EXPECT_TRUE(parse({"-r", "3"}).mistake);
  EXPECT_TRUE(parse({"-o", "sum"}, Collective::broadcast).mistake);
  EXPECT_FALSE(parse({"-o", "avg"}, Collective::reduce_scatter).mistake);
  EXPECT_TRUE(parse({"-b", "8"}, Collective::barrier).mistake);
  EXPECT_EQ(parse({}, Collective::barrier).options->sizes(), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(parse({"--slice", "8K", "--qps", "4"}).options->slice_bytes, 8192U);
}

TEST(Options, OfSoftDevicesNameThem) {
  setenv("RAILGAUGE_DEVICES", "mlx5_0", 1);
  const ParsedOptions two = parse({"--device", "soft:2"});
  unsetenv("RAILGAUGE_DEVICES");
  ASSERT_TRUE(two.options) << two.text;
  EXPECT_EQ(two.options->soft_rails, 2);
  EXPECT_EQ(two.options->devices, (std::vector<std::string>{"soft0", "soft1"}));
  EXPECT_EQ(std::get<std::string>(two.options->in_force.at("device").value), "soft:2");
  EXPECT_EQ(parse({"--device", "soft"}).options->devices, (std::vector<std::string>{"soft0"}));
  EXPECT_EQ(parse({}).options->soft_rails, 0);
}

TEST(Options, AreRefusedWithASentence) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"-x"}, "-x"},
      {{"stray"}, "stray"},
      {{"-b", "4X"}, "-b: '4X' is not a size"},
      {{"-b", "-8"}, "-b"},
      {{"-b", "0"}, "0"},
      {{"-b", "8", "-e", "4"}, "-e 4 is below -b 8"},
      {{"-b", "8", "-e", "16", "-f", "1"}, "factor"},
      {{"-n", "0"}, "--iters"},
      {{"-n", "many"}, "--iters"},
      {{"-w", "-1"}, "--warmup_iters"},
      {{"--algo", "bring"},
       "--algo does not know 'bring': it takes ring, tree, halving-doubling, doubling, "},
      {{"--algo", "ring,ring"}, "--algo has 'ring' twice"},
      {{"--algo", ""}, "--algo does not know ''"},
      {{"--slice", "100"}, "--slice 100 is not a multiple of 64"},
      {{"--slice", "32M"}, "--slice 32M"},
      {{"--qps", "0"}, "--qps"},
      {{"-d", "float16"}, "-d does not know 'float16': it takes int8, "},
      {{"-o", "mulsum"}, "-o does not know 'mulsum': it takes sum, "},
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

}  // namespace
}  // namespace railgauge::benchmarks
