#include <gtest/gtest.h>

#include <algorithm>

#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

/// Every port sends to every other of its rail, and all is well.
PairProbes probes(int hosts, int nics = 2) {
  PairProbes pairs;
  for (int nic = 0; nic < nics; ++nic) {
    for (int from = 1; from <= hosts; ++from) {
      for (int to = 1; to <= hosts; ++to) {
        const std::string device = "mlx5_" + std::to_string(nic);
        if (from != to)
          pairs.probes.push_back({.from = {"node" + std::to_string(from), device},
                                  .to = {"node" + std::to_string(to), device},
                                  .lost = 0,
                                  .sent_priority = 3,
                                  .arrived_priority = 3,
                                  .line_rate_percent = 92});
      }
    }
  }
  return pairs;
}

/// All that this port sends, and of what it receives.
void spoil(PairProbes& pairs, const ProbedPort& port, Did did, bool sends, bool receives,
           bool sure = true) {
  for (PairProbe& probe : pairs.probes) {
    if (!(sends && probe.from == port) && !(receives && probe.to == port)) continue;
    probe.did = did;
    probe.sure = sure;
    probe.remark = "the remark";
  }
}

Document judged(std::vector<topology::Recording> recordings, PairProbes pairs,
                const Expectations& wanted = {}) {
  std::vector<HostFacts> facts;
  facts.reserve(recordings.size());
  for (auto& one : recordings) facts.push_back(facts_of(std::move(one)));
  Hosts hosts = understood(std::move(facts), {});
  add_pairs(hosts, std::move(pairs));
  std::vector<const Check*> all;
  for (const Check& check : all_checks()) {
    if (check.level != Level::interval) all.push_back(&check);
  }
  return examine(hosts, all, wanted);
}

std::vector<topology::Recording> four() {
  return fleet(machine("mlx5"), 4);
}

constexpr const char* kMtu = "class/net/eth0/mtu";
const ProbedPort kSecond{"node2", "mlx5_0"};

TEST(PairChecks, AreSilentOnAHealthyFabric) {
  const Document found = judged(four(), probes(4));
  EXPECT_EQ(troubles(found), "");
  EXPECT_EQ(outcome(found.report), finding::Outcome::pass);
  EXPECT_TRUE(found.report.findings.empty());
}

/// The switch port has another MTU: the host's own is that of the others.
TEST(PairChecks, LargePacketsThatArePortsLoseAreItsSwitchs) {
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::lost_large_packets, true, false);
  const Document found = judged(four(), pairs);
  ASSERT_EQ(found.report.findings.size(), 1U);
  const std::string text = sentence(found.report.findings[0]);
  EXPECT_EQ(text.find("node2 mlx5_0 (rail 0) TX: number of paths that lose large packets is 3 of 3 "
                      "paths TX, expected 0 (the remark; the MTU of its interface is 9000)"),
            0U)
      << text;
  EXPECT_EQ(found.report.findings[0].cause, finding::Cause::mtu);
}

/// The cause on the host and what its paths do are one finding, with both as evidence.
TEST(PairChecks, TheMtuOfAHostExplainsTheLossOfLargePackets) {
  auto hosts = four();
  hosts[1].files[kMtu] = "1500";
  const Document without = judged(hosts, probes(4));
  EXPECT_EQ(outcome(without.report), finding::Outcome::pass);  // a warning
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::lost_large_packets, true, true);
  const Document found = judged(hosts, pairs);
  EXPECT_EQ(outcome(found.report), finding::Outcome::fail);
  std::size_t about = 0;
  for (const finding::Finding& one : found.report.findings) {
    if (one.severity != finding::Severity::error) continue;
    ++about;
    const std::string text = sentence(one);
    EXPECT_NE(text.find("1500"), std::string::npos) << text;
    EXPECT_NE(text.find("pair-mtu: number of paths that lose large packets is 3 of 3 paths TX"),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(about, 1U);
}

TEST(PairChecks, ASlowLinkExplainsSlowPaths) {
  auto hosts = four();
  hosts[1].files["bus/pci/devices/0000:11:00.0/current_link_width"] = "8";
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::slowly, true, false);
  const Document found = judged(hosts, pairs);
  ASSERT_EQ(found.report.findings.size(), 1U) << troubles(found);
  EXPECT_EQ(found.report.findings[0].check, "pcie-width");
  EXPECT_NE(sentence(found.report.findings[0]).find("pair-speed: number of slow paths is 3 of 3"),
            std::string::npos);
  const Document alone = judged(four(), pairs);
  ASSERT_EQ(alone.report.findings.size(), 1U);
  EXPECT_EQ(alone.report.findings[0].check, "pair-speed");
  EXPECT_EQ(alone.report.findings[0].where.direction, finding::Direction::transmit);
}

TEST(PairChecks, AMissingAddressExplainsPathsThatDoNotWork) {
  auto hosts = four();
  const std::string gid = "class/infiniband/mlx5_0/ports/1/gid_attrs/types/0";
  hosts[1].files[gid] = "IB/RoCE v1";
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::nothing, true, true);
  const Document found = judged(hosts, pairs);
  bool joined = false;
  for (const finding::Finding& one : found.report.findings) {
    EXPECT_EQ(one.check.find("pair-"), std::string::npos) << sentence(one);
    joined = joined || sentence(one).find(
                           "pair-reach: number of paths that do not work is 3 of "
                           "3 paths TX, 3 of 3 paths RX") != std::string::npos;
  }
  EXPECT_TRUE(joined);
}

/// What crosses rails may leave by another port, and does not acquit this one.
TEST(PairChecks, PathsAcrossRailsAcquitNobody) {
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::lost_large_packets, true, false);
  for (int to = 1; to <= 4; ++to)
    pairs.probes.push_back(
        {.from = kSecond, .to = {"node" + std::to_string(to), "mlx5_1"}, .same_rail = false});
  const Document found = judged(four(), pairs);
  ASSERT_EQ(found.report.findings.size(), 1U) << troubles(found);
  EXPECT_EQ(found.report.findings[0].check, "pair-mtu");
}

/// What a busy host may explain, and what two hosts cannot tell.
TEST(PairChecks, NobodyIsAccusedOfWhatIsNotSure) {
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::slowly, true, true, false);
  const Document busy = judged(four(), pairs);
  EXPECT_TRUE(busy.report.findings.empty());
  EXPECT_EQ(outcome(busy.report), finding::Outcome::inconclusive);
  PairProbes two = probes(2);
  spoil(two, kSecond, Did::nothing, true, false);
  const Document found = judged(fleet(machine("mlx5"), 2), two);
  ASSERT_EQ(found.report.findings.size(), 1U);
  EXPECT_EQ(found.report.findings[0].check, "pair-paths");
  EXPECT_EQ(in_words(found.report.findings[0].where), "fabric");
}

TEST(PairChecks, WhatWasNotMeasuredIsUnknown) {
  PairProbes pairs = probes(4, 1);  // one rail
  EXPECT_EQ(outcome(judged(four(), pairs).report), finding::Outcome::inconclusive);
  pairs = probes(4);
  pairs.unfinished = "status 'time-out'";
  EXPECT_EQ(outcome(judged(four(), pairs).report), finding::Outcome::inconclusive);
  const Document found = judged(four(), probes(5));
  EXPECT_EQ(summary_of(found, "pair-hosts").remarks.at(0).text, "no recording of node5");
  EXPECT_EQ(outcome(found.report), finding::Outcome::inconclusive);
}

/// All packets of a port's paths, as ports count them.
PairProbes counted(int hosts) {
  PairProbes pairs = probes(hosts);
  pairs.sent_class = 104;
  for (PairProbe& probe : pairs.probes) {
    probe.bytes = 12'000'000;
    probe.asks_class = true;
    probe.arrived_class = 106;  // NICs set ECN bits
  }
  for (int host = 1; host <= hosts; ++host)
    pairs.clocks["node" + std::to_string(host)] = {0.01 * host, 0.1};
  return pairs;
}

/// Does it to all that this port sends.
template <class Change>
PairProbes changed(const ProbedPort& from, const Change& change) {
  PairProbes pairs = counted(4);
  for (PairProbe& probe : pairs.probes)
    if (probe.from == from) change(probe);
  return pairs;
}

void expect_only(const PairProbes& pairs, const std::string& check, const std::string& says,
                 const Expectations& wanted = {}) {
  const Document found = judged(four(), pairs, wanted);
  ASSERT_EQ(found.report.findings.size(), 1U) << troubles(found);
  EXPECT_EQ(found.report.findings[0].check, check);
  const std::string text = sentence(found.report.findings[0]);
  EXPECT_NE(text.find(says), std::string::npos) << text;
  EXPECT_NE(text.find("node2"), std::string::npos) << text;
  EXPECT_NE(remedy_of(found.report.findings[0]), "");
}

TEST(PairChecks, AreSilentWhereAllIsCountedAndNothingIsWrong) {
  const Document found = judged(four(), counted(4), {.dscp = 26});
  EXPECT_EQ(troubles(found), "");
  for (const char* const name :
       {"pair-loss", "pair-class", "pair-priority", "pair-rate", "clock-offset"})
    EXPECT_EQ(summary_of(found, name).verdict, Verdict::pass) << name;
}

TEST(PairChecks, NameThePortThatLosesPackets) {
  expect_only(changed(kSecond, [](PairProbe& probe) { probe.lost = 3; }), "pair-loss",
              "paths that lose packets is 3 of 3 paths TX, expected 0 (3 packets lost of 12 MB)");
}

/// One lossy path of three is no port's.
TEST(PairChecks, ALossyPathIsTheFabrics) {
  PairProbes pairs = counted(4);
  pairs.probes[0].lost = 7;
  const Document found = judged(four(), pairs);
  ASSERT_EQ(found.report.findings.size(), 1U);
  EXPECT_EQ(found.report.findings[0].check, "pair-paths");
  EXPECT_NE(sentence(found.report.findings[0]).find("node1 mlx5_0 -> node2 mlx5_0: 7 packets"),
            std::string::npos);
}

/// Between two halves of a rail: not all of its ports are bad. What is not sure counts with nobody.
TEST(PairChecks, WhatMostPortsOfARailDoIsTheFabrics) {
  PairProbes pairs = counted(4);
  const auto half = [](const ProbedPort& port) { return port.host <= "node2"; };
  for (PairProbe& probe : pairs.probes) {
    if (probe.from.device != "mlx5_0" || half(probe.from) == half(probe.to)) continue;
    probe.did = Did::lost_large_packets;
    probe.remark = "the remark";
  }
  const auto doubtful = std::ranges::find(pairs.probes, Did::well, &PairProbe::did);
  doubtful->lost = 2;
  doubtful->software = true;
  const Document found = judged(four(), pairs);
  ASSERT_EQ(found.report.findings.size(), 1U) << troubles(found);
  EXPECT_EQ(found.report.findings[0].check, "pair-paths");
  const std::string text = sentence(found.report.findings[0]);
  EXPECT_NE(text.find("is 8, expected 0"), std::string::npos) << text;
  EXPECT_EQ(text.find("2 packets lost"), std::string::npos) << text;
}

/// A machine that plays NICs loses packets where it is busy: of a path or two, or with its sockets
/// full.
TEST(PairChecks, WhatABusyMachineMayHaveLostIsNotSure) {
  PairProbes pairs = changed(kSecond, [](PairProbe& probe) { probe.software = true; });
  for (int i = 0; i < 2; ++i) {
    std::ranges::find_if(pairs.probes, [](const PairProbe& probe) {
      return probe.from == kSecond && probe.lost == 0;
    })->lost = 9;
    EXPECT_EQ(outcome(judged(four(), pairs).report), finding::Outcome::inconclusive) << i;
  }
  pairs = changed(kSecond, [](PairProbe& probe) {
    probe.software = true;
    probe.lost = 9;
  });
  expect_only(pairs, "pair-loss", "3 of 3 paths TX");
  pairs = changed(kSecond, [](PairProbe& probe) {
    probe.lost = 9;
    probe.lost_by_host = "the receiving host had no room";
  });
  const Document full = judged(four(), pairs);
  EXPECT_TRUE(full.report.findings.empty()) << troubles(full);
  EXPECT_EQ(outcome(full.report), finding::Outcome::inconclusive);
}

TEST(PairChecks, NameThePortWhosePacketsArriveInAnotherClass) {
  const auto pairs = changed(kSecond, [](PairProbe& probe) {
    probe.arrived_class = 2;
    probe.sent_priority.reset();
  });
  expect_only(pairs, "pair-class", "(sent with DSCP 26, arrived with DSCP 0 in priority 3)");
}

/// What changes the class changes the priority: that is said once.
TEST(PairChecks, AnotherClassExplainsAnotherPriority) {
  const auto pairs = changed(kSecond, [](PairProbe& probe) {
    probe.arrived_class = 2;
    probe.arrived_priority = 0;
  });
  expect_only(pairs, "pair-class",
              "(sent with DSCP 26 in priority 3, arrived with DSCP 0 in priority 0)");
}

TEST(PairChecks, NameThePortWhosePacketsLeaveInAnotherPriority) {
  const auto pairs = changed(kSecond, [](PairProbe& probe) {
    probe.arrived_class.reset();
    probe.sent_priority = probe.arrived_priority = 0;
  });
  expect_only(pairs, "pair-priority",
              "TX: number of paths whose packets arrive in another priority is 3 of 3 paths TX, "
              "expected 0 (sent with DSCP 26 in priority 0, arrived in priority 0 instead of 3); "
              "dcb app show dev eth0");
}

/// All that one port receives, whoever sends it.
PairProbes arriving(const ProbedPort& to, std::optional<int> priority) {
  PairProbes pairs = counted(4);
  for (PairProbe& probe : pairs.probes)
    if (probe.to == to) probe.arrived_priority = priority;
  return pairs;
}

TEST(PairChecks, NameThePortWherePacketsArriveInAnotherPriority) {
  expect_only(arriving(kSecond, 0), "pair-priority",
              "3 of 3 paths RX, expected 0 (sent with DSCP 26 in priority 3, arrived in priority 0 "
              "instead of 3)");
}

constexpr const char* kMap = "dcb/eth0/dscp-to-priority";

/// The receiver's own map comes first: that it is not the others' is for dscp-map to say.
TEST(PairChecks, WhereAReceiverMapsTheDscpIsWherePacketsShouldArrive) {
  auto hosts = four();
  hosts[1].files[kMap] = "26:4 48:6";
  const auto verdict = [&](int priority) {
    return summary_of(judged(hosts, arriving(kSecond, priority)), "pair-priority").verdict;
  };
  EXPECT_EQ(verdict(4), Verdict::pass);
  EXPECT_EQ(verdict(3), Verdict::fail);
}

/// Where hosts have no map, or none for this DSCP, most paths of the rail tell.
TEST(PairChecks, WithoutAMapMostPathsTellThePriority) {
  auto hosts = four();
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    hosts[i].files.erase(kMap);
    if (i % 2 == 0) hosts[i].files[kMap] = "48:6";
  }
  const auto verdict = [&](const PairProbes& pairs) {
    return summary_of(judged(hosts, pairs), "pair-priority").verdict;
  };
  EXPECT_EQ(verdict(counted(4)), Verdict::pass);
  EXPECT_EQ(verdict(arriving(kSecond, 0)), Verdict::fail);
  hosts.resize(2);
  hosts[0].files.erase(kMap);
  PairProbes two = probes(2);  // of which none is most
  two.probes[0].arrived_priority = 0;
  EXPECT_EQ(verdict(two), Verdict::unknown);
}

/// One path that does not tell is no matter; a direction is.
TEST(PairChecks, APriorityThatNobodyCountsIsUnknown) {
  const auto of = [](const PairProbes& pairs) {
    return summary_of(judged(four(), pairs), "pair-priority");
  };
  PairProbes one = counted(4);
  one.probes[0].arrived_priority.reset();
  EXPECT_EQ(of(one).verdict, Verdict::pass);
  const CheckSummary found = of(arriving(kSecond, std::nullopt));
  EXPECT_EQ(found.verdict, Verdict::unknown);
  EXPECT_EQ(found.remarks.at(0).text,
            "no priority has nearly all bytes of its paths RX, or nobody counts them (ethtool -S)");
  PairProbes soft = probes(4);
  for (PairProbe& probe : soft.probes) {
    probe.from.device.replace(0, 4, "soft");
    probe.to.device.replace(0, 4, "soft");
    probe.from.device.erase(4, 1);
    probe.to.device.erase(4, 1);
    probe.arrived_priority.reset();
  }
  const Document skipped = judged(fleet(machine("softroce"), 4), soft);
  EXPECT_EQ(summary_of(skipped, "pair-priority").verdict, Verdict::skip);
  EXPECT_EQ(summary_of(skipped, "pair-reach").verdict, Verdict::pass);
}

TEST(PairChecks, NameThePortThatIsSlowToAll) {
  expect_only(changed(kSecond, [](PairProbe& probe) { probe.line_rate_percent = 24; }), "pair-rate",
              "24.0 %, expected at least 50 %");
}

TEST(PairChecks, NameTheHostWhoseClockDiffers) {
  PairProbes pairs = counted(4);
  pairs.clocks["node2"] = {5, 0.2};
  expect_only(pairs, "clock-offset", "ahead, expected at most 1 ms (+- 0.2 ms)");
  pairs.clocks["node2"] = {-5, 0.2};
  expect_only(pairs, "clock-offset", "behind");
}

TEST(PairChecks, WhatNobodyCountsOrSeesIsUnknown) {
  const auto of = [](const PairProbes& pairs, const char* check, const Expectations& wanted = {}) {
    return summary_of(judged(four(), pairs, wanted), check).verdict;
  };
  EXPECT_EQ(of(changed(kSecond, [](PairProbe& one) { one.lost.reset(); }), "pair-loss"),
            Verdict::pass);  // its peers' paths to it are counted
  PairProbes pairs = counted(4);
  for (PairProbe& one : pairs.probes) {
    one.lost.reset();
    one.arrived_class.reset();
    if (one.from == kSecond) one.line_rate_percent.reset();
  }
  for (auto& [host, clock] : pairs.clocks) clock.uncertainty_ms = 3;
  pairs.clocks["node3"].ms.reset();
  for (const char* const name : {"pair-loss", "pair-class", "pair-rate", "clock-offset"})
    EXPECT_EQ(of(pairs, name), Verdict::unknown) << name;
  EXPECT_EQ(of(counted(4), "pair-class", {.dscp = 34}), Verdict::unknown);
}

/// Asked for by --level, and not there.
TEST(PairChecks, AnAbsentTestIsUnknownOnlyWhereItIsAskedFor) {
  for (const bool asks : {false, true}) {
    std::vector<HostFacts> facts;
    for (auto& one : four()) facts.push_back(facts_of(std::move(one)));
    Hosts hosts = understood(std::move(facts), {});
    hosts.asks_pairs = hosts.asks_tests = asks;
    for (const char* const name : {"pair-mtu", "pair-paths", "clock-offset", "incast-ecn"}) {
      const Document found = examine(hosts, {find_check(name)}, {});
      EXPECT_EQ(found.checks.at(0).verdict, asks ? Verdict::unknown : Verdict::skip) << name;
    }
  }
}

/// A waived cause does not hide its symptom.
TEST(PairChecks, AWaiverOfTheCauseIsNoneOfTheSymptom) {
  auto hosts = four();
  hosts[1].files["bus/pci/devices/0000:11:00.0/current_link_width"] = "8";
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::slowly, true, false);
  Expectations wanted;
  wanted.waivers = {{"pcie-width", "a test"}};
  const Document found = judged(hosts, pairs, wanted);
  EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::fail);
}

}  // namespace
}  // namespace railgauge::doctor
