#include "validation/causes.hpp"

#include <gtest/gtest.h>

#include "finding/places.hpp"

namespace railgauge::validation {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Finding;
using finding::found;
using finding::Location;
using finding::path_of;
using finding::port_of;
using finding::Scope;
using finding::Severity;

StageFinding in(const std::string& stage, Finding finding) {
  return {stage, std::move(finding)};
}

Location host(const std::string& name) {
  Location where{.scope = Scope::host};
  where.at.host = name;
  return where;
}
Location rail(int number) {
  Location where{.scope = Scope::rail};
  where.at.rail = number;
  return where;
}

Finding possible(Finding finding) {
  finding.certainty = Certainty::possible;
  return finding;
}
Finding warning(Finding finding) {
  finding.severity = Severity::warning;
  return finding;
}

TEST(Causes, WithoutFindingsThereIsNone) {
  EXPECT_TRUE(causes_of({}).empty());
}

TEST(Causes, ABadCableIsSaidOnceWithItsSymptoms) {
  const auto causes = causes_of({
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host0", "host1", 1))),
      in("all-reduce", found("diagnosis", Cause::bandwidth, rail(1))),
      in("doctor", found("doctor", Cause::link_down, port_of("host1", 1))),
      in("soak", found("soak", Cause::packet_loss, port_of("host1", 1))),
  });
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.cause, Cause::link_down);
  EXPECT_EQ(causes[0].symptoms.size(), 3U);
  EXPECT_EQ(causes[0].stages.size(), 4U);
  EXPECT_TRUE(causes[0].located);
}

/// Of whole runs, which have no place; where nothing is unreachable, a time-out is its own cause.
TEST(Causes, ATimeOutIsASymptomOfADeadPort) {
  const StageFinding late = in("all-reduce", found("run", Cause::time_out, {}));
  const auto causes =
      causes_of({late, in("reachability", found("pairs", Cause::unreachable, port_of("host1", 0))),
                 in("job", found("run", Cause::time_out, {}))});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.cause, Cause::unreachable);
  EXPECT_EQ(causes[0].symptoms.size(), 2U);
  ASSERT_EQ(causes_of({late}).size(), 1U);
  const auto others =
      causes_of({late, in("pairs", found("pairs", Cause::bandwidth, port_of("host1", 0)))});
  EXPECT_EQ(others.size(), 2U);
}

Location cable(const std::string& one, const std::string& other) {
  Location where{.scope = Scope::cable};
  where.switches = {one, other};
  return where;
}

/// Of the ports that a collective blames the search cleared all but the one that it names itself.
TEST(Causes, WhatTheSearchFindsBetweenSwitchesIsBehindPorts) {
  Finding searched = found("isolation", Cause::packet_loss, cable("leaf0", "spine1"));
  searched.alternatives = {cable("leaf1", "spine1")};
  const StageFinding loss = in("isolate", searched);
  const StageFinding blamed =
      in("all-reduce", found("diagnosis", Cause::packet_loss, port_of("host0", 0)));
  const StageFinding slow = in("job", found("diagnosis", Cause::bandwidth, port_of("host3", 0)));
  const auto causes = causes_of({blamed, loss, slow});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.where, searched.where);
  EXPECT_TRUE(causes[0].located);
  EXPECT_EQ(causes[0].symptoms.size(), 2U);
  const auto both =
      causes_of({blamed, loss,
                 in("isolate", found("isolation", Cause::packet_loss, port_of("host0", 0))), slow});
  ASSERT_EQ(both.size(), 2U);
  // What a setting of a host explains is no symptom of the cable.
  const StageFinding down = in("doctor", found("doctor", Cause::link_down, port_of("host3", 0)));
  EXPECT_EQ(causes_of({blamed, loss, down}).size(), 2U);
}

/// Nothing large passes a switch with a small MTU: that its ports lose packets is said once.
TEST(Causes, WhatIsDeadLosesPacketsToo) {
  Location leaf{.scope = Scope::node};
  leaf.switches = {"leaf1"};
  const auto causes =
      causes_of({in("job", found("run", Cause::packet_loss, port_of("host0", 1))),
                 in("all-to-all", found("run", Cause::packet_loss, path_of("host1", "host2", 1))),
                 in("isolate", found("isolation", Cause::unreachable, leaf))});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.where, leaf);
}

TEST(Causes, ACollectiveHandsWrongDataOn) {
  Finding source = found("soak", Cause::wrong_data, port_of("host3", 1));
  source.where.direction = Direction::transmit;
  const auto at = [](const std::string& name) {
    return in("all-reduce", found("verification", Cause::wrong_data, host(name)));
  };
  EXPECT_EQ(causes_of({at("host0"), at("host1"), in("soak", source)}).size(), 1U);
  EXPECT_EQ(causes_of({at("host0"), at("host1")}).size(), 2U);
}

TEST(Causes, TwoIndependentCausesStayTwo) {
  const auto causes = causes_of({
      in("doctor", found("doctor", Cause::link_speed, port_of("host1", 1))),
      in("soak", found("soak", Cause::packet_loss, port_of("host3", 0))),
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host1", "host2", 1))),
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host3", "host2", 0))),
  });
  ASSERT_EQ(causes.size(), 2U);
  for (const CauseGroup& group : causes) EXPECT_EQ(group.symptoms.size(), 1U);
}

TEST(Causes, OneCauseOnTwoHostsStaysTwo) {
  const auto causes = causes_of({
      in("soak", found("soak", Cause::packet_loss, port_of("host1", 1))),
      in("isolate", found("isolation", Cause::packet_loss, port_of("host2", 1))),
      in("soak", found("soak", Cause::packet_loss, port_of("host2", 1))),
  });
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].cause.where.at.host, "host2");  // more stages name it
}

TEST(Causes, APortExplainsThePathsInItsDirectionOnly) {
  const Location bad = port_of("host1", 1, Direction::transmit);
  const auto causes = causes_of({
      in("isolate", found("isolation", Cause::packet_loss, bad)),
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host1", "host2", 1))),
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host3", "host1", 1))),
  });
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].cause.cause, Cause::packet_loss);
  EXPECT_EQ(causes[0].symptoms.size(), 1U);
  EXPECT_EQ(causes[1].cause.where.at.host, "host3");
  EXPECT_FALSE(causes[1].located);
}

TEST(Causes, BothDirectionsOfAPortAreTwoIfEachWasFoundAlone) {
  const auto causes = causes_of({
      in("isolate",
         found("isolation", Cause::packet_loss, port_of("host1", 1, Direction::transmit))),
      in("soak", found("soak", Cause::packet_loss, port_of("host1", 1, Direction::receive))),
  });
  EXPECT_EQ(causes.size(), 2U);
}

TEST(Causes, ThePathOfOneStageAndThePortOfAnotherAreOne) {
  const auto causes = causes_of({
      in("all-reduce", found("diagnosis", Cause::packet_loss, path_of("host1", "host2", 1))),
      in("soak", found("soak", Cause::packet_loss, port_of("host1", 1, Direction::transmit))),
  });
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.where.scope, Scope::port);
  EXPECT_EQ(causes[0].stages, (std::vector<std::string>{"all-reduce", "soak"}));
}

TEST(Causes, PathsThatShareAnEndAreThatEnds) {
  const auto causes = causes_of({
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host1", "host2", 1))),
      in("latency", found("pairs", Cause::bandwidth, path_of("host1", "host3", 1))),
  });
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(key_of(causes[0].cause.where), key_of(port_of("host1", 1, Direction::transmit)));
  EXPECT_EQ(causes[0].cause.certainty, Certainty::likely);
  EXPECT_EQ(causes[0].stages, (std::vector<std::string>{"bandwidth", "latency"}));
  EXPECT_EQ(causes[0].symptoms.size(), 2U);
}

TEST(Causes, PathsWithoutACommonEndAreNotExplained) {
  const auto causes = causes_of({
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host1", "host2", 1))),
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host3", "host4", 1))),
  });
  ASSERT_EQ(causes.size(), 2U);
  for (const CauseGroup& group : causes) EXPECT_FALSE(group.located);
}

TEST(Causes, OnePathIsTheSamePathInEachStage) {
  const auto causes = causes_of({
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host1", "host2", 1))),
      in("all-reduce", found("diagnosis", Cause::bandwidth, path_of("host1", "host2", 1))),
  });
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].stages.size(), 2U);
}

TEST(Causes, APortThatMayAsWellBeAnotherIsNotAccused) {
  Finding either = found("soak", Cause::packet_loss, port_of("host1", 1));
  either.alternatives = {port_of("host3", 1)};
  const auto causes = causes_of({
      in("soak", either),
      in("all-reduce", found("diagnosis", Cause::packet_loss, path_of("host1", "host3", 1))),
  });
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.where.scope, Scope::path);
  EXPECT_FALSE(causes[0].located);
}

/// On another rail it would explain nothing, nor does another receiver, or a path between others.
TEST(Causes, APortIsBehindWhatOneOfSeveralOthersReceived) {
  Finding either = found("soak", Cause::corruption, port_of("host1", 0));
  either.where.direction = Direction::receive;
  either.alternatives = {either.where, either.where};
  either.alternatives[1].at.host = "host3";
  const auto causes_with = [&](const Location& where, Direction direction) {
    Finding sure = found("diagnosis", Cause::corruption, where);
    sure.where.direction = direction;
    return causes_of({in("soak", either), in("all-reduce", sure)}).size();
  };
  EXPECT_EQ(causes_with(port_of("host2", 0), Direction::transmit), 1U);
  EXPECT_EQ(causes_with(port_of("host2", 1), Direction::transmit), 2U);
  EXPECT_EQ(causes_with(port_of("host2", 0), Direction::receive), 2U);
  EXPECT_EQ(causes_with(path_of("host4", "host5", 0), Direction::both), 2U);
}

TEST(Causes, ARoundTripIsLateWhereItsPortIs) {
  Finding late = found("diagnosis", Cause::latency, port_of("host3", 0));
  late.where.direction = Direction::transmit;
  for (const bool is_sure : {false, true}) {
    std::vector<StageFinding> all{
        in("latency", found("pairs", Cause::latency, port_of("host3", 0))),
        in("isolate", found("isolation", Cause::bandwidth, port_of("host3", 0))),
        in("all-reduce", late)};
    for (const char* const from : {"host0", "host1"}) {
      const Finding path = found("pairs", Cause::latency, path_of(from, "host3", 0));
      all.push_back(in("latency", is_sure ? path : possible(path)));
    }
    const auto causes = causes_of(all);
    ASSERT_EQ(causes.size(), 1U);
    EXPECT_EQ(causes[0].cause.where.direction, Direction::transmit);
  }
}

TEST(Causes, AFaultElsewhereExplainsNothing) {
  const auto causes = causes_of({
      in("doctor", found("doctor", Cause::link_speed, port_of("host1", 0))),
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host1", "host2", 1))),
  });
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_TRUE(causes[0].located);
  EXPECT_FALSE(causes[1].located);
}

TEST(Causes, ASuspicionExplainsNoOtherCause) {
  const auto causes = causes_of({
      in("doctor", possible(found("doctor", Cause::link_speed, port_of("host1", 1)))),
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host1", "host2", 1))),
  });
  EXPECT_EQ(causes.size(), 2U);
}

TEST(Causes, AWarningIsACauseIfItExplainsAnErrorAndElseNone) {
  const Finding busy = warning(found("diagnosis", Cause::descheduled, host("host1")));
  EXPECT_TRUE(causes_of({in("soak", busy)}).empty());
  const auto causes = causes_of(
      {in("soak", busy), in("latency", found("pairs", Cause::latency, port_of("host1", 1)))});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.cause, Cause::descheduled);
}

TEST(Causes, InfoClearedAndWaivedFindingsAreNone) {
  Finding info = found("doctor", Cause::link_speed, port_of("host1", 1));
  info.severity = Severity::info;
  Finding cleared = found("isolation", Cause::bandwidth, port_of("host1", 1));
  cleared.certainty = Certainty::cleared;
  Finding waived = found("soak", Cause::packet_loss, port_of("host1", 1));
  waived.waived = "known";
  EXPECT_TRUE(causes_of({in("a", info), in("b", cleared), in("c", waived)}).empty());
}

/// A fabric of 1,024 hosts with a loss on each of 8 rails: each port explains its own path, and no
/// finding is held against all others.
TEST(Causes, OfThousandsEachHasItsOwn) {
  constexpr int kHosts = 1024;
  std::vector<StageFinding> all;
  for (int at = 0; at < kHosts; ++at) {
    const std::string host = "host" + std::to_string(at);
    for (int number = 0; number < 8; ++number) {
      all.push_back(in("soak", found("soak", Cause::packet_loss, port_of(host, number))));
      all.push_back(in("bandwidth", found("pairs", Cause::bandwidth,
                                          path_of(host, "peer" + std::to_string(at), number))));
    }
  }
  const auto causes = causes_of(all);
  ASSERT_EQ(causes.size(), 8U * kHosts);
  for (const CauseGroup& group : causes) ASSERT_EQ(group.symptoms.size(), 1U);
}

TEST(Causes, TheSurestComeFirstAndWhatNothingExplainsLast) {
  Finding counted = found("soak", Cause::packet_loss, port_of("host2", 1));
  counted.certainty = Certainty::confirmed;
  const auto causes = causes_of({
      in("bandwidth", found("pairs", Cause::bandwidth, path_of("host5", "host6", 0))),
      in("doctor", possible(found("doctor", Cause::link_speed, port_of("host1", 0)))),
      in("soak", counted),
  });
  ASSERT_EQ(causes.size(), 3U);
  EXPECT_EQ(causes[0].cause.cause, Cause::packet_loss);
  EXPECT_EQ(causes[1].cause.cause, Cause::link_speed);
  EXPECT_FALSE(causes[2].located);
}

}  // namespace
}  // namespace railgauge::validation
