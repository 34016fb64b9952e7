#include "runner/failure_findings.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Endpoint;
using finding::Finding;
using finding::Scope;
using results::Failure;

/// A port; each rank of these jobs has a host.
Endpoint end(int rank, int rail) {
  return {.host = "host" + std::to_string(rank),
          .device = "mlx5_" + std::to_string(rail),
          .port = 1,
          .rail = rail,
          .address = "10." + std::to_string(rail) + ".0." + std::to_string(rank),
          .ranks = {rank}};
}

/// What transport::connect_verbs() finds at a queue pair of one rank with another.
Finding fault(Cause cause, int rank, int peer, int rail = 1) {
  return found("transport", cause,
               {.scope = Scope::path, .at = end(rank, rail), .peer = end(peer, rail)});
}

Failure failure(int rank, std::vector<Finding> findings,
                Failure::Kind kind = Failure::Kind::transport) {
  return {rank, "host" + std::to_string(rank), kind, "whatever words", std::move(findings)};
}

Failure dead_link(int rank, int peer, int rail = 1) {
  return failure(rank, {fault(Cause::unreachable, rank, peer, rail)});
}

Failure stopped(int rank) {
  return failure(rank, {}, Failure::Kind::stopped);
}

TEST(FailureFindings, OfBothEndsOfALinkAndAllItsQueuePairsAreOne) {
  const auto twice = fault(Cause::unreachable, 2, 1);
  const auto found = findings_of({failure(2, {twice, twice}), dead_link(1, 2), stopped(0)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].certainty, Certainty::likely);
  EXPECT_EQ(sentence(found[0]),
            "host2 mlx5_1 (rail 1, rank 2) -> host1 mlx5_1 (rail 1, rank 1): unreachable in both "
            "directions: ranks 1 and 2 report it; check link state, routes and VLAN");
}

TEST(FailureFindings, AreTheLinkIfTheOtherEndLives) {
  const auto found = findings_of({dead_link(2, 1), stopped(1)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].certainty, Certainty::likely);
  EXPECT_EQ(found[0].evidence.at(0).text, "rank 2 reports it");
}

/// A rank that was killed does not answer either.
results::Rank with_ports(int number) {
  results::Rank rank{.rank = number, .host = "host" + std::to_string(number)};
  for (const int rail : {0, 1}) {
    const Endpoint port = end(number, rail);
    rank.rails.push_back({.rail = rail, .device = port.device, .address = port.address});
  }
  return rank;
}

results::PortEvents counted(int rank, std::int64_t sent, std::optional<std::int64_t> received) {
  const Endpoint port = end(rank, 1);
  return {.host = port.host,
          .device = port.device,
          .rail = 1,
          .plane = 0,
          .address = port.address,
          .packets_sent = sent,
          .packets_received = received,
          .moved = {}};
}

/// A port whose packets are all missing, while it receives.
TEST(FailureFindings, OfAPortThatNobodyHearsHaveItsDirection) {
  const auto direction = [](const std::vector<results::PortEvents>& events) {
    auto found = findings_of({dead_link(2, 1), dead_link(3, 2)});
    tell_directions(found, events, {with_ports(1), with_ports(2), with_ports(3)});
    EXPECT_EQ(found.at(0).where.scope, finding::Scope::port);
    return found.at(0).where.direction;
  };
  using finding::Direction;
  EXPECT_EQ(direction({counted(1, 18, 9), counted(2, 70, 14), counted(3, 9, 4)}),
            Direction::transmit);
  EXPECT_EQ(direction({counted(1, 18, 9), counted(2, 70, {}), counted(3, 9, 4)}), Direction::both);
  EXPECT_EQ(direction({counted(1, 900, 890), counted(2, 870, 840), counted(3, 900, 890)}),
            Direction::both)
      << "it was heard before";
  EXPECT_EQ(direction({counted(1, 18, 9), counted(2, 70, 14)}), Direction::both)
      << "one is unknown";
}

/// Where a deaf port's own packets were heard, it is the direction to it.
TEST(FailureFindings, OfALinkThatIsDeadOneWayHaveTheDirectionOfTheCounters) {
  const auto told = [](const std::vector<results::PortEvents>& events,
                       std::vector<results::Rank> ranks = {with_ports(1), with_ports(2)}) {
    auto found = findings_of({dead_link(2, 1), dead_link(1, 2)});
    tell_directions(found, events, ranks);
    return sentence(found.at(0));
  };
  const std::string one = "host1 mlx5_1 (rail 1, rank 1) -> host2 mlx5_1 (rail 1, rank 2): unreach";
  EXPECT_EQ(told({counted(1, 600, 120), counted(2, 120, {})}).find(one), 0U);
  const std::string back =
      "host2 mlx5_1 (rail 1, rank 2) -> host1 mlx5_1 (rail 1, rank 1): unreach";
  EXPECT_EQ(told({counted(1, 120, 0), counted(2, 600, 120)}).find(back), 0U);
  for (const auto& open : {told({counted(1, 120, {}), counted(2, 120, {})}), told({}),
                           told({counted(1, 600, 120), counted(2, 120, {})},
                                {with_ports(1), with_ports(2), with_ports(3)})}) {
    EXPECT_NE(open.find("unreachable in both directions"), std::string::npos) << open;
  }
}

TEST(FailureFindings, LeaveItOpenIfTheOtherEndIsSilent) {
  const auto found = findings_of({dead_link(2, 1), failure(1, {}, Failure::Kind::lost)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].certainty, Certainty::possible);
  EXPECT_EQ(found[0].excuses.size(), 1U);
}

TEST(FailureFindings, OfAllLinksOfAPortAreThePort) {
  const auto found = findings_of({dead_link(2, 0), dead_link(4, 2), dead_link(2, 3)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(headline(found[0]), "host2 mlx5_1 (rail 1, rank 2): unreachable on 3 paths");
}

/// Its port is as good as that of any other rank.
TEST(FailureFindings, LeaveItOpenIfAllRanksOfThePortAreSilent) {
  const auto found =
      findings_of({dead_link(2, 0), dead_link(1, 0), failure(0, {}, Failure::Kind::lost)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where.at, end(0, 1));
  EXPECT_EQ(found[0].certainty, Certainty::possible);
  EXPECT_EQ(found[0].excuses.size(), 1U);
}

TEST(FailureFindings, OfAHostThatIsCutOffNameAllItsRails) {
  const auto found = findings_of(
      {failure(2, {fault(Cause::unreachable, 2, 0, 0), fault(Cause::unreachable, 2, 1, 0),
                   fault(Cause::unreachable, 2, 0, 1), fault(Cause::unreachable, 2, 1, 1)}),
       stopped(0), stopped(1)});
  ASSERT_EQ(found.size(), 2U);
  for (const int rail : {0, 1})
    EXPECT_EQ(found.at(static_cast<std::size_t>(rail)).where.at, end(2, rail));
}

TEST(FailureFindings, OfTwoRailsOfTwoHostsAreBoth) {
  EXPECT_EQ(findings_of({failure(1, {fault(Cause::unreachable, 1, 0, 0),
                                     fault(Cause::unreachable, 1, 0, 1)}),
                         stopped(0)})
                .size(),
            2U);
}

TEST(FailureFindings, OfAPathThatLosesLargePacketsAreItsDirection) {
  const auto found = findings_of({failure(2, {fault(Cause::packet_loss, 2, 0)}), dead_link(0, 2)});
  ASSERT_EQ(found.size(), 1U) << "the other direction is a consequence";
  EXPECT_EQ(found[0].cause, Cause::packet_loss);
  EXPECT_EQ(found[0].where.at, end(2, 1));
}

/// A port of a switch: the whole port may answer.
TEST(FailureFindings, OfSeveralPathsThatLoseLargePacketsAreEach) {
  EXPECT_EQ(findings_of({failure(2, {fault(Cause::packet_loss, 2, 0)}),
                         failure(0, {fault(Cause::packet_loss, 0, 2)}),
                         failure(2, {fault(Cause::packet_loss, 2, 3)})})
                .size(),
            3U);
}

TEST(FailureFindings, AreNotGuessed) {
  EXPECT_TRUE(findings_of(std::vector<Failure>{}).empty());
  for (const auto kind : {Failure::Kind::stopped, Failure::Kind::usage, Failure::Kind::environment,
                          Failure::Kind::interrupted, Failure::Kind::verdict}) {
    EXPECT_TRUE(findings_of({failure(0, {}, kind)}).empty());
  }
}

TEST(FailureFindings, OfATimeOutAreOneForTheJob) {
  const auto found = findings_of(
      {failure(0, {}, Failure::Kind::time_out), failure(1, {}, Failure::Kind::time_out)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(sentence(found[0]), "fabric: time-out: ranks 0 and 1 report it");
}

TEST(FailureFindings, OfOtherKindsNameTheRank) {
  const auto found = findings_of({failure(0, {}), failure(1, {}, Failure::Kind::wrong_data),
                                  failure(2, {}, Failure::Kind::wrong_data)});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(headline(found[0]), "host0 (rank 0): transport failure");
  EXPECT_EQ(headline(found[2]), "host2 (rank 2): wrong data");
}

/// Whatever the ranks write, the findings are the same.
TEST(FailureFindings, DoNotDependOnWords) {
  std::vector<Failure> failures{dead_link(2, 1), dead_link(1, 2), stopped(0)};
  const auto sentences = [&] {
    std::vector<std::string> all;
    for (const Finding& one : findings_of(failures)) all.push_back(sentence(one));
    return all;
  };
  const auto before = sentences();
  for (Failure& one : failures) one.text = "(rank 7 (elsewhere) on rail 9: transport retries";
  EXPECT_EQ(sentences(), before);
}

/// What carries failures to rank 0.
TEST(FailureFindings, SurviveBeingPacked) {
  const Failure sent = dead_link(2, 1);
  const Failure received = results::unpacked_failure(packed(sent));
  EXPECT_EQ(received.rank, 2);
  EXPECT_EQ(received.kind, sent.kind);
  EXPECT_EQ(received.text, sent.text);
  ASSERT_EQ(received.findings.size(), 1U);
  EXPECT_EQ(received.findings[0].where, sent.findings[0].where);
}

/// What the executor says at its deadline, of the path from one rank to another.
Finding missing(int from, int to, Certainty certainty) {
  Finding found = fault(Cause::time_out, from, to);
  found.certainty = certainty;
  return found;
}

std::vector<Finding> after_time_out(std::vector<std::pair<int, Finding>> reports) {
  std::vector<Failure> failures;
  for (auto& [rank, one] : reports)
    failures.push_back(failure(rank, {std::move(one)}, Failure::Kind::time_out));
  return findings_of(failures);
}

TEST(FailureFindings, OfATimeOutNameThePathThatDidNotAcknowledge) {
  const auto found = after_time_out({{0, missing(3, 0, Certainty::possible)},
                                     {1, missing(1, 2, Certainty::likely)},
                                     {2, missing(1, 2, Certainty::possible)},
                                     {3, missing(2, 3, Certainty::possible)}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where.at, end(1, 1));
  EXPECT_EQ(found[0].certainty, Certainty::likely);
  EXPECT_TRUE(found[0].alternatives.empty());
  EXPECT_EQ(found[0].evidence.back().text, "ranks 0, 1, 2 and 3 report it");
}

TEST(FailureFindings, OfATimeOutNameTheRankThatIsSilent) {
  const auto found = after_time_out({{0, missing(3, 0, Certainty::possible)},
                                     {1, missing(0, 1, Certainty::possible)},
                                     {2, missing(1, 2, Certainty::possible)}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where.at.ranks, std::vector<int>{3});
  EXPECT_TRUE(found[0].alternatives.empty());
}

TEST(FailureFindings, OfATimeOutNameAllThatNothingTellsApart) {
  const auto found = after_time_out(
      {{0, missing(1, 0, Certainty::possible)}, {1, missing(0, 1, Certainty::possible)}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].certainty, Certainty::possible);
  EXPECT_EQ(found[0].alternatives.size(), 1U);
}

TEST(FailureFindings, OfATimeOutOfEverybodyNameNoSuspect) {
  std::vector<std::pair<int, Finding>> reports;
  for (int rank = 0; rank < 8; ++rank)
    reports.emplace_back(rank, missing(rank, (rank + 1) % 8, Certainty::possible));
  const auto found = after_time_out(std::move(reports));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where.scope, Scope::fabric);
  EXPECT_EQ(found[0].evidence.front().text,
            "data are missing on 8 paths, such as host0 mlx5_1 (rail 1, rank 0) -> host1 mlx5_1 "
            "(rail 1, rank 1)");
}

}  // namespace
}  // namespace railgauge::runner
