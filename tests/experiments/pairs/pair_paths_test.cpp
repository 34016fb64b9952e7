#include "experiments/pairs/pair_paths.hpp"

#include <gtest/gtest.h>

#include "experiments/pairs/lone_exchange.hpp"

namespace railgauge::runner {
namespace {

using paths::Balance;
using results::PairRow;
using results::PathLabel;

using Hops = std::vector<std::optional<std::string>>;

const std::vector<std::uint16_t> kPorts{50000, 50001};

TracedPath over_three_switches() {
  return {.switches = 3,
          .balance = Balance::by_port,
          .ports = {{50000, {"leaf0", "spine0", "leaf1"}}, {50001, {"leaf0", "", "leaf1"}}}};
}

PairRow labelled(const TracedPath& path, Balance balance = Balance::unknown,
                 const std::string& mode = "bandwidth") {
  PairRow row{.mode = mode};
  describe_paths(row, &path, balance, kPorts);
  return row;
}

TEST(LabelPath, HasTheSwitchesOfEveryQueuePair) {
  const PairRow row = labelled(over_three_switches());
  EXPECT_EQ(row.path_label, PathLabel::told);
  EXPECT_EQ(row.switches, 3);
  ASSERT_EQ(row.paths.size(), 2U);
  EXPECT_EQ(row.paths[0].source_port, 50000);
  EXPECT_EQ(row.paths[0].hops, (Hops{"leaf0", "spine0", "leaf1"}));
  EXPECT_EQ(row.paths[1].hops, (Hops{"leaf0", std::nullopt, "leaf1"}));
  EXPECT_EQ(path_text(row.paths), "leaf0 > spine0 > leaf1; leaf0 > ? > leaf1");
}

TEST(LabelPath, OfLatencyHasTheOneQueuePairThatItHas) {
  const PairRow row = labelled(over_three_switches(), Balance::unknown, "read");
  ASSERT_EQ(row.paths.size(), 1U);
  EXPECT_EQ(path_text(row.paths), "leaf0 > spine0 > leaf1");
}

TEST(LabelPath, HasNoInnerSwitchesWhereTheQueuePairDecides) {
  for (const auto& [balance, label] : {std::pair(Balance::by_queue_pair, PathLabel::by_queue_pair),
                                       {Balance::sprayed, PathLabel::sprayed}}) {
    const PairRow row = labelled(over_three_switches(), balance);
    EXPECT_EQ(row.path_label, label);
    EXPECT_EQ(row.switches, 3);
    EXPECT_EQ(row.paths[0].hops, (Hops{"leaf0", std::nullopt, "leaf1"}));
  }
}

/// Its healthy twin: over one switch there is nothing to choose.
TEST(LabelPath, OverOneSwitchIsToldHoweverSwitchesChoose) {
  const TracedPath path{.switches = 1, .ports = {{50000, {"leaf0"}}, {50001, {"leaf0"}}}};
  const PairRow row = labelled(path, Balance::sprayed);
  EXPECT_EQ(row.path_label, PathLabel::told);
  EXPECT_EQ(path_text(row.paths), "leaf0");
}

TEST(LabelPath, SaysWhyItIsNotKnown) {
  EXPECT_EQ(labelled({.switches = 0, .ports = {{50000, {}}}}).path_label, PathLabel::no_switch);
  EXPECT_EQ(labelled({.ports = {{50000, {}}, {50001, {}}}}).path_label, PathLabel::no_answer);
  EXPECT_EQ(labelled({.asked = false}).path_label, PathLabel::not_asked);
  PairRow row;
  describe_paths(row, nullptr, Balance::unknown, {});
  EXPECT_EQ(row.path_label, PathLabel::not_asked);
  EXPECT_TRUE(row.paths.empty());
}

TEST(LabelPath, ToAPeerThatDoesNotAnswerGoesOn) {
  const PairRow row = labelled({.ports = {{50000, {"leaf0"}}, {50001, {""}}}});
  EXPECT_EQ(row.path_label, PathLabel::no_answer);
  EXPECT_FALSE(row.switches.has_value());
  EXPECT_EQ(row.paths[0].hops, (Hops{"leaf0", std::nullopt}));
  EXPECT_TRUE(row.paths[1].hops.empty());
}

/// Two hosts of one NIC, at addresses that no host has (RFC 5737).
AllNics two_hosts() {
  std::vector<results::Rank> ranks(2);
  for (int rank = 0; rank < 2; ++rank) {
    ranks[static_cast<std::size_t>(rank)] = {.rank = rank, .host = "host" + std::to_string(rank)};
    results::RankRail rail;
    rail.device = "mlx5_0";
    rail.address = "192.0.2." + std::to_string(rank + 1);
    ranks[static_cast<std::size_t>(rank)].rails.push_back(rail);
  }
  return nics_of(ranks);
}

TEST(PairPaths, GiveEveryQueuePairALabelOfItsOwn) {
  LoneExchange exchange;
  const AllNics all = two_hosts();
  PairsOptions options;
  options.queue_pairs = 3;
  const PairPaths paths(exchange, options, all);
  ASSERT_EQ(paths.flow_labels().size(), 3U);
  EXPECT_NE(paths.flow_labels()[0], paths.flow_labels()[1]);
  options.path_labels = AskSwitches::off;
  EXPECT_TRUE(PairPaths(exchange, options, all).flow_labels().empty());
}

TEST(PairPaths, WhereProbesCannotBeSentRowsSaySo) {
  LoneExchange exchange;
  const AllNics all = two_hosts();
  const PairsOptions options;
  PairPaths paths(exchange, options, all);
  paths.trace(steps_of(all, options, {}), std::chrono::seconds(10));
  PairRow row{.mode = "bandwidth"};
  paths.label(row, 0, 1);
  EXPECT_EQ(row.path_label, PathLabel::not_asked);
  EXPECT_EQ(row.paths.size(), 1U);
  ASSERT_EQ(paths.notes().size(), 1U);
  EXPECT_NE(paths.notes()[0].find("is no address of this host"), std::string::npos);
}

TEST(PairPaths, WhatTakesTooLongIsNotAsked) {
  LoneExchange exchange;
  const AllNics all = two_hosts();
  const PairsOptions options;
  PairPaths paths(exchange, options, all);
  paths.trace(steps_of(all, options, {}), std::chrono::seconds(-1));
  ASSERT_EQ(paths.notes().size(), 1U);
  EXPECT_EQ(paths.notes()[0].find("the switches of 2 paths were not traced"), 0U);
}

}  // namespace
}  // namespace railgauge::runner
