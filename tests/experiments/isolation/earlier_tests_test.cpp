#include "experiments/isolation/earlier_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "flow/test.hpp"
#include "isolation/verdict.hpp"
#include "results/codec.hpp"

namespace railgauge::runner {
namespace {

using isolation::Component;
using isolation::Evidence;
using isolation::Kind;
using isolation::Verdict;
using results::CollectiveBody;
using results::CollectiveRow;
using results::Document;
using results::Endpoint;
using results::PairRow;
using results::PairsBody;

// Three leaves with three hosts of a NIC each, and two spines.
constexpr int kHosts = 9;
constexpr double kHealthy = 48;  // GB/s
constexpr double kPing = 2;      // us

std::string leaf_of(int host) {
  return "leaf" + std::to_string(host / 3);
}

std::string spine_between(int from, int to) {
  return "spine" + std::to_string((from * 5 + to * 3 + from * to) % 2);
}

Endpoint end_of(int host) {
  return {"host" + std::to_string(host), 0, "mlx5_0", 1, "10.0.0." + std::to_string(host + 1)};
}

Document document_of(results::DeviceKind kind = results::DeviceKind::hardware) {
  Document document;
  for (int host = 0; host < kHosts; ++host) {
    results::Rank rank;
    rank.rank = host;
    rank.host = end_of(host).host;
    results::RankRail rail;
    rail.device = "mlx5_0";
    rail.address = end_of(host).address;
    rail.mtu_bytes = 4096;
    rail.kind = kind;
    rank.rails = {rail};
    document.ranks.push_back(rank);
    document.counters.push_back({.host = rank.host,
                                 .device = "mlx5_0",
                                 .address = rail.address,
                                 .before = {{"out_of_sequence", 7}, {"packet_seq_err", 9}},
                                 .after = {{"out_of_sequence", 7}, {"packet_seq_err", 9}}});
  }
  return document;
}

/// Every host to every other.
Document pairs_document(results::DeviceKind kind = results::DeviceKind::hardware) {
  PairsBody body;
  std::minstd_rand random(1);
  for (int from = 0; from < kHosts; ++from) {
    for (int to = 0; to < kHosts; ++to) {
      if (from == to) continue;
      PairRow row{.from = end_of(from), .to = end_of(to), .mode = "bandwidth"};
      row.round = (to - from + kHosts) % kHosts;
      row.path_label = results::PathLabel::told;
      const bool near = leaf_of(from) == leaf_of(to);
      row.switches = near ? 1 : 3;
      row.paths = {{49152, {leaf_of(from)}}};
      if (!near) {
        row.paths[0].hops.emplace_back(spine_between(from, to));
        row.paths[0].hops.emplace_back(leaf_of(to));
      }
      row.figures.gigabytes_per_second =
          kHealthy * (0.95 + 0.1 * static_cast<double>(random() % 1000) / 1000);
      row.figures.messages = 10'000;
      row.figures.bytes = 655'360'000;
      body.rows.push_back(row);
    }
  }
  Document document = document_of(kind);
  document.body = std::move(body);
  return document;
}

std::vector<PairRow>& rows_of(Document& document) {
  return std::get<PairsBody>(document.body).rows;
}

bool passes(const PairRow& row, const std::string& here, const std::string& next) {
  const auto& hops = row.paths[0].hops;
  for (std::size_t at = 0; at + 1 < hops.size(); ++at) {
    if (hops[at] == here && hops[at + 1] == next) return true;
  }
  return false;
}

/// As isolate_perf makes it of them.
Evidence evidence_of(const std::vector<EarlierTest>& tests, bool software = false) {
  Evidence evidence;
  std::map<std::string, int> switches;
  for (int host = 0; host < kHosts; ++host)
    evidence.nics.push_back(
        {end_of(host).host, {.host = end_of(host).host, .device = "mlx5_0"}, 0});
  const auto nic_of = [](const Endpoint& end) {
    return static_cast<std::size_t>(end.address.back() - '1');
  };
  const auto number_of = [&](const std::string& hop) {
    if (hop.empty()) return isolation::kUnknownSwitch;
    const auto [found, is_new] =
        switches.try_emplace(hop, static_cast<int>(evidence.switches.size()));
    if (is_new) evidence.switches.push_back(hop);
    return found->second;
  };
  for (const EarlierTest& test : tests) {
    std::vector<int> hops;
    for (const std::string& hop : test.row.hops) hops.push_back(number_of(hop));
    evidence.tests.push_back(
        observation_of(test, nic_of(test.row.from), nic_of(test.row.to), {hops, {}}, software));
  }
  return evidence;
}

/// The first that is found, in words; empty if nothing is.
std::string accused(const Document& document, bool software = false) {
  const Evidence evidence = evidence_of(earlier_tests(document), software);
  const Verdict verdict = judge(evidence);
  return verdict.suspects.empty()
             ? ""
             : finding::in_words(location_of(verdict.suspects[0].component, evidence));
}

TEST(EarlierPairs, OfAHealthyFabricAccuseNobody) {
  const Document document = pairs_document();
  const auto tests = earlier_tests(document);
  EXPECT_EQ(tests.size(), 72U);
  const Verdict verdict = judge(evidence_of(tests));
  EXPECT_TRUE(verdict.suspects.empty());
  EXPECT_EQ(verdict.bad, 0U);
}

TEST(EarlierPairs, NameASlowLinkByTheirPaths) {
  Document document = pairs_document();
  for (PairRow& row : rows_of(document)) {
    if (passes(row, "leaf1", "spine0")) row.figures.gigabytes_per_second = kHealthy / 2;
  }
  EXPECT_EQ(accused(document), "link leaf1 -> spine0");
}

TEST(EarlierPairs, NameALossyLinkByWhatPortsCounted) {
  Document document = pairs_document();
  for (PairRow& row : rows_of(document)) {
    if (!passes(row, "spine1", "leaf2")) continue;
    row.figures.receiver_events = {{"out_of_sequence", 1600}};
    row.figures.sender_events = {{"packet_seq_err", 900}};
  }
  EXPECT_EQ(accused(document), "link spine1 -> leaf2");
}

TEST(EarlierPairs, OfOvertakenPacketsAccuseNobody) {
  Document document = pairs_document();
  for (PairRow& row : rows_of(document)) {
    if (passes(row, "spine1", "leaf2")) row.figures.receiver_events = {{"out_of_sequence", 1600}};
  }
  EXPECT_EQ(accused(document), "");
}

/// 15 of 160,000 packets are as few as isolate_perf takes for noise; nor are time-outs losses.
TEST(EarlierPairs, OfAFewLostPacketsAndOfTimeOutsAccuseNobody) {
  Document document = pairs_document();
  for (PairRow& row : rows_of(document)) {
    row.figures.sender_events = {{"local_ack_timeout_err", 500}};
    if (passes(row, "spine1", "leaf2")) row.figures.receiver_events = {{"out_of_sequence", 15}};
  }
  EXPECT_EQ(accused(document), "");
}

TEST(EarlierPairs, NameANicThatIsDead) {
  Document document = pairs_document();
  for (PairRow& row : rows_of(document)) {
    if (row.from != end_of(4) && row.to != end_of(4)) continue;
    row.figures = {.reason = "RETRY_EXC_ERR"};
  }
  EXPECT_EQ(accused(document), "host4 mlx5_0");
}

/// Only what came first was tried; the other way says nothing of itself.
TEST(EarlierPairs, WhatHadNoTurnIsNoTest) {
  Document document = pairs_document();
  rows_of(document)[0].figures = {.reason = std::string(flow::kNoTurn) + "RETRY_EXC_ERR"};
  EXPECT_EQ(earlier_tests(document).size(), 71U);
}

TEST(EarlierPairs, HaveEveryAttemptInARoundOfItsOwnIfItWasAlone) {
  Document document = pairs_document();
  PairRow& row = rows_of(document)[0];
  row.earlier = {row.figures};
  row.earlier[0].gigabytes_per_second = kHealthy / 4;
  row.figures.alone = true;
  const auto tests = earlier_tests(document);
  ASSERT_EQ(tests.size(), 73U);
  EXPECT_FALSE(tests[0].row.alone);
  EXPECT_EQ(tests[0].row.round, row.round);
  EXPECT_TRUE(tests[1].row.alone);
  EXPECT_EQ(tests[1].row.round, kHosts);
  EXPECT_EQ(accused(document), "");
}

Document latencies() {
  Document document = pairs_document();
  for (PairRow& row : rows_of(document)) {
    row.mode = "write";
    row.figures = {
        .messages = 1000,
        .time = measure::Summary{
            .n = 1000, .p50_us = kPing, .p99_us = row.switches == 1 ? kPing : 3 * kPing}};
  }
  return document;
}

/// Over three switches it takes three times as long, and that is no fault.
TEST(EarlierPairs, OfLatencyAreHeldToWaysOverAsManySwitches) {
  Document document = latencies();
  EXPECT_EQ(accused(document), "");
  for (PairRow& row : rows_of(document)) {
    if (passes(row, "leaf0", "spine1")) row.figures.time->p99_us = 20 * kPing;
  }
  EXPECT_EQ(accused(document), "link leaf0 -> spine1");
}

TEST(EarlierPairs, OfLatencyOfSoftwareAreNoTests) {
  Document document = latencies();
  for (results::Rank& rank : document.ranks) rank.rails[0].kind = results::DeviceKind::software;
  EXPECT_TRUE(earlier_tests(document).empty());
}

TEST(EarlierPairs, OfSoftwareThatAreSomewhatSlowSayNothing) {
  Document document = pairs_document(results::DeviceKind::software);
  const auto slow_down = [&](double gigabytes_per_second) {
    for (PairRow& row : rows_of(document)) {
      if (row.from == end_of(2)) row.figures.gigabytes_per_second = gigabytes_per_second;
    }
  };
  slow_down(kHealthy / 2);
  EXPECT_EQ(earlier_tests(document).size(), 72U - 8);
  EXPECT_EQ(accused(document, true), "");
  slow_down(kHealthy / 5);
  EXPECT_EQ(accused(document, true), "host2 mlx5_0 TX");
}

/// Queue pairs that take two ways have passed both leaves, and no spine for sure.
TEST(EarlierPairs, OfSeveralPathsKnowWhatTheseHaveInCommon) {
  Document document = pairs_document();
  PairRow& row = rows_of(document)[0];
  row.paths = {{1, {"leaf0", "spine0", "leaf1"}}, {2, {"leaf0", "spine1", "leaf1"}}};
  EXPECT_EQ(earlier_tests(document)[0].row.hops, (std::vector<std::string>{"leaf0", "", "leaf1"}));
  row.paths[1].hops.clear();
  EXPECT_TRUE(earlier_tests(document)[0].row.hops.empty());
}

TEST(EarlierPairs, WithoutPathsCountByTheirEnds) {
  Document document = pairs_document();
  for (PairRow& row : rows_of(document)) {
    row.paths.clear();
    row.switches.reset();
    if (row.to == end_of(7)) row.figures.gigabytes_per_second = kHealthy / 2;
  }
  EXPECT_EQ(accused(document), "host7 mlx5_0 RX");
}

/// A chunk of one size, from one to another.
results::EdgeTimes edge_of(int from, int to, int size, double us) {
  results::EdgeTimes edge{.from = from, .to = to, .samples = 20};
  edge.bytes = edge.most_bytes = std::uint64_t{4096} << static_cast<unsigned>(2 * size);
  edge.round = {us, 1.02 * us, 1.1 * us, 1.3 * us, 2 * us};
  return edge;
}

/// An all-to-all of five sizes, in which some senders take so many times longer.
Document collective_document(int slow = -1, double times = 1) {
  CollectiveBody body{"alltoall"};
  std::minstd_rand random(1);
  for (int size = 0; size < 5; ++size) {
    CollectiveRow& row = body.rows.emplace_back();
    for (int from = 0; from < kHosts; ++from) {
      for (int to = 0; to < kHosts; ++to) {
        const double us = (20 + 40 * size) * (1 + 0.05 * static_cast<double>(random() % 10) / 10);
        if (from != to)
          row.edges.push_back(edge_of(from, to, size, from == slow ? times * us : us));
      }
    }
  }
  Document document = document_of();
  document.body = std::move(body);
  return document;
}

TEST(EarlierCollectives, OfAHealthyFabricAccuseNobody) {
  const auto tests = earlier_tests(collective_document());
  EXPECT_EQ(tests.size(), 72U);
  const Verdict verdict = judge(evidence_of(tests));
  EXPECT_TRUE(verdict.suspects.empty());
  EXPECT_EQ(verdict.bad, 0U);
}

/// They ran at the same time: tests of now have to agree.
TEST(EarlierCollectives, SpeakAgainstASlowNicAndDoNotConvictItAlone) {
  Evidence evidence = evidence_of(earlier_tests(collective_document(3, 8)));
  EXPECT_EQ(judge(evidence).bad, 8U);
  EXPECT_TRUE(judge(evidence).suspects.empty());
  isolation::Observation own;
  own.from = 3;
  own.round = 1;
  own.outcome.lost_share = 0.01;
  evidence.tests.push_back(own);
  const Verdict verdict = judge(evidence);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].component, (Component{Kind::nic_transmit, 3, 0}));
}

/// Too fast for `diagnose`, and slow for isolate_perf: they must not speak for the NIC.
TEST(EarlierCollectives, WhatIsNeitherSlowNorFastSaysNothing) {
  const auto tests = earlier_tests(collective_document(3, 1.4));
  EXPECT_EQ(tests.size(), 72U - 8);
  EXPECT_EQ(judge(evidence_of(tests)).bad, 0U);
}

TEST(EarlierCollectives, OfPortsThatLostPacketsDoNotSpeakForThem) {
  Document document = collective_document();
  document.counters[5].after["out_of_sequence"] += 3;
  EXPECT_EQ(earlier_tests(document).size(), 72U - 16);
}

TEST(EarlierCollectives, KnowTheirEndsAndNoPath) {
  for (const EarlierTest& test : earlier_tests(collective_document())) {
    EXPECT_TRUE(test.row.hops.empty());
    EXPECT_EQ(test.row.from.device, "mlx5_0");
    EXPECT_NE(test.row.from.address, test.row.to.address);
  }
}

/// As of direct all-reduce: who has the last turn waits longest.
void serve_in_turn(CollectiveRow& row) {
  row.algorithm = "direct";
  row.point.root = -1;
  for (results::EdgeTimes& edge : row.edges) {
    if (edge.to != kHosts - 1) continue;
    edge.round.min_us *= 20;
    edge.round.p50_us *= 20;
  }
}

TEST(EarlierCollectives, OfRanksServedInTurnSayNothing) {
  Document document = collective_document();
  auto& rows = std::get<CollectiveBody>(document.body).rows;
  for (std::size_t row = 0; row < 3; ++row) serve_in_turn(rows[row]);
  EXPECT_EQ(earlier_tests(document).size(), 72U) << "of the two sizes that were rings";
  EXPECT_EQ(judge(evidence_of(earlier_tests(document))).bad, 0U);
  for (CollectiveRow& row : rows) serve_in_turn(row);
  try {
    (void)earlier_tests(document);
    ADD_FAILURE() << "nothing was left";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("--algo ring"), std::string::npos) << error.what();
  }
}

/// A slow sender shows in the rows that are left.
TEST(EarlierCollectives, OfRanksServedInTurnHideNoSlowNic) {
  Document document = collective_document(3, 8);
  auto& rows = std::get<CollectiveBody>(document.body).rows;
  for (std::size_t row = 0; row < 3; ++row) serve_in_turn(rows[row]);
  EXPECT_EQ(judge(evidence_of(earlier_tests(document))).bad, 8U);
}

TEST(EarlierCollectives, WithoutTimesOfChunksAreRefused) {
  Document document = document_of();
  document.body = CollectiveBody{"all_reduce", std::vector<CollectiveRow>(2)};
  EXPECT_THROW((void)earlier_tests(document), std::runtime_error);
}

TEST(EarlierTests, OfASoakAreRefused) {
  Document document = document_of();
  document.body = results::SoakBody{};
  EXPECT_THROW((void)earlier_tests(document), std::runtime_error);
}

TEST(EarlierTests, AreToldToOtherRanksAsTheyAre) {
  const auto tests = earlier_tests(pairs_document());
  std::vector<EarlierTest> told;
  results::decode(results::Json::parse(results::encode(tests).dump()), told);
  ASSERT_EQ(told.size(), tests.size());
  EXPECT_EQ(told[5].row.hops, tests[5].row.hops);
  EXPECT_EQ(told[5].row.packets, 160'000);
  EXPECT_EQ(told[5].expected_gigabytes_per_second, tests[5].expected_gigabytes_per_second);
  EXPECT_FALSE(told[5].expected_latency_us.has_value());
}

/// Those that are slow anyway, and those that are fast, tell something of the path; those that may
/// fail do not.
TEST(EarlierPairs, OfConnectTellWhereItIsKnownWhetherTheyAreSlow) {
  Document document;
  results::PairsBody body;
  const auto add = [&](double gigabytes_per_second, double cpu_share) {
    body.rows.push_back(
        {.from = end_of(0),
         .to = end_of(1),
         .mode = "connect",
         .figures = {.cpu_share = cpu_share, .gigabytes_per_second = gigabytes_per_second}});
  };
  add(20, 0.5);
  add(48, 0.5);
  add(5, 0.5);
  add(20, 1);
  add(48, 1);
  add(48, 1);
  for (const auto verdict : {results::PairVerdict::pass, results::PairVerdict::fail}) {
    body.rows.push_back({.from = end_of(0),
                         .to = end_of(1),
                         .mode = "connect",
                         .figures = {.reason = "no answer"},
                         .verdict = verdict});
  }
  document.body = body;
  std::vector<std::pair<bool, double>> tests;
  for (const auto& test : earlier_tests(document))
    tests.emplace_back(test.row.failed, test.row.gigabytes_per_second.value_or(0));
  EXPECT_EQ(tests, (std::vector<std::pair<bool, double>>{
                       {false, 48}, {false, 5}, {false, 20}, {false, 48}, {false, 48}, {true, 0}}));
}

}  // namespace
}  // namespace railgauge::runner
