// What options of collectives take that is not written as they print it, and what they say of it.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/collective/parsed_collective.hpp"

namespace railgauge::runner {
namespace {

using schedule::Collective;
using Parsed = ParsedCollective;

/// Notes on what is accepted although it may not be meant.
std::vector<std::string> notes(const std::vector<std::string>& words) {
  const Parsed parsed = parse(words);
  EXPECT_EQ(parsed.mistake(), "");
  return parsed.options.notes;
}

TEST(CollectiveNotes, OneListOfFamiliesSweepsTheThreeMainCollectives) {
  const std::vector<std::string> list{"--algo", "ring,tree,halving-doubling"};
  EXPECT_EQ(names_of(parse(list).options), "ring tree halving-doubling ");
  EXPECT_EQ(names_of(parse(list, Collective::all_gather).options), "ring tree halving-doubling ");
  const Parsed exchange = parse(list, Collective::all_to_all);
  ASSERT_EQ(exchange.mistake(), "");
  EXPECT_EQ(names_of(exchange.options), "ring bruck hypercube ");
  EXPECT_EQ(exchange.options.family_of, (std::map<std::string, std::string>{
                                            {"bruck", "tree"}, {"hypercube", "halving-doubling"}}));
  EXPECT_TRUE(parse({"--algo", "bruck"}, Collective::all_to_all).options.family_of.empty());
  EXPECT_NE(mistake({"--algo", "bruck,tree"}, Collective::all_to_all)
                .find("--algo tree: is an alias of bruck, which is given too"),
            std::string::npos);
}

TEST(CollectiveNotes, OfAnAlgorithmSayWhichWasPerhapsMeant) {
  EXPECT_NE(mistake({"--algo", "rign"}).find("; did you mean ring?"), std::string::npos);
  EXPECT_NE(mistake({"-d", "folat"}).find("; did you mean float?"), std::string::npos);
  EXPECT_NE(mistake({"--itres", "4"}).find("; did you mean --iters?"), std::string::npos);
}

TEST(CollectiveNotes, TakeUnits) {
  const Parsed parsed = parse(
      {"-b", "1KiB", "-e", "1MB", "-f", "4", "--chunk", "64KiB", "--duration", "1m", "-T", "2m"});
  ASSERT_EQ(parsed.mistake(), "");
  EXPECT_EQ(parsed.options.min_bytes, 1024U);
  EXPECT_EQ(parsed.options.max_bytes, 1U << 20);
  EXPECT_EQ(parsed.options.chunks, std::vector<std::uint32_t>{64 << 10});
  EXPECT_EQ(parsed.options.timing.stopping.duration, std::chrono::seconds(60));
  EXPECT_EQ(parsed.run.limit, std::chrono::seconds(120));
  EXPECT_EQ(parse({"-b", "1T", "-e", "1T"}).options.max_bytes, std::uint64_t{1} << 40);
}

TEST(CollectiveNotes, NoteATrafficClassThatMayBeADscp) {
  EXPECT_EQ(notes({"--traffic-class", "26"}),
            std::vector<std::string>{
                "--traffic-class 26 sets DSCP 6, ECN 2; DSCP 26 is --traffic-class 104"});
  EXPECT_EQ(notes({"--traffic-class", "0,48,105,104"}),
            (std::vector<std::string>{
                "--traffic-class 48 sets DSCP 12, ECN 0; DSCP 48 is --traffic-class 192",
                "--traffic-class 105 sets DSCP 26, ECN 1"}));
  EXPECT_EQ(notes({"--traffic-class", "104"}), std::vector<std::string>{});
}

TEST(CollectiveNotes, NoteMoreChecksThanIterations) {
  EXPECT_EQ(notes({"-n", "5", "-c", "20"}),
            std::vector<std::string>{
                "-c 20 with -n 5: only timed iterations are verified, so all 5 are"});
  EXPECT_EQ(notes({"-n", "5", "-c", "5"}), std::vector<std::string>{});
  EXPECT_EQ(notes({"-n", "5", "-c", "20", "--duration", "3"}), std::vector<std::string>{});
}

TEST(CollectiveNotes, RefuseASizeWithoutAnElement) {
  EXPECT_NE(mistake({"-b", "3"}).find("-b 3 is less than one element of float (4 bytes)"),
            std::string::npos);
  EXPECT_NE(mistake({"-b", "4", "-d", "half,double"}).find("one element of double"),
            std::string::npos);
  EXPECT_EQ(mistake({"-b", "4", "-e", "4"}), "");
  EXPECT_EQ(mistake({"-b", "3", "-e", "3", "-d", "int8"}), "");
  EXPECT_EQ(mistake({"-b", "0", "-e", "0"}), "");
}

}  // namespace
}  // namespace railgauge::runner
