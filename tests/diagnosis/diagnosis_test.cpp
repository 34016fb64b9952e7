#include "diagnosis/diagnosis.hpp"

#include <gtest/gtest.h>

#include "diagnosis/simulated_run.hpp"

namespace railgauge::diagnosis {
namespace {

using Shape = SimulatedRun::Shape;
using Trouble = SimulatedRun::Trouble;
using finding::Cause;
using finding::Direction;
using finding::Finding;
using finding::Scope;

constexpr unsigned kSeeds = 20;

std::vector<Finding> findings_of(SimulatedRun& run) {
  const auto rows = run.rows();
  return diagnose(run.ranks(), rows);
}

std::string texts(const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& one : findings) all += sentence(one) + "\n";
  return all;
}

/// What a planted fault has to be called.
struct Expected {
  Cause cause;
  Scope scope;
  Direction direction;
  std::vector<int> ranks;
  std::optional<int> rail;
};

void expect_only(const std::vector<Finding>& findings, const Expected& expected) {
  ASSERT_EQ(findings.size(), 1U) << texts(findings);
  const Finding& one = findings[0];
  EXPECT_EQ(one.cause, expected.cause) << sentence(one);
  EXPECT_EQ(one.where.scope, expected.scope) << sentence(one);
  EXPECT_EQ(one.where.direction, expected.direction) << sentence(one);
  EXPECT_EQ(one.where.at.ranks, expected.ranks) << sentence(one);
  EXPECT_EQ(one.where.at.rail, expected.rail) << sentence(one);
}

struct Case {
  Shape shape;
  int ranks;
  Trouble trouble;
  Expected expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      // Along a ring each rank sends to one other: the path is all that can be told of data.
      {Shape::ring,
       4,
       {.from = 2, .rail = 1, .loss = 0.01},
       {Cause::packet_loss, Scope::path, Direction::both, {2}, 1}},
      {Shape::ring,
       4,
       {.to = 2, .rail = 1, .loss = 0.01},
       {Cause::packet_loss, Scope::path, Direction::both, {1}, 1}},
      {Shape::ring,
       4,
       {.from = 2, .rail = 1, .megabytes_per_second = 60},
       {Cause::bandwidth, Scope::path, Direction::both, {2}, 1}},
      {Shape::ring,
       5,
       {.from = 3, .rail = 0, .delay_us = 1000},
       {Cause::latency, Scope::port, Direction::transmit, {3}, 0}},
      {Shape::ring,
       5,
       {.to = 3, .rail = 0, .delay_us = 1000},
       {Cause::latency, Scope::port, Direction::receive, {3}, 0}},
      {Shape::ring,
       4,
       {.from = 1, .rail = 1, .reordering = 0.03},
       {Cause::reordering, Scope::path, Direction::both, {1}, 1}},
      {Shape::ring,
       4,
       {.from = 1, .rail = 1, .duplication = 0.05},
       {Cause::duplication, Scope::path, Direction::both, {1}, 1}},
      {Shape::all_to_all,
       4,
       {.to = 3, .rail = 0, .duplication = 0.05},
       {Cause::duplication, Scope::port, Direction::receive, {3}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 3, .rail = 0, .duplication = 0.05},
       {Cause::duplication, Scope::port, Direction::transmit, {3}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 0, .rail = 1, .loss = 0.01},
       {Cause::packet_loss, Scope::port, Direction::transmit, {0}, 1}},
      {Shape::all_to_all,
       4,
       {.to = 3, .rail = 0, .loss = 0.1},
       {Cause::packet_loss, Scope::port, Direction::receive, {3}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 1, .rail = 0, .megabytes_per_second = 40},
       {Cause::bandwidth, Scope::port, Direction::transmit, {1}, 0}},
      {Shape::all_to_all,
       4,
       {.to = 1, .rail = 0, .megabytes_per_second = 40},
       {Cause::bandwidth, Scope::port, Direction::receive, {1}, 0}},
      {Shape::all_to_all,
       6,
       {.from = 2, .rail = 0, .delay_us = 1000},
       {Cause::latency, Scope::port, Direction::transmit, {2}, 0}},
      {Shape::all_to_all,
       6,
       {.to = 2, .rail = 0, .delay_us = 1000},
       {Cause::latency, Scope::port, Direction::receive, {2}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 2, .to = 3, .rail = 1, .loss = 0.02},
       {Cause::packet_loss, Scope::path, Direction::both, {2}, 1}},
      {Shape::all_to_all,
       4,
       {.from = 2, .to = 3, .rail = 1, .delay_us = 800},
       {Cause::latency, Scope::path, Direction::both, {2}, 1}},
      {Shape::all_to_all,
       4,
       {.to = 2, .rail = 0, .corruption = 0.01},
       {Cause::corruption, Scope::port, Direction::receive, {2}, 0}},
      {Shape::ring,
       4,
       {.from = 2, .rail = 0, .corruption = 0.01},
       {Cause::corruption, Scope::port, Direction::transmit, {2}, 0}},
      {Shape::ring,
       4,
       {.from = 1, .rail = 1, .marks = 0.2},
       {Cause::congestion, Scope::port, Direction::transmit, {1}, 1}},
      {Shape::all_to_all,
       4,
       {.to = 1, .rail = 0, .jitter_us = 6000},
       {Cause::jitter, Scope::port, Direction::receive, {1}, 0}},
      {Shape::all_to_all,
       4,
       {.from = 2, .megabytes_per_second = 30},
       {Cause::bandwidth, Scope::host, Direction::transmit, {2}, {}}},
      {Shape::all_to_all,
       4,
       {.rail = 1, .delay_us = 500},
       {Cause::latency, Scope::rail, Direction::both, {}, 1}},
      {Shape::ring,
       4,
       {.rail = 1, .loss = 0.01},
       {Cause::packet_loss, Scope::rail, Direction::both, {}, 1}},
      {Shape::all_to_all,
       8,
       {.rail = 1, .marks = 0.2},
       {Cause::congestion, Scope::rail, Direction::both, {}, 1}},
  };
  return all;
}

TEST(Diagnosis, NamesWhatWasPlanted) {
  for (const Case& one : cases()) {
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      SimulatedRun run(one.shape, one.ranks, 2, seed);
      run.plant(one.trouble);
      SCOPED_TRACE(std::string(word(one.expected.cause)) + ", seed " + std::to_string(seed));
      expect_only(findings_of(run), one.expected);
    }
  }
}

TEST(Diagnosis, HealthyTwinsAreSilent) {
  for (const Shape shape : {Shape::ring, Shape::all_to_all}) {
    for (const int ranks : {2, 3, 4, 5, 6, 8}) {
      for (unsigned seed = 1; seed <= 2 * kSeeds; ++seed) {
        SimulatedRun run(shape, ranks, 2, seed);
        const auto findings = findings_of(run);
        EXPECT_TRUE(findings.empty())
            << ranks << " ranks, seed " << seed << ": " << texts(findings);
      }
    }
  }
}

TEST(Diagnosis, PathsWithinAHostAreNotWhatOthersAreComparedWith) {
  for (const Shape shape : {Shape::ring, Shape::all_to_all}) {
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      SimulatedRun run(shape, 8, 2, seed, 2);
      const auto findings = findings_of(run);
      EXPECT_TRUE(findings.empty()) << "seed " << seed << ": " << texts(findings);
    }
  }
}

/// What is lost on another rail is not corrupted.
TEST(Diagnosis, OneRailCorruptsAndAnotherLoses) {
  for (const Shape shape : {Shape::ring, Shape::all_to_all}) {
    SimulatedRun run(shape, 4, 2, 1);
    run.plant({.from = 2, .rail = 0, .corruption = 0.02});
    run.plant({.from = 2, .rail = 1, .loss = 0.02});
    const auto findings = findings_of(run);
    ASSERT_EQ(findings.size(), 2U) << texts(findings);
    for (const Finding& one : findings)
      EXPECT_EQ(one.cause, one.where.at.rail == 0 ? Cause::corruption : Cause::packet_loss)
          << texts(findings);
  }
}

TEST(Diagnosis, OfTwoPortsThatOnlyHaveEachOtherTheirRailIsNamed) {
  SimulatedRun run(Shape::all_to_all, 2, 2, 1);
  run.plant({.rail = 1, .megabytes_per_second = 20});
  expect_only(findings_of(run), {Cause::bandwidth, Scope::rail, Direction::both, {}, 1});
}

/// The findings of what is planted, in rows of this algorithm.
std::vector<Finding> planted(const std::string& algorithm, const Trouble& trouble) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.plant(trouble);
  std::vector<results::CollectiveRow> rows = run.rows();
  for (results::CollectiveRow& row : rows) {
    row.algorithm = algorithm;
    row.point.root = -1;
    row.out_of_place = row.in_place = results::Measurement{.rank_own_us = {900, 10, 11, 10}};
    row.out_of_place->time.p50_us = row.in_place->time.p50_us = 1000;
  }
  return diagnose(run.ranks(), rows);
}

/// A turn delays most chunks to a rank, and not the fastest.
TEST(Diagnosis, TurnsOfOneRankThatServesAllAreNobodysFault) {
  for (const double jitter_us : {500.0, 5000.0, 50'000.0}) {
    const auto found = planted("direct", {.from = 0, .to = 3, .rail = 0, .jitter_us = jitter_us});
    EXPECT_TRUE(found.empty()) << texts(found);
  }
  const auto little = planted("direct", {.from = 2, .delay_us = 300});
  EXPECT_TRUE(little.empty()) << texts(little);
}

TEST(Diagnosis, ADelayIsNamedWhereOneRankServesAll) {
  expect_only(planted("direct", {.from = 2, .delay_us = 2000}),
              {Cause::latency, Scope::host, Direction::transmit, {2}, {}});
  expect_only(planted("direct", {.from = 0, .rail = 0, .megabytes_per_second = 6}),
              {Cause::bandwidth, Scope::port, Direction::transmit, {0}, 0});
  EXPECT_FALSE(planted("ring", {.from = 2, .delay_us = 2000}).empty());
}

/// The queue behind a rate grows from iteration to iteration, so chunks are late by very different
/// times.
TEST(Diagnosis, ARateIsNamedWhoseQueueGrowsWhereOneRankServesAll) {
  expect_only(planted("direct", {.from = 0, .rail = 0, .megabytes_per_second = 6, .backlog = 0.12}),
              {Cause::bandwidth, Scope::port, Direction::transmit, {0}, 0});
}

/// A run in which one rank was stopped once.
std::vector<Finding> of_one_stop(double stopped_us, double longest_us, bool queued = false) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  auto rows = run.rows();
  for (results::CollectiveRow& row : rows) {
    row.out_of_place = results::Measurement{};
    row.out_of_place->time = {.p50_us = 900, .max_us = 1500};
    for (results::RankLoad& load : row.rank_loads)
      load = {.rank = load.rank, .wall_us = 4e6, .ran_us = 3e6, .queued_us = 5e5, .slept_us = 5e5};
  }
  rows[2].out_of_place->time.max_us = longest_us;
  results::RankLoad& load = rows[2].rank_loads[2];
  load.ran_us -= stopped_us;
  if (queued) *load.queued_us += stopped_us;
  return diagnose(run.ranks(), rows);
}

TEST(Diagnosis, OneStopIsTheRanksThatStoodStill) {
  for (const double stopped_us : {5e5, 1e6, 2e6}) {
    const auto findings = of_one_stop(stopped_us, stopped_us);
    ASSERT_EQ(findings.size(), 1U) << texts(findings);
    EXPECT_EQ(findings[0].cause, Cause::descheduled);
    EXPECT_EQ(findings[0].where.at.ranks, std::vector<int>{2});
    EXPECT_DOUBLE_EQ(*findings[0].evidence[0].observed, stopped_us / 1e6);
    EXPECT_NE(findings[0].evidence[0].text.find("in the row of 64K"), std::string::npos);
  }
}

TEST(Diagnosis, NoStopIsWhatNobodyWaitedForOrWasShort) {
  EXPECT_TRUE(of_one_stop(2e6, 1500).empty()) << "between iterations";
  EXPECT_TRUE(of_one_stop(1e5, 1e5).empty()) << "short";
  EXPECT_TRUE(of_one_stop(5e5, 5e5, true).empty()) << "it waited for a processor";
  EXPECT_TRUE(of_one_stop(0, 2e6).empty()) << "a long iteration alone";
}

TEST(Diagnosis, AStarvedRankIsNotBlamedOnTheNetwork) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  run.starve(2, 0.98).plant({.to = 2, .jitter_us = 90'000}).plant({.from = 2, .jitter_us = 90'000});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 1U) << texts(findings);
  EXPECT_EQ(findings[0].cause, Cause::descheduled);
  EXPECT_EQ(findings[0].where.at.ranks, std::vector<int>{2});
}

TEST(Diagnosis, ALateRailIsNotBlamedOnTheProcessorThatWaitsForIt) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.starve(2, 0.9).plant({.from = 2, .rail = 0, .delay_us = 5000});
  expect_only(findings_of(run), {Cause::latency, Scope::port, Direction::transmit, {2}, 0});
}

/// Rows of one size with a delay at a port, while other ports' acknowledgements are late for want
/// of processors.
std::vector<Finding> findings_without_processors(double delay_us, std::size_t of_rows,
                                                 double starved = 0) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.starve(2, starved).plant({.from = 2, .rail = 0, .delay_us = delay_us});
  std::vector<results::CollectiveRow> rows;
  while (rows.size() < of_rows) rows.push_back(run.rows().back());
  for (results::CollectiveRow& row : rows) {
    for (results::EdgeTimes& edge : row.edges) {
      if (edge.from != 2 && edge.to != 2) edge.back->p90_us = 4000;
    }
  }
  return diagnose(run.ranks(), rows);
}

/// The same processes serve its other rail faster.
TEST(Diagnosis, APortThatIsSlowerThanItsTwinsIsNotBlamedOnTheProcessor) {
  const auto findings = findings_without_processors(500, 1, 0.9);
  ASSERT_EQ(findings.size(), 2U) << texts(findings);
  EXPECT_EQ(findings[0].cause, Cause::descheduled);
  EXPECT_EQ(findings[1].where.scope, Scope::port);
  EXPECT_EQ(findings[1].where.at.rail, 0);
  EXPECT_EQ(findings[1].where.at.ranks, std::vector<int>{2});
}

TEST(Diagnosis, ADelayOfAnOpenKindIsAnErrorIfFastestChunksAreSlowByFar) {
  const Expected expected{Cause::latency, Scope::port, Direction::transmit, {2}, 0};
  for (const double starved : {0.0, 0.9}) {
    const auto found = findings_without_processors(5000, 4, starved);
    expect_only(found, expected);
    EXPECT_EQ(found.at(0).severity, finding::Severity::error);
    EXPECT_NE(found.at(0).detail.find("unknown reason"), std::string::npos) << texts(found);
  }
  for (const auto& doubt :
       {findings_without_processors(5000, 3), findings_without_processors(1000, 4)}) {
    expect_only(doubt, expected);
    EXPECT_EQ(doubt.at(0).severity, finding::Severity::warning);
  }
  EXPECT_TRUE(findings_without_processors(0, 4).empty());
}

TEST(Diagnosis, WhatIsSlowEverywhereIsNotBlamedOnAnybody) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.plant({.delay_us = 5000});
  EXPECT_TRUE(findings_of(run).empty());
}

TEST(Diagnosis, WithoutACommonClockTheRoundTripIsJudged) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.of_several_clocks().plant({.to = 3, .rail = 1, .megabytes_per_second = 40});
  const auto findings = findings_of(run);
  expect_only(findings, {Cause::bandwidth, Scope::port, Direction::receive, {3}, 1});
}

TEST(Diagnosis, LossOutranksTheSlownessItCauses) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  run.plant({.from = 2, .rail = 1, .delay_us = 400, .loss = 0.02});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 1U) << texts(findings);
  EXPECT_EQ(findings[0].cause, Cause::packet_loss);
  const finding::Evidence& slower = findings[0].evidence.back();
  EXPECT_EQ(slower.metric, "chunk time");
  EXPECT_GT(slower.observed.value_or(0), 3);
}

/// A gap may be of many packets: how many are missing is what was lost.
TEST(Diagnosis, TheShareOfLossIsOfPacketsAndNotOfGaps) {
  const auto percent_of = [](std::int64_t packets_of_gap) {
    SimulatedRun run(Shape::ring, 4, 2, 1);
    run.plant({.from = 2, .rail = 1, .loss = 0.5});
    auto rows = run.rows();
    for (results::CollectiveRow& row : rows) {
      for (results::PortEvents& port : row.events) {
        for (const char* gaps : {"out_of_seq_request", "rcvd_seq_err"}) {
          if (port.moved.contains(gaps)) port.moved[gaps] /= packets_of_gap;
        }
      }
    }
    const auto findings = diagnose(run.ranks(), rows);
    EXPECT_EQ(findings.size(), 1U) << texts(findings);
    return std::stod(findings.at(0).detail.substr(std::string("packet loss, ").size()));
  };
  EXPECT_GT(percent_of(1), 5);
  EXPECT_NEAR(percent_of(5), percent_of(1), 0.2);
}

double percent_in(const Finding& one) {
  return std::stod(one.detail.substr(one.detail.find(", ") + 2));
}

TEST(Diagnosis, EachOfTwoPlacesHasItsOwnLosses) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  run.plant({.from = 1, .rail = 1, .loss = 0.5}).plant({.from = 3, .rail = 1, .loss = 0.25});
  auto rows = run.rows();
  for (results::CollectiveRow& row : rows) {
    for (results::PortEvents& port : row.events) {
      for (const char* gaps : {"out_of_seq_request", "rcvd_seq_err"}) {
        if (port.moved.contains(gaps)) port.moved[gaps] /= 5;
      }
    }
  }
  const auto found = diagnose(run.ranks(), rows);
  ASSERT_EQ(found.size(), 2U) << texts(found);
  const auto lost = [&](std::size_t which) { return *found[which].evidence.at(1).observed; };
  const bool in_order = found[0].where.at.ranks == std::vector{1};
  EXPECT_NEAR(lost(0) / lost(1), in_order ? 2 : 0.5, 0.01) << texts(found);
}

/// A sender's packets are a part of what each of its peers received.
TEST(Diagnosis, SharesAreOfWhatThePlaceSent) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  const auto marked = findings_of(run.plant({.from = 2, .rail = 1, .marks = 0.2}));
  ASSERT_EQ(marked.size(), 1U) << texts(marked);
  EXPECT_NEAR(percent_in(marked[0]), 20, 5) << texts(marked);
  SimulatedRun other(Shape::all_to_all, 4, 2, 1);
  const auto twice = findings_of(other.plant({.from = 2, .rail = 1, .duplication = 0.2}));
  ASSERT_EQ(twice.size(), 1U) << texts(twice);
  EXPECT_NEAR(percent_in(twice[0]), 20, 5) << texts(twice);
}

/// All-reduce, which serves few data by one rank and many along a ring: a receiver knows who sent
/// what it noticed by the rows in which it did.
TEST(Diagnosis, MarksAndRepetitionsAreOfWhereTheyBegin) {
  const auto found = [](unsigned seed, const Trouble& trouble) {
    SimulatedRun hub(Shape::hub, 4, 2, seed);
    SimulatedRun ring(Shape::ring, 4, 2, seed);
    auto rows = hub.plant(trouble).rows();
    for (results::CollectiveRow& row : ring.plant(trouble).rows()) rows.push_back(std::move(row));
    return diagnose(hub.ranks(), rows);
  };
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Expected sends{Cause::congestion, Scope::port, Direction::transmit, {2}, 1};
    expect_only(found(seed, {.from = 2, .rail = 1, .marks = 0.05}), sends);
    const Expected receives{Cause::congestion, Scope::port, Direction::receive, {3}, 1};
    expect_only(found(seed, {.to = 3, .rail = 1, .marks = 0.05}), receives);
    const Expected sends_twice{Cause::duplication, Scope::port, Direction::transmit, {2}, 1};
    expect_only(found(seed, {.from = 2, .rail = 1, .duplication = 0.05}), sends_twice);
    const Expected hears_twice{Cause::duplication, Scope::port, Direction::receive, {3}, 1};
    expect_only(found(seed, {.to = 3, .rail = 1, .duplication = 0.05}), hears_twice);
    EXPECT_TRUE(found(seed, {}).empty());
  }
}

/// A ring of NICs of which one misses packets; they count as mlx5 does.
std::vector<Finding> of_hardware(const std::map<std::string, std::int64_t>& at_sender,
                                 const std::map<std::string, std::int64_t>& at_receiver) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  std::vector<results::Rank> ranks = run.ranks();
  for (results::Rank& rank : ranks) {
    for (results::RankRail& rail : rank.rails) rail.kind = results::DeviceKind::hardware;
  }
  auto rows = run.rows();
  for (results::CollectiveRow& row : rows) {
    for (results::PortEvents& port : row.events) {
      port.moved.clear();
      if (port.rail == 1 && port.host == "host1") port.moved = at_sender;
      if (port.rail == 1 && port.host == "host2") port.moved = at_receiver;
    }
  }
  return diagnose(ranks, rows);
}

TEST(Diagnosis, GapsOfHardwareAreLossIfSomethingWasSentAgain) {
  const Expected path{Cause::reordering, Scope::path, Direction::both, {1}, 1};
  const Expected lost{Cause::packet_loss, Scope::path, Direction::both, {1}, 1};
  expect_only(of_hardware({}, {{"out_of_sequence", 400}}), path);
  expect_only(of_hardware({{"packet_seq_err", 300}}, {{"out_of_sequence", 400}}), lost);
  expect_only(of_hardware({{"local_ack_timeout_err", 9}}, {{"out_of_sequence", 400}}), lost);
  expect_only(of_hardware({}, {{"rx_prio3_discards", 400}}), lost);
  const auto resent = of_hardware({{"tcpRetransSegs", 300}}, {});
  expect_only(resent, lost);
  EXPECT_NE(texts(resent).find("packets sent again 1500"), std::string::npos) << texts(resent);
  EXPECT_EQ(texts(resent).find("%"), std::string::npos) << "a loss may cause many resends";
}

/// The findings of a run whose ports say of losses only what was sent again, as irdma's do.
std::vector<Finding> by_resends(const Trouble& trouble, unsigned seed) {
  SimulatedRun run(Shape::ring, 4, 2, seed);
  run.plant(trouble);
  auto rows = run.rows();
  for (results::CollectiveRow& row : rows) {
    for (results::PortEvents& port : row.events) {
      const auto again = port.moved.extract("retransmitted_pkts");
      port.moved.clear();
      if (!again.empty()) port.moved["tcpRetransSegs"] = again.mapped();
    }
  }
  return diagnose(run.ranks(), rows);
}

TEST(Diagnosis, ResendsAloneAreLossIfPacketsAreMissing) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const auto found = by_resends({.from = 2, .rail = 1, .loss = 0.02}, seed);
    expect_only(found, {Cause::packet_loss, Scope::path, Direction::both, {2}, 1});
    const auto healthy = by_resends({.from = 2, .rail = 1}, seed);
    EXPECT_TRUE(healthy.empty()) << texts(healthy);
  }
}

/// As beside a fault of a neighbour.
TEST(Diagnosis, AHandfulOfOvertakenPacketsIsNobodysFault) {
  EXPECT_TRUE(of_hardware({}, {{"out_of_sequence", 5}}).empty());
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SimulatedRun run(Shape::ring, 4, 2, seed);
    run.plant({.from = 1, .rail = 1, .reordering = 0.001});
    run.plant({.from = 2, .rail = 1, .megabytes_per_second = 60});
    expect_only(findings_of(run), {Cause::bandwidth, Scope::path, Direction::both, {2}, 1});
  }
}

TEST(Diagnosis, WhereNotAllPortsCountNothingIsSaidOfPackets) {
  SimulatedRun run(Shape::all_to_all, 4, 2, 1);
  run.plant({.from = 1, .rail = 0, .delay_us = 1000});
  auto rows = run.rows();
  const auto text = [&] { return texts(diagnose(run.ranks(), rows)); };
  EXPECT_NE(text().find("no packet was lost"), std::string::npos) << text();
  for (results::CollectiveRow& row : rows) row.events.pop_back();
  EXPECT_EQ(text().find("no packet was lost"), std::string::npos) << text();
}

/// All of its peers notice it, too, but less often than it does.
TEST(Diagnosis, AHostThatHasItWithAllOthersIsNotItsRails) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SimulatedRun run(Shape::all_to_all, 6, 2, seed);
    run.plant({.from = 2, .marks = 0.2}).plant({.to = 2, .marks = 0.2});
    expect_only(findings_of(run), {Cause::congestion, Scope::host, Direction::both, {2}, {}});
  }
}

/// What all ports of all rails notice is no host's: each rail is named.
TEST(Diagnosis, WhatIsEverywhereAccusesNobody) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SimulatedRun run(Shape::all_to_all, 8, 2, seed);
    run.plant({.marks = 0.2});
    const auto findings = findings_of(run);
    ASSERT_EQ(findings.size(), 2U) << texts(findings);
    for (const Finding& one : findings) EXPECT_EQ(one.where.scope, Scope::rail) << sentence(one);
  }
}

TEST(Diagnosis, TwoFaultsAreBothNamed) {
  SimulatedRun run(Shape::all_to_all, 5, 2, 1);
  run.plant({.from = 1, .rail = 0, .loss = 0.02}).plant({.to = 4, .rail = 1, .loss = 0.02});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 2U) << texts(findings);
}

TEST(Diagnosis, OfNothingIsNothing) {
  EXPECT_TRUE(diagnose({}, {}).empty());
  const SimulatedRun run(Shape::ring, 2, 1, 1);
  EXPECT_TRUE(diagnose(run.ranks(), {results::CollectiveRow{}}).empty());
}

/// Along a ring of four, what one rank sends reaches the same two as what the opposite one sends:
/// data one neighbour, acknowledgements the other.
TEST(Diagnosis, ARankThatComputesIsNamedAndNotWhatLeadsToIt) {
  for (const Shape shape : {Shape::ring, Shape::all_to_all}) {
    for (const double own_us : {900.0, 12.0}) {
      SCOPED_TRACE(own_us);
      SimulatedRun run(shape, 4, 2, 1);
      run.plant({.from = 1, .to = 2, .delay_us = 20'000});  // it notices late what has come
      auto rows = run.rows();
      for (results::CollectiveRow& row : rows) {
        row.algorithm = shape == Shape::ring ? "ring" : "pairwise";
        row.out_of_place = row.in_place = results::Measurement{.rank_own_us = {10, 11, own_us, 10}};
        row.out_of_place->time.p50_us = row.in_place->time.p50_us = 1000;
      }
      const auto findings = diagnose(run.ranks(), rows);
      if (own_us > 100) {
        expect_only(findings, {Cause::slow_processor, Scope::processor, Direction::both, {2}, {}});
      } else {  // it does not compute: then the path is
        ASSERT_FALSE(findings.empty());
        EXPECT_EQ(findings[0].cause, Cause::latency) << texts(findings);
      }
    }
  }
}

TEST(Diagnosis, MarksAreOfTheSenderThatWasNotified) {
  for (int rank = 0; rank < 4; ++rank) {
    SCOPED_TRACE(rank);
    SimulatedRun sends(SimulatedRun::Shape::ring, 4, 2, 1);
    sends.plant({.from = rank, .rail = 1, .marks = 0.05, .notifications = 0.02});
    expect_only(findings_of(sends),
                {Cause::congestion, Scope::port, Direction::transmit, {rank}, 1});
    SimulatedRun receives(SimulatedRun::Shape::ring, 4, 2, 1);
    receives.plant({.to = rank, .rail = 1, .marks = 0.05, .notifications = 0.02});
    expect_only(findings_of(receives),
                {Cause::congestion, Scope::port, Direction::receive, {rank}, 1});
    SimulatedRun few(SimulatedRun::Shape::ring, 4, 2, 1);
    few.plant({.from = rank, .rail = 1, .marks = 0.001, .notifications = 0.001});
    EXPECT_TRUE(findings_of(few).empty());
  }
}

TEST(Diagnosis, MarksAreNotMendedAtACable) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  run.plant({.from = 2, .rail = 1, .marks = 0.05});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(sentence(findings[0]).ends_with("; check ECN and PFC settings on the path"))
      << sentence(findings[0]);
}

TEST(Diagnosis, IsASentenceWithWhereWhyAndWhatToDo) {
  SimulatedRun run(Shape::ring, 4, 2, 1);
  run.plant({.from = 2, .rail = 1, .loss = 0.01});
  const auto findings = findings_of(run);
  ASSERT_EQ(findings.size(), 1U);
  for (const char* part :
       {"host2 soft1 (rail 1, rank 2) -> host3 soft1 (rail 1, rank 3): packet loss, ",
        "PSN gaps 150", "check cable and port of host2 soft1"}) {
    EXPECT_NE(sentence(findings[0]).find(part), std::string::npos) << sentence(findings[0]);
  }
}

}  // namespace
}  // namespace railgauge::diagnosis
