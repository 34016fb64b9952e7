#include "experiments/collective/collective_options.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/collective/parsed_collective.hpp"
#include "runner/file.hpp"

namespace railgauge::runner {
namespace {

using schedule::Collective;
using Origin = results::Option::Origin;

using Parsed = ParsedCollective;

TEST(CollectiveOptions, HaveNcclTestsDefaults) {
  const Parsed parsed = parse({});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(parsed.options.min_bytes, 32U << 20);
  EXPECT_EQ(parsed.options.max_bytes, 32U << 20);
  EXPECT_EQ(parsed.options.step_bytes, 1U << 20);
  EXPECT_EQ(parsed.options.step_factor, 1U);
  EXPECT_EQ(parsed.options.timing.stopping.iterations, 20U);
  EXPECT_EQ(parsed.options.timing.warm_up, 1U);
  EXPECT_EQ(parsed.options.timing.verified, 1U);
  EXPECT_EQ(parsed.options.timing.collectives, 1U);
  EXPECT_EQ(parsed.options.cycles, 1U);
  EXPECT_EQ(parsed.options.types, std::vector{reduce::ElementType::float32});
  EXPECT_EQ(parsed.options.ops, std::vector{reduce::Operator::sum});
  EXPECT_EQ(parsed.options.sizes(), (std::vector<std::uint64_t>{32U << 20}));
}

/// It would be one that they refuse: 0.
TEST(CollectiveOptions, ShowNoNumberWhereTheRunChooses) {
  const auto in_force = parse({}).run.in_force;
  for (const std::string name : {"window", "progress-threads"}) {
    const auto* const word = std::get_if<std::string>(&in_force.at(name).value);
    ASSERT_NE(word, nullptr) << name;
    EXPECT_EQ(*word, "") << name;
  }
  EXPECT_EQ(std::get<std::int64_t>(in_force.at("reduce-threads").value), 1);
}

TEST(CollectiveOptions, AreRead) {
  const Parsed parsed = parse({"-b", "8", "-e", "4K", "-f", "4", "-n", "3", "-w", "0", "-c", "0",
                               "-d", "int8", "-o", "max", "--connect", "rdmacm"});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(parsed.options.sizes(), (std::vector<std::uint64_t>{8, 32, 128, 512, 2048}));
  EXPECT_EQ(parsed.options.timing.stopping.iterations, 3U);
  EXPECT_EQ(parsed.options.timing.warm_up, 0U);
  EXPECT_EQ(parsed.options.timing.verified, 0U);
  EXPECT_EQ(parsed.options.types, std::vector{reduce::ElementType::int8});
  EXPECT_EQ(parsed.options.ops, std::vector{reduce::Operator::max});
  EXPECT_EQ(parsed.options.connect, transport::Connect::rdmacm);
}

TEST(CollectiveOptions, SendAllDataByTheRailsUnlessTold) {
  EXPECT_EQ(parse({}).options.same_host, SameHost::rails);
  const Parsed memory = parse({"--same-host", "memory"});
  EXPECT_EQ(memory.options.same_host, SameHost::memory);
  EXPECT_EQ(std::get<std::string>(memory.run.in_force.at("same-host").value), "memory");
}

TEST(CollectiveOptions, AreRecordedWithWhereTheyCameFrom) {
  const File file("iters = 4\nqps = 2,3\nforce = true\njsonl = \"a.jsonl\"\n");
  const Variable qps("RAILGAUGE_QPS", "7");
  const Variable check("RAILGAUGE_CHECK", "5");
  const Parsed parsed = parse({"-n", "3", "--config", file.path()});
  ASSERT_EQ(parsed.mistake(), "");
  const auto& in_force = parsed.run.in_force;
  EXPECT_EQ(std::get<std::int64_t>(in_force.at("iters").value), 3);
  EXPECT_EQ(in_force.at("iters").origin, Origin::command_line);
  EXPECT_EQ(parsed.options.queue_pairs, (std::vector<unsigned>{2, 3}));
  EXPECT_EQ(std::get<std::string>(in_force.at("qps").value), "2,3");
  EXPECT_EQ(in_force.at("qps").origin, Origin::config_file);
  EXPECT_TRUE(std::get<bool>(in_force.at("force").value));
  EXPECT_EQ(parsed.options.timing.verified, 5U);
  EXPECT_EQ(in_force.at("check").origin, Origin::environment);
  EXPECT_EQ(in_force.at("warmup_iters").origin, Origin::default_value);
}

TEST(CollectiveOptions, MayStandInTheEnvironmentByTheirLongNames) {
  const Variable bytes("RAILGAUGE_MINBYTES", "4K");
  const Variable traffic_class("RAILGAUGE_TRAFFIC_CLASS", "104");
  const Parsed parsed = parse({});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(parsed.options.min_bytes, 4096U);
  EXPECT_EQ(parsed.options.traffic_classes, std::vector<std::uint8_t>{104});
}

TEST(CollectiveOptions, InTheEnvironmentAreAsStrict) {
  const Variable traffic_class("RAILGAUGE_TRAFFIC_CLASS", "256");
  EXPECT_NE(mistake({}).find("--traffic-class 256: expected"), std::string::npos);
}

TEST(CollectiveOptions, OfNcclTestsHaveItsMeaning) {
  const Parsed parsed = parse({"-b", "1M", "-e", "4M", "-i", "1M", "-m", "3",  "-N", "2",  "-z",
                               "3",  "-a", "1",  "-S", "1",  "-u", "2",  "-I", "1",  "-K", "5"});
  ASSERT_EQ(parsed.mistake(), "");
  const CollectiveOptions& options = parsed.options;
  EXPECT_EQ(options.sizes(), (std::vector<std::uint64_t>{1U << 20, 2U << 20, 3U << 20, 4U << 20}));
  EXPECT_EQ(options.timing.collectives, 3U);
  EXPECT_EQ(options.cycles, 2U);
  EXPECT_EQ(options.timing.separation, measure::Separation::barrier_outside);
  EXPECT_EQ(options.timing.over_ranks, measure::OverRanks::mean);
  EXPECT_TRUE(options.timestamps);
  EXPECT_EQ(options.unaligned, 2U);
  EXPECT_TRUE(options.per_iteration);
  EXPECT_EQ(options.timing.skipped, 5U);
}

TEST(CollectiveOptions, SeparateIterationsAsNcclTestsDoes) {
  using measure::Separation;
  const std::vector<std::pair<std::vector<std::string>, Separation>> meanings{
      {{}, Separation::none},
      {{"-z", "0"}, Separation::none},
      {{"-z", "1"}, Separation::barrier_inside},
      {{"-z", "2"}, Separation::none},
      {{"--blocking", "3"}, Separation::barrier_outside},
      {{"--sync", "none"}, Separation::none},
      {{"--sync", "barrier"}, Separation::barrier_outside}};
  for (const auto& [words, meaning] : meanings) {
    EXPECT_EQ(parse(words).options.timing.separation, meaning) << words.back();
  }
}

TEST(CollectiveOptions, TakeTheTimeOfTheRankThatNcclTestsTakes) {
  using measure::OverRanks;
  const std::vector<std::pair<std::string, OverRanks>> meanings{{"0", OverRanks::first},
                                                                {"1", OverRanks::mean},
                                                                {"2", OverRanks::fastest},
                                                                {"3", OverRanks::slowest}};
  for (const auto& [word, meaning] : meanings) {
    EXPECT_EQ(parse({"-a", word}).options.timing.over_ranks, meaning) << word;
  }
  EXPECT_NE(mistake({"-a", "4"}).find("--average 4: expected 0, 1, 2 or 3"), std::string::npos);
}

TEST(CollectiveOptions, OfNcclTestsCanonicalLineAreTakenWithANote) {
  const Parsed parsed =
      parse({"-b", "8", "-e", "128M", "-f", "2", "-g", "1", "-t", "1", "-G", "0",
             "-C", "0", "-p", "0",    "-r", "0", "-R", "1", "-c", "1", "-n", "20"});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(parsed.run.notes.size(), 7U);
  EXPECT_EQ(parsed.run.notes[0].rfind("--ngpus 1 changes nothing here", 0), 0U)
      << parsed.run.notes[0];
  EXPECT_EQ(parse({"-b", "8", "-e", "128M", "-f", "2"}).run.notes.size(), 0U);
}

TEST(CollectiveOptions, AboutGpusAreRefusedWithWhatToUseInstead) {
  for (const char* option : {"-g", "-t", "-G", "-C", "-R", "-p", "-y", "-x", "-D", "-V"}) {
    const std::string text = mistake({option, "8"});
    EXPECT_NE(text.find(std::string(option) + ","), std::string::npos) << text;
    EXPECT_NE(text.find("of nccl-tests is about GPUs: "), std::string::npos) << text;
  }
  EXPECT_NE(mistake({"--ngpus=8"}).find("mpirun -np"), std::string::npos);
}

TEST(CollectiveOptions, OfFormerNamesAreRefusedWithTheNewOne) {
  EXPECT_NE(mistake({"--slice", "64K"}).find("--slice is now called --chunk"), std::string::npos);
}

TEST(CollectiveOptions, SayWhenItIsEnough) {
  const Parsed narrow = parse({"--ci", "0.5%"});
  ASSERT_EQ(narrow.mistake(), "");
  EXPECT_DOUBLE_EQ(narrow.options.timing.stopping.interval.value(), 0.005);
  EXPECT_EQ(narrow.options.timing.stopping.duration, std::chrono::seconds(10));
  EXPECT_EQ(parse({"--ci", "1", "--duration", "3"}).options.timing.stopping.duration,
            std::chrono::seconds(3));
  EXPECT_FALSE(parse({}).options.timing.stopping.duration);
  EXPECT_FALSE(parse({"--duration", "0"}).options.timing.stopping.duration);
  EXPECT_FALSE(parse({"--duration", "3"}).options.timing.stopping.interval);
}

TEST(CollectiveOptions, ThatTakeListsMultiply) {
  const Parsed parsed = parse({"--qps", "1,2", "--chunk", "64K,128K", "--rails", "each,all",
                               "--traffic-class", "0,104", "-d", "half,float"});
  ASSERT_EQ(parsed.mistake(), "");
  const auto combinations = parsed.options.combinations(2, 4);
  ASSERT_EQ(combinations.size(), 2U * 2 * 3 * 2 * 2);
  EXPECT_EQ(
      combinations.front().point,
      (results::SweepPoint{.rails = {0}, .queue_pairs = 1, .chunk_bytes = 64 << 10, .root = 0}));
  EXPECT_EQ(combinations.back().point, (results::SweepPoint{.rails = {0, 1},
                                                            .queue_pairs = 2,
                                                            .chunk_bytes = 128 << 10,
                                                            .traffic_class = 104,
                                                            .root = 0}));
  EXPECT_EQ(combinations[0].type, reduce::ElementType::float16);
  EXPECT_EQ(combinations[1].type, reduce::ElementType::float32);
}

TEST(CollectiveOptions, MayLeaveTheReductionOut) {
  const Parsed both = parse({"--reduce", "all,none"});
  ASSERT_EQ(both.mistake(), "");
  const auto combinations = both.options.combinations(1, 2);
  ASSERT_EQ(combinations.size(), 2U);
  EXPECT_FALSE(combinations[0].point.unreduced);
  EXPECT_TRUE(combinations[1].point.unreduced);
  EXPECT_EQ(parse({}).options.combinations(1, 2).size(), 1U);
  EXPECT_NE(mistake({"--reduce", "some"}), "");
  EXPECT_NE(mistake({"--reduce", "none"}, Collective::all_gather), "") << "has nothing to reduce";
}

TEST(CollectiveOptions, TakeAllTypesOperatorsAndRoots) {
  EXPECT_EQ(parse({"-d", "all"}).options.types.size(), reduce::kElementTypes.size());
  EXPECT_EQ(parse({"-o", "all"}).options.ops.size(), reduce::kOperators.size());
  for (const char* all : {"-1", "all"}) {
    const Parsed roots = parse({"-r", all}, Collective::broadcast);
    ASSERT_EQ(roots.mistake(), "");
    EXPECT_EQ(roots.options.combinations(1, 5).size(), 5U);
    EXPECT_EQ(roots.options.combinations(1, 5).back().point.root, 4);
  }
}

TEST(CollectiveOptions, ChooseAlgorithmsByName) {
  EXPECT_EQ(names_of(parse({"--algo", "ring"}).options), "ring ");
  EXPECT_EQ(parse({"--algo", "ring"}).options.choice, CollectiveOptions::Choice::named);
  const Parsed two = parse({"--algo", "folded,tree"});
  ASSERT_EQ(two.mistake(), "");
  EXPECT_EQ(names_of(two.options), "folded tree ");
  EXPECT_EQ(std::get<std::string>(two.run.in_force.at("algo").value), "folded,tree");
  EXPECT_EQ(names_of(parse({}, Collective::all_to_all).options), "pairwise ");
}

TEST(CollectiveOptions, OfAllReduceChooseAlgorithmsBySizeUnlessToldOtherwise) {
  using Words = std::vector<std::string>;
  for (const Words& words : {Words{}, Words{"--algo", "by-size"}}) {
    const Parsed parsed = parse(words);
    ASSERT_EQ(parsed.mistake(), "");
    EXPECT_EQ(parsed.options.choice, CollectiveOptions::Choice::by_size);
    EXPECT_EQ(std::get<std::string>(parsed.run.in_force.at("algo").value), "by-size");
    EXPECT_EQ(names_of(parsed.options), "ring ") << "of large sizes";
  }
  EXPECT_EQ(parse({}, Collective::all_gather).options.choice, CollectiveOptions::Choice::named);
  EXPECT_NE(mistake({"--algo", "by-size"}, Collective::all_gather).find("expected ring, "),
            std::string::npos);
}

TEST(CollectiveOptions, OfAProgramWithOneAlgorithmHaveNoOther) {
  const Program hypercube{"hypercube", Collective::all_gather, "halving-doubling", true};
  EXPECT_EQ(names_of(Parsed(hypercube, {}).options), "halving-doubling ");
  EXPECT_NE(Parsed(hypercube, {"--algo", "ring"}).mistake().find("--algo"), std::string::npos);
}

TEST(CollectiveOptions, TakeAllAlgorithmsOrLeaveTheChoice) {
  const Parsed all = parse({"--algo", "all"}, Collective::gather);
  EXPECT_EQ(names_of(all.options), "direct binomial ");
  EXPECT_EQ(all.options.choice, CollectiveOptions::Choice::all);
  EXPECT_EQ(parse({"--algo", "auto"}).options.choice, CollectiveOptions::Choice::automatic);
}

TEST(CollectiveOptions, AreThoseOfTheCollective) {
  EXPECT_EQ(parse({"-r", "3"}, Collective::broadcast).options.roots, std::vector{3});
  EXPECT_EQ(parse({"-r", "3"}).run.notes,
            std::vector<std::string>{"--root 3 changes nothing here: there is no root"});
  EXPECT_EQ(parse({"-o", "sum"}, Collective::broadcast).run.notes,
            std::vector<std::string>{"--op sum changes nothing here: nothing is reduced"});
  EXPECT_NE(mistake({"-o", "sun"}, Collective::broadcast), "");
  EXPECT_EQ(mistake({"-o", "avg"}, Collective::reduce_scatter), "");
  EXPECT_NE(mistake({"-b", "8"}, Collective::barrier), "");
  EXPECT_EQ(parse({}, Collective::barrier).options.sizes(), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(parse({"--chunk", "8K"}).options.chunks, std::vector<std::uint32_t>{8192});
  EXPECT_NE(mistake({"--chunk", "8K"}, Collective::barrier), "");
  EXPECT_NE(mistake({"--reduce-threads", "2"}, Collective::broadcast), "");
  EXPECT_EQ(parse({"--progress-threads", "3"}, Collective::broadcast).options.progress_threads, 3U);
  EXPECT_EQ(mistake({"--progress-threads", "1", "--same-host", "memory"}), "");
}

TEST(CollectiveOptions, OfAllToAllVSayWhoSendsHowMuch) {
  EXPECT_NE(mistake({"--spread", "10"}), "");
  EXPECT_NE(mistake({"--matrix", "m"}, Collective::all_to_all), "");
  constexpr Collective kCollective = Collective::all_to_all_v;
  EXPECT_EQ(parse({"--spread", "10"}, kCollective).options.spread_percent, 10U);
  EXPECT_EQ(parse({"--matrix", "m"}, kCollective).options.matrix_file, "m");
  EXPECT_NE(mistake({"--spread", "101"}, kCollective).find("--spread 101"), std::string::npos);
  EXPECT_NE(mistake({"--matrix", "m", "--spread", "10"}, kCollective).find("--matrix and --spread"),
            std::string::npos);
}

TEST(CollectiveOptions, TakeRootsThatAreRanksOrAll) {
  const auto of_broadcast = [](const std::string& roots) {
    return mistake({"-r", roots}, Collective::broadcast);
  };
  EXPECT_EQ(of_broadcast("2,0"), "");
  EXPECT_NE(of_broadcast("-2").find("--root -2: expected ranks from 0 on, or all"),
            std::string::npos);
  EXPECT_NE(of_broadcast("first").find("--root first: expected ranks"), std::string::npos);
  EXPECT_NE(of_broadcast("all,1").find("all must stand alone"), std::string::npos);
  EXPECT_NE(of_broadcast("all,-1").find("'-1' is given twice"), std::string::npos);
}

TEST(CollectiveOptions, ChooseRails) {
  EXPECT_EQ(parse({}).options.rails, std::vector{RailChoice{}});
  const Parsed parsed = parse({"--rails", "own,0+1", "--cross-rail"});
  ASSERT_EQ(parsed.mistake(), "");
  ASSERT_EQ(parsed.options.rails.size(), 2U);
  EXPECT_EQ(parsed.options.rails[0].kind, RailChoice::Kind::own);
  EXPECT_EQ(parsed.options.rails[1].rails, (RailSet{0, 1}));
  EXPECT_TRUE(parsed.options.cross_rail);
}

TEST(CollectiveOptions, ThatAreAMistakeAreRefusedWithASentence) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"-Q"}, "-Q"},
      {{"-i", "1M", "-f", "2"}, "-i and -f"},
      {{"-i", "0"}, "-i 0"},
      {{"-f", "0"}, "--stepfactor 0: expected a whole number from 1"},
      {{"-b", "8", "-e", "64G", "-i", "8"}, "more than a million sizes"},
      {{"-K", "3"}, "-K without -I 1"},
      {{"-I", "1", "-n", "3", "-K", "3"}, "-K 3 excludes all 3 iterations"},
      {{"-I", "1", "-n", "3", "-K", "9"}, "-K 9 excludes all 3 iterations"},
      {{"-I", "2"}, "--per_iter_timing 2: expected"},
      {{"-S", "2"}, "--report_timestamps 2: expected"},
      {{"-N", "0", "--qps", "1,2"}, "-N 0 with a list"},
      {{"-N", "0", "--rails", "each"}, "-N 0 with a list"},
      {{"-z", "4"}, "--blocking 4: expected 0, 1, 2, 3, none or barrier"},
      {{"--ci", "0%"}, "--ci 0%: expected a percentage"},
      {{"--ci", "101"}, "--ci 101: expected a percentage"},
      {{"--ci", "narrow"}, "--ci narrow: expected a percentage"},
      {{"--rails", "0+0"}, "--rails 0+0: a rail is named twice"},
      {{"--rails", "0+1,1+0"}, "--rails 0+1,1+0: '1+0' is given twice"},
      {{"--rails", "left"}, "--rails left: expected all, each, own, or rail numbers"},
      {{"--rails", "0+"}, "--rails 0+: expected all, each, own, or rail numbers"},
      {{"--cross-rail"}, "--cross-rail without --rails own"},
      {{"-d", "half,half"}, "--datatype half,half: 'half' is given twice"},
      {{"stray"}, "stray"},
      {{"-b", "4X"}, "--minbytes 4X: '4X' is not a size"},
      {{"-b", "-8"}, "--minbytes -8: '-8' is not a size"},
      {{"-b", "0", "-f", "2"}, "at 0 bytes: it would never grow"},
      {{"-b", "8", "-e", "4"}, "-e 4 is below -b 8"},
      {{"-n", "0"}, "--iters 0: expected a whole number from 1"},
      {{"-n", "many"}, "--iters many: expected a whole number from 1"},
      {{"-w", "-1"}, "--warmup_iters -1: expected a whole number from 0"},
      {{"--algo", "bring"}, "--algo bring: expected ring, tree, halving-doubling, doubling, "},
      {{"--algo", "ring,ring"}, "--algo ring,ring: 'ring' is given twice"},
      {{"--algo", "all,ring"}, "--algo all: must stand alone"},
      {{"--algo", "ring,by-size"}, "--algo by-size: must stand alone"},
      {{"--algo", ""}, "--algo : expected ring, "},
      {{"--chunk", "100"}, "--chunk 100: expected a multiple of 64 from 256 to 16M"},
      {{"--chunk", "128"}, "--chunk 128: expected a multiple of 64 from 256 to 16M"},
      {{"--chunk", "32M"}, "--chunk 32M: expected a multiple of 64 from 256 to 16M"},
      {{"--chunk", "64K,65536"}, "'65536' is given twice"},
      {{"--qps", "0"}, "--qps 0: expected a whole number from 1 to 64"},
      {{"--qps", "65"}, "--qps 65: expected a whole number from 1 to 64"},
      {{"-d", "float16"}, "--datatype float16: expected int8, "},
      {{"-o", "mulsum"}, "--op mulsum: expected sum, "},
      {{"--window", "17"}, "--window 17: expected"},
      {{"--progress-threads", "0"}, "--progress-threads 0: expected a whole number from 1 to 64"},
      {{"--progress-threads", "2", "--same-host", "memory"}, "is driven by one thread"},
      {{"--inline", "1025"}, "--inline 1025: expected"},
      {{"--connect", "carrier-pigeon"}, "--connect carrier-pigeon: expected mpi or rdmacm"},
      {{"--same-host", "shared"}, "--same-host shared: expected rails or memory"}};
  for (const auto& [words, expected] : mistakes) {
    const std::string text = mistake(words);
    EXPECT_EQ(text.rfind("all_reduce_perf: ", 0), 0U) << text;
    EXPECT_NE(text.find(expected), std::string::npos) << text << "\n" << expected;
    EXPECT_TRUE(text.ends_with("\nTry all_reduce_perf --help")) << text;
  }
}

TEST(CollectiveOptions, DoNotRunForeverWithAListOfAllRanks) {
  EXPECT_NE(mistake({"-N", "0", "--root", "all"}, Collective::broadcast).find("-N 0 with a list"),
            std::string::npos);
  EXPECT_EQ(mistake({"-N", "0", "--root", "1"}, Collective::broadcast), "");
}

TEST(CollectiveOptions, RunForeverWithOneCombination) {
  const Parsed forever = parse({"-N", "0", "-b", "8", "-e", "64", "-f", "2"});
  EXPECT_EQ(forever.mistake(), "");
  EXPECT_EQ(forever.options.cycles, 0U);
}

TEST(CollectiveOptions, TakePartsOfASecondAsADuration) {
  using std::chrono::milliseconds;
  const auto duration = [](const std::string& word) {
    return parse({"--duration", word}).options.timing.stopping.duration;
  };
  EXPECT_EQ(duration("1500ms"), milliseconds(1500));
  EXPECT_EQ(duration("1.5s"), milliseconds(1500));
  EXPECT_EQ(duration("0.5"), milliseconds(500));
  EXPECT_EQ(duration("1m0.25s"), milliseconds(60'250));
  EXPECT_EQ(duration("2"), milliseconds(2000));
  for (const char* word : {"1.5.5", "nan", "inf", "1e3", "-1s", "0.1ms", "1.5x", "."})
    EXPECT_NE(parse({"--duration", word}).mistake().find("expected a duration"), std::string::npos)
        << word;
}

}  // namespace
}  // namespace railgauge::runner
