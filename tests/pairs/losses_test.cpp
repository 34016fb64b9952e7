#include "pairs/losses.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace railgauge::pairs {
namespace {

using finding::Scope;
using results::Endpoint;

Endpoint nic(int host, int rail) {
  return {.host = "host" + std::to_string(host),
          .rail = rail,
          .device = "mlx5_" + std::to_string(rail)};
}

/// All pairs of two rails' NICs of different hosts; `across`: from one rail to the other, too.
/// `lost` says what a pair loses.
std::vector<PairLoss> pairs_of(
    int hosts, bool across,
    const std::function<int(const Endpoint& one, const Endpoint& other)>& lost) {
  std::vector<PairLoss> pairs;
  for (int one = 0; one < hosts; ++one) {
    for (int other = one + 1; other < hosts; ++other) {
      for (const int rail : {0, 1}) {
        for (const int other_rail : {0, 1}) {
          if (rail != other_rail && !across) continue;
          const Endpoint from = nic(one, rail);
          const Endpoint to = nic(other, other_rail);
          pairs.push_back({from, to, lost(from, to)});
        }
      }
    }
  }
  return pairs;
}

std::vector<std::string> places(const std::vector<PairLoss>& pairs) {
  std::vector<std::string> all;
  for (const finding::Finding& one : findings_of_losses(pairs, finding::Cause::packet_loss))
    all.push_back(std::string(word(one.where.scope)) + " " + key_of(one.where));
  return all;
}

using Names = std::vector<std::string>;

TEST(Losses, AreOfThePortAllOfWhosePairsHaveThem) {
  for (const bool across : {false, true}) {
    for (const int hosts : {3, 4, 5, 8, 13}) {
      const auto lost = [](const Endpoint& one, const Endpoint& other) {
        return one == nic(1, 1) || other == nic(1, 1) ? 20 : 0;
      };
      EXPECT_EQ(places(pairs_of(hosts, across, lost)), Names{"port host1 mlx5_1 (rail 1)"})
          << hosts;
    }
  }
}

TEST(Losses, AreOfAHostOrARailIfAllPairsThereHaveThem) {
  const auto of_host = [](const Endpoint& one, const Endpoint& other) {
    return one.host == "host2" || other.host == "host2" ? 20 : 0;
  };
  EXPECT_EQ(places(pairs_of(4, true, of_host)), Names{"host host2"});
  const auto of_rail = [](const Endpoint& one, const Endpoint& other) {
    return one.rail == 1 || other.rail == 1 ? 20 : 0;
  };
  EXPECT_EQ(places(pairs_of(4, false, of_rail)), Names{"rail rail 1"});
  EXPECT_EQ(places(pairs_of(4, true, of_rail)), Names{"rail rail 1"});
}

/// Hosts 0 and 1 are on one leaf of rail 1, the others on another: no port has all of it.
TEST(Losses, OfALinkBetweenSwitchesAccuseNoPort) {
  const auto lost = [](const Endpoint& one, const Endpoint& other) {
    const bool left = one.host == "host0" || one.host == "host1";
    const bool right = other.host != "host0" && other.host != "host1";
    return one.rail == 1 && other.rail == 1 && left && right ? 20 : 0;
  };
  const auto pairs = pairs_of(4, true, lost);
  const auto found = findings_of_losses(pairs, finding::Cause::packet_loss);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where.scope, Scope::fabric);
  EXPECT_EQ(found[0].evidence[0].against, 4U);
  EXPECT_EQ(found[0].evidence[0].of, pairs.size());
  EXPECT_EQ(found[0].evidence[0].observed, 80);
}

/// One host of ten lost a packet or two less.
TEST(Losses, OfFewPacketsMayMissAPair) {
  for (const int packets : {5, 50}) {
    const auto lost = [&](const Endpoint& one, const Endpoint& other) {
      if (one != nic(0, 1)) return 0;
      return other == nic(9, 1) ? 1 : packets;
    };
    const Names found = places(pairs_of(10, false, lost));
    EXPECT_EQ(found, packets == 5 ? Names{"port host0 mlx5_1 (rail 1)"} : Names{"fabric fabric"});
  }
}

TEST(Losses, OfOnePairAreThePaths) {
  const auto lost = [](const Endpoint& one, const Endpoint& other) {
    return one == nic(0, 0) && other == nic(3, 0) ? 20 : 0;
  };
  const auto found = findings_of_losses(pairs_of(4, false, lost), finding::Cause::corruption);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where.scope, Scope::path);
  EXPECT_EQ(found[0].where.peer->host, "host3");
  EXPECT_EQ(found[0].cause, finding::Cause::corruption);
  EXPECT_EQ(found[0].severity, finding::Severity::error);
}

TEST(Losses, OfTwoPortsAreBothTold) {
  const auto lost = [](const Endpoint& one, const Endpoint& other) {
    const auto is = [&](const Endpoint& nic) { return one == nic || other == nic; };
    return is(nic(1, 1)) || is(nic(4, 0)) ? 20 : 0;
  };
  EXPECT_EQ(places(pairs_of(6, false, lost)),
            (Names{"port host1 mlx5_1 (rail 1)", "port host4 mlx5_0 (rail 0)"}));
}

/// One or two are no evidence against a pair; that packets were lost is said all the same.
TEST(Losses, OfOneOrTwoPacketsAPairAreOfTheFabric) {
  const auto two = [](const auto&, const auto&) { return 2; };
  EXPECT_EQ(places(pairs_of(4, true, two)), Names{"fabric fabric"});
  EXPECT_EQ(places(pairs_of(4, true, [](const auto&, const auto&) { return 0; })),
            Names{"fabric fabric"});
  EXPECT_TRUE(places({}).empty());
}

}  // namespace
}  // namespace railgauge::pairs
