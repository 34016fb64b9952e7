#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "fabric_of_pairs.hpp"
#include "pairs/findings.hpp"
#include "pairs/judgement.hpp"
#include "pairs/map.hpp"

// What is found of mode connect.

namespace railgauge::pairs {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Finding;
using finding::Severity;
using results::PairFigures;
using results::PairRow;
using results::PairVerdict;
using Lines = std::vector<std::string>;

constexpr Limits kMayFail{.holds_line_rate = false, .cross_rail_may_fail = true};
constexpr Limits kHasToWork{.holds_line_rate = false};

// In Hosts(3, 2) the NICs are host 0 rail 0, host 0 rail 1, host 1 rail 0, ...
constexpr std::size_t kHost0Rail1 = 1;
constexpr std::size_t kHost1Rail1 = 3;

PairFigures works(double gigabytes_per_second = 10, double cpu_share = 1) {
  return {.alone = true, .cpu_share = cpu_share, .gigabytes_per_second = gigabytes_per_second};
}

PairFigures fails() {
  return {.reason = "nobody answered", .alone = true};
}

/// Every two NICs of different hosts, as `figures(from, to)` says, measured alone.
template <class Rule>
results::PairsBody filled(const Hosts& hosts, Rule figures) {
  results::PairsBody body;
  for (std::size_t from = 0; from < hosts.nics.size(); ++from) {
    for (std::size_t to = 0; to < hosts.nics.size(); ++to) {
      if (hosts.host_of[from] == hosts.host_of[to]) continue;
      body.rows.push_back({.from = hosts.end(from),
                           .to = hosts.end(to),
                           .same_rail = hosts.nics[from].rail == hosts.nics[to].rail,
                           .mode = "connect",
                           .figures = figures(from, to),
                           .alone = true});
    }
  }
  return body;
}

Lines texts(const std::vector<Finding>& findings) {
  Lines lines;
  for (const Finding& one : findings) lines.push_back(sentence(one));
  return lines;
}

std::vector<Finding> found(results::PairsBody body, const Limits& limits) {
  return judge(body, limits).findings;
}

Lines complaints(const results::PairsBody& body, const Limits& limits = kMayFail) {
  auto all = found(body, limits);
  std::erase_if(all, [](const Finding& one) { return one.certainty == Certainty::possible; });
  return texts(all);
}

Lines doubts(const results::PairsBody& body) {
  auto all = found(body, kMayFail);
  std::erase_if(all, [](const Finding& one) { return one.certainty != Certainty::possible; });
  return texts(all);
}

TEST(Connect, NothingIsFoundIfAllWorks) {
  const auto body = filled(Hosts(3, 2), [](auto, auto) { return works(); });
  EXPECT_EQ(complaints(body, kHasToWork), Lines{});
}

TEST(Connect, AHostThatLacksARailIsNamed) {
  Hosts hosts(3, 2);
  hosts.nics.pop_back();
  EXPECT_EQ(texts(findings_of_hosts(hosts.nics)),
            Lines{"host2 (rail 1): missing rail: 2 of 3 hosts have this rail; check whether a port "
                  "is down"});
}

/// Most are right: two hosts that agree lack nothing that a third has.
TEST(Connect, HostsThatAgreeAreNotAccused) {
  Hosts hosts(3, 3);
  std::erase_if(hosts.nics, [](const Nic& nic) { return nic.host != "host2" && nic.rail == 2; });
  const auto all = findings_of_hosts(hosts.nics);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::extra_nic);
  EXPECT_EQ(all[0].severity, Severity::warning);
  EXPECT_EQ(all[0].where.at.host, "host2");
}

/// Of two hosts neither is a majority; the one with fewer more likely has a port that is down.
TEST(Connect, OfTwoHostsTheOneWithFewerRailsIsNamed) {
  Hosts hosts(2, 2);
  hosts.nics.pop_back();
  const auto all = findings_of_hosts(hosts.nics);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::missing_rail);
  EXPECT_EQ(all[0].where.at.rail, 1);
  EXPECT_EQ(all[0].where.at.host, "host1");
}

TEST(Connect, APlaneThatIsDownIsNoMissingRail) {
  Hosts hosts(3, 2);
  for (Nic& nic : hosts.nics) nic.plane = std::exchange(nic.rail, 0);
  hosts.nics.pop_back();
  EXPECT_TRUE(findings_of_hosts(hosts.nics).empty());
}

TEST(Connect, BothEndsAndTheReasonAreNamed) {
  const auto body = filled(Hosts(3, 2), [](std::size_t from, std::size_t to) {
    return from == kHost0Rail1 && to == kHost1Rail1 ? fails() : works();
  });
  EXPECT_EQ(complaints(body),
            Lines{"host0 mlx5_1 (rail 1) -> host1 mlx5_1 (rail 1): unreachable: nobody answered; "
                  "check link state, routes and VLAN"});
  const auto all = found(body, kMayFail);
  EXPECT_EQ(all[0].where.peer->address, "10.1.0.2");
  EXPECT_EQ(all[0].evidence[0].rows_for, std::vector<std::uint64_t>{5});
}

TEST(Connect, ADeadNicIsNamedOnce) {
  const auto body = filled(Hosts(3, 2), [](std::size_t from, std::size_t to) {
    return from == kHost1Rail1 || to == kHost1Rail1 ? fails() : works();
  });
  EXPECT_EQ(complaints(body),
            Lines{"host1 mlx5_1 (rail 1): unreachable: in 4 of 4, nobody answered; check link "
                  "state, routes and VLAN"});
  EXPECT_EQ(complaints(body, kHasToWork),
            Lines{"host1 mlx5_1 (rail 1): unreachable: in 8 of 8, nobody answered; check link "
                  "state, routes and VLAN"});
}

/// A port that is dead in one direction: the other direction fails, too, for want of
/// acknowledgements.
results::PairsBody with_one_direction_dead(std::size_t nic, bool sends) {
  return filled(Hosts(4, 1), [=](std::size_t from, std::size_t to) {
    if (from != nic && to != nic) return works();
    PairFigures figures = fails();
    figures.arrives = (from == nic) != sends;
    return figures;
  });
}

TEST(Connect, APortThatIsDeadInOneDirectionIsNamedWithIt) {
  const std::string text =
      ": unreachable: in 3 of 3, nobody answered, worst to host0 mlx5_0 (rail 0); check link "
      "state, routes and VLAN";
  EXPECT_EQ(complaints(with_one_direction_dead(1, true)), Lines{"host1 mlx5_0 (rail 0) TX" + text});
  const auto all = found(with_one_direction_dead(1, false), kMayFail);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].where.direction, finding::Direction::receive);
  EXPECT_EQ(all[0].where.at.host, "host1");
  EXPECT_EQ(all[0].certainty, Certainty::confirmed);
}

TEST(Connect, OnlyTheDeadDirectionFailsAndTheOtherIsUnknown) {
  auto body = with_one_direction_dead(1, true);
  EXPECT_EQ(judge(body, kMayFail).coverage[0].tested, 9U);
  const auto map = map_of(body.rows, "connect");
  for (const PairRow& row : body.rows) {
    const bool dead = row.from.host == "host1";
    const bool back = row.to.host == "host1";
    EXPECT_EQ(row.verdict, dead   ? PairVerdict::fail
                           : back ? PairVerdict::unknown
                                  : PairVerdict::pass);
  }
  ASSERT_TRUE(map->at(1, 0));
  EXPECT_FALSE(map->at(1, 0)->works);
  EXPECT_FALSE(map->at(0, 1)) << "nothing is known of it";
}

TEST(Connect, OfTwoHostsTheDeadDirectionIsNamed) {
  const auto body = filled(Hosts(2, 1), [](std::size_t from, auto) {
    PairFigures figures = fails();
    figures.arrives = from == 0;
    return figures;
  });
  EXPECT_EQ(complaints(body),
            Lines{"host1 mlx5_0 (rail 0) -> host0 mlx5_0 (rail 0): unreachable: nobody answered; "
                  "check link state, routes and VLAN"});
}

/// Attempts that do not agree tell nothing.
TEST(Connect, ADirectionInWhichPacketsWereLostOnceIsNotExcused) {
  auto body = with_one_direction_dead(1, true);
  for (PairRow& row : body.rows) {
    if (row.to.host != "host1") continue;
    row.earlier.push_back(fails());
    row.earlier.back().arrives = false;
  }
  EXPECT_EQ(complaints(body),
            Lines{"host1 mlx5_0 (rail 0): unreachable: in 6 of 6, nobody answered; check link "
                  "state, routes and VLAN"});
}

TEST(Connect, TwoDeadNicsOfARailAreTwoFindings) {
  const auto body = filled(Hosts(4, 1), [](std::size_t from, std::size_t to) {
    return from < 2 || to < 2 ? fails() : works();
  });
  EXPECT_EQ(complaints(body).size(), 2U);
}

TEST(Connect, ANicThatReachesNoOtherRailIsNamedOnce) {
  const auto body = filled(Hosts(3, 2), [](std::size_t from, std::size_t to) {
    const bool crosses = from % 2 != to % 2;
    return crosses && (from == kHost1Rail1 || to == kHost1Rail1) ? fails() : works();
  });
  EXPECT_EQ(complaints(body), Lines{});
  EXPECT_EQ(complaints(body, kHasToWork),
            Lines{"host1 mlx5_1 (rail 1): unreachable from other rails: in 4 of 4, nobody "
                  "answered; check link state, routes and VLAN"});
}

TEST(Connect, OfTwoNicsNeitherIsBlamed) {
  const auto body = filled(Hosts(2, 1), [](auto, auto) { return fails(); });
  EXPECT_EQ(complaints(body).size(), 2U);
}

TEST(Connect, RailsMayBeSeparateUnlessTheyHaveToWork) {
  auto body = filled(Hosts(3, 2), [](std::size_t from, std::size_t to) {
    return from % 2 == to % 2 ? works() : fails();
  });
  EXPECT_EQ(complaints(body), Lines{});
  EXPECT_EQ(complaints(body, kHasToWork).size(), 6U);
  EXPECT_EQ(suspects(body.rows, kMayFail).size(), 0U) << "nothing is retested";
  EXPECT_EQ(suspects(body.rows, kHasToWork).size(), 12U);
  (void)judge(body, kMayFail);
  EXPECT_EQ(body.rows[1].verdict, PairVerdict::pass);
  EXPECT_EQ(body.rows[1].remark, "not required across rails");
}

TEST(Connect, SlowIsLessThanHalfOfTheMedian) {
  const auto with = [](double slow) {
    return filled(Hosts(3, 2), [=](std::size_t from, std::size_t to) {
      return works(from == kHost0Rail1 && to == kHost1Rail1 ? slow : 10);
    });
  };
  EXPECT_EQ(complaints(with(5)), Lines{});
  EXPECT_EQ(complaints(with(100)), Lines{});
  EXPECT_EQ(
      complaints(with(4.9)),
      Lines{"host0 mlx5_1 (rail 1) -> host1 mlx5_1 (rail 1): low bandwidth: bandwidth 4.9 "
            "GB/s, expected 10 GB/s (median of 11 fast pairs); check cable, transceiver and switch "
            "port"});
}

/// Whether it reaches the other is known of every pair.
TEST(Connect, TwoDirectionsAreComparedWithEachOther) {
  const auto with = [](double back) {
    return filled(Hosts(2, 1),
                  [=](std::size_t from, auto) { return works(from == 0 ? 10 : back); });
  };
  auto good = with(6);
  const auto report = judge(good, kMayFail);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.coverage[0].tested, 2U);
  EXPECT_EQ(complaints(with(4)).size(), 1U);
}

TEST(Connect, IsNotHeldToLineRate) {
  const auto body = filled(Hosts(3, 2), [](auto, auto) {
    PairFigures figures = works(10);
    figures.line_rate_percent = 20;
    return figures;
  });
  EXPECT_EQ(complaints(body, {}), Lines{});
}

TEST(Connect, PairsThatPerhapsAreNotSlowArePossiblySo) {
  const auto with = [](const PairFigures& one) {
    return filled(Hosts(3, 2), [one](std::size_t from, std::size_t to) {
      return from == kHost0Rail1 && to == kHost1Rail1 ? one : works();
    });
  };
  EXPECT_EQ(complaints(with(works(4, 0.5))), Lines{});
  EXPECT_EQ(
      doubts(with(works(4, 0.5))),
      Lines{"host0 mlx5_1 (rail 1) -> host1 mlx5_1 (rail 1): low bandwidth (possible): bandwidth 4 "
            "GB/s, expected 10 GB/s (median of 11 fast pairs); but the endpoint processes had a "
            "CPU for about 50 % of the time; retest on idle hosts"});
  EXPECT_EQ(doubts(with(works(2, 0.5))), Lines{}) << "it is slow";
  EXPECT_EQ(complaints(with(works(2, 0.5))).size(), 1U) << "it would have been, anyway";
  EXPECT_EQ(complaints(with(works(4.9, 0.96))).size(), 1U) << "a poll that is late now and then";
  EXPECT_EQ(doubts(with(works(6, 0.5))), Lines{}) << "it is not";
  EXPECT_EQ(doubts(with(works(4))), Lines{}) << "it is slow";
  EXPECT_EQ(doubts(with(fails())), Lines{});
}

/// A busy host is at one end of many pairs.
TEST(Connect, PossibleOnesAreNotToldWithoutEnd) {
  const auto body = filled(Hosts(6, 1), [](std::size_t from, std::size_t to) {
    return from == 0 || to == 0 ? works(4, 0.5) : works();
  });
  const auto all = found(body, kMayFail);
  ASSERT_EQ(all.size(), 8U);
  EXPECT_EQ(all.back().detail, "3 more pairs (connect)");
  EXPECT_EQ(all.back().evidence[0].rows_for.size(), 3U);
  EXPECT_EQ(all.back().certainty, Certainty::possible);
}

/// As in a fabric of two hosts, one of whose rails is slow.
TEST(Connect, WhereHalfAreSlowTheOthersAreNormal) {
  const auto body = filled(Hosts(2, 2), [](std::size_t from, std::size_t to) {
    return works(from % 2 == 1 && to % 2 == 1 ? 4 : 10);
  });
  EXPECT_EQ(complaints(body).size(), 2U);
}

TEST(Connect, APairIsComparedWithItsKind) {
  const auto body = filled(Hosts(3, 2), [](std::size_t from, std::size_t to) {
    return works(from % 2 == to % 2 ? 10 : 1);
  });
  EXPECT_EQ(complaints(body, kHasToWork), Lines{});
}

}  // namespace
}  // namespace railgauge::pairs
