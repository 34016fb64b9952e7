#include <gtest/gtest.h>

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
                                  .to = {"node" + std::to_string(to), device}});
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

Examination judged(std::vector<topology::Recording> recordings, PairProbes pairs,
                   const Expectations& wanted = {}) {
  std::vector<HostFacts> facts;
  for (auto& one : recordings) facts.push_back(facts_of(std::move(one)));
  Hosts hosts = understood(std::move(facts), {});
  hosts.pairs = std::move(pairs);
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
  const Examination found = judged(four(), probes(4));
  EXPECT_EQ(troubles(found), "");
  EXPECT_EQ(outcome(found.report), finding::Outcome::pass);
  EXPECT_TRUE(found.report.findings.empty());
}

/// The switch port has another MTU: the host's own is that of the others.
TEST(PairChecks, LargePacketsThatArePortsLoseAreItsSwitchs) {
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::lost_large_packets, true, false);
  const Examination found = judged(four(), pairs);
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
  const Examination without = judged(hosts, probes(4));
  EXPECT_EQ(outcome(without.report), finding::Outcome::pass);  // a warning
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::lost_large_packets, true, true);
  const Examination found = judged(hosts, pairs);
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
  const Examination found = judged(hosts, pairs);
  ASSERT_EQ(found.report.findings.size(), 1U) << troubles(found);
  EXPECT_EQ(found.report.findings[0].check, "pcie-width");
  EXPECT_NE(sentence(found.report.findings[0]).find("pair-speed: number of slow paths is 3 of 3"),
            std::string::npos);
  const Examination alone = judged(four(), pairs);
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
  const Examination found = judged(hosts, pairs);
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
  const Examination found = judged(four(), pairs);
  ASSERT_EQ(found.report.findings.size(), 1U) << troubles(found);
  EXPECT_EQ(found.report.findings[0].check, "pair-mtu");
}

/// What a busy host may explain, and what two hosts cannot tell.
TEST(PairChecks, NobodyIsAccusedOfWhatIsNotSure) {
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::slowly, true, true, false);
  const Examination busy = judged(four(), pairs);
  EXPECT_TRUE(busy.report.findings.empty());
  EXPECT_EQ(outcome(busy.report), finding::Outcome::inconclusive);
  PairProbes two = probes(2);
  spoil(two, kSecond, Did::nothing, true, false);
  const Examination found = judged(fleet(machine("mlx5"), 2), two);
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
  const Examination found = judged(four(), probes(5));
  EXPECT_EQ(summary_of(found, "pair-hosts").remarks.at(0).text, "no recording of node5");
  EXPECT_EQ(outcome(found.report), finding::Outcome::inconclusive);
}

/// A waived cause does not hide its symptom.
TEST(PairChecks, AWaiverOfTheCauseIsNoneOfTheSymptom) {
  auto hosts = four();
  hosts[1].files["bus/pci/devices/0000:11:00.0/current_link_width"] = "8";
  PairProbes pairs = probes(4);
  spoil(pairs, kSecond, Did::slowly, true, false);
  Expectations wanted;
  wanted.waivers = {{"pcie-width", "a test"}};
  const Examination found = judged(hosts, pairs, wanted);
  EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::fail);
}

}  // namespace
}  // namespace railgauge::doctor
