#include "pairs/judgement.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fabric_of_pairs.hpp"
#include "pairs/scale.hpp"
#include "pairs/speed.hpp"

namespace railgauge::pairs {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Finding;
using finding::Outcome;
using finding::Report;
using finding::Scope;
using finding::Severity;
using results::PairFigures;
using results::PairRow;
using results::PairsBody;
using results::PairVerdict;

constexpr double kHealthy = 48;  // of 50 GB/s

PairsBody healthy() {
  return {.rows = Hosts(4, 2).rows(kHealthy)};
}

void set_speed(PairRow& row, double gigabytes_per_second, bool alone) {
  set_bandwidth(row.figures, gigabytes_per_second);
  row.alone = alone;
}

void break_row(PairRow& row) {
  row.figures = {.reason = "RETRY_EXC_ERR"};
}

bool is_of(const PairRow& row, const std::string& host, int rail) {
  return row.from.host == host && row.from.rail == rail;
}

std::size_t count(const PairsBody& body, PairVerdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(body.rows, verdict, &PairRow::verdict));
}

/// Of the report: what is sure to be wrong, what may be, and what is only told.
using Texts = std::vector<std::string>;

Texts texts_of(const std::vector<Finding>& findings, auto is_asked) {
  Texts texts;
  for (const Finding& one : findings) {
    if (is_asked(one)) texts.push_back(sentence(one));
  }
  return texts;
}

Texts errors(const Report& report) {
  return texts_of(report.findings, [](const Finding& one) {
    return one.severity == Severity::error && one.certainty == Certainty::confirmed;
  });
}

Texts doubts(const Report& report) {
  return texts_of(report.findings,
                  [](const Finding& one) { return one.certainty == Certainty::possible; });
}

Texts warnings(const Report& report) {
  return texts_of(report.findings,
                  [](const Finding& one) { return one.severity == Severity::warning; });
}

bool says(const Texts& texts, const std::string& words) {
  return std::ranges::any_of(
      texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

/// With the rows that were not tested.
Outcome outcome_of(PairsBody& body, const Limits& limits = {}) {
  return outcome(judge(body, limits));
}

TEST(Judgement, AHealthyFabricPassesInSilence) {
  PairsBody body = healthy();
  EXPECT_TRUE(suspects(body.rows, {}).empty());
  const Report report = judge(body, {});
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(outcome(report), Outcome::pass);
  EXPECT_EQ(count(body, PairVerdict::pass), body.rows.size());
  ASSERT_EQ(body.summary.size(), 1U);
  EXPECT_EQ(body.summary[0].measured, 24U);
  EXPECT_EQ(body.summary[0].median_gigabytes_per_second, kHealthy);
}

/// A NIC of a quarter of the others' rate is held to its own link.
TEST(Judgement, NicsThatAreSlowerByDesignPass) {
  PairsBody body = healthy();
  const auto has_slow_link = [](const PairRow& row) {
    return is_of(row, "host1", 0) || (row.to.host == "host1" && row.to.rail == 0);
  };
  for (PairRow& row : body.rows) {
    if (has_slow_link(row)) row.figures.gigabytes_per_second = kHealthy / 4;
  }
  EXPECT_TRUE(suspects(body.rows, {}).empty());
  EXPECT_TRUE(judge(body, {}).findings.empty());

  const auto slow = std::ranges::find_if(body.rows, has_slow_link);
  slow->figures.gigabytes_per_second = kHealthy / 8;
  slow->figures.line_rate_percent = 48;
  slow->alone = true;
  const Report report = judge(body, {.line_rate_percent = 10});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(says(errors(report),
                   "bandwidth 6 GB/s, expected 12 GB/s (median of 23 fast pairs, "
                   "scaled to the slower link)"));
}

/// An attempt alone with a process descheduled convicts nobody; one in which all ran does.
TEST(Judgement, ASlowPairIsUnknownIfAProcessWasDescheduledWheneverItWasAlone) {
  constexpr const char* kDescheduled = "the process on host1 was descheduled for 90 ms";
  const auto attempt = [&](const char* descheduled) {
    return PairFigures{
        .descheduled = descheduled, .gigabytes_per_second = 20, .line_rate_percent = 40};
  };
  PairsBody body = healthy();
  set_speed(body.rows[3], 24, false);
  add_attempt(body.rows[3], attempt(kDescheduled), true);
  const Report report = judge(body, {});
  EXPECT_EQ(body.rows[3].verdict, PairVerdict::unknown);
  EXPECT_TRUE(says({body.rows[3].remark}, kDescheduled));
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].certainty, Certainty::possible);
  EXPECT_EQ(report.findings[0].excuses, Texts{kDescheduled});
  EXPECT_EQ(outcome(report), Outcome::inconclusive);

  add_attempt(body.rows[3], attempt(""), true);
  EXPECT_EQ(outcome_of(body), Outcome::fail);
  EXPECT_EQ(body.rows[3].verdict, PairVerdict::fail);
}

/// Of 100 ms; half of the median takes a stall of a quarter of that.
TEST(Judgement, AStallExcusesARateThatItExplains) {
  const auto verdict_of = [](double gigabytes_per_second, double descheduled_ms) {
    PairsBody body = healthy();
    set_speed(body.rows[3], 10, false);
    add_attempt(body.rows[3],
                {.descheduled = "the process on host1 was descheduled",
                 .descheduled_ms = descheduled_ms,
                 .gigabytes_per_second = gigabytes_per_second,
                 .line_rate_percent = 2 * gigabytes_per_second,
                 .seconds = 0.1},
                true);
    (void)judge(body, {});
    return body.rows[3].verdict;
  };
  EXPECT_EQ(verdict_of(24, 26), PairVerdict::unknown);
  EXPECT_EQ(verdict_of(24, 21), PairVerdict::fail) << "slow anyway";
  EXPECT_EQ(verdict_of(0.1, 26), PairVerdict::fail) << "slow by far more than the stall";
}

/// Other programs had the rest of the time.
TEST(Judgement, ASlowPairIsUnknownIfItWouldBeFastWithACpuAllTheTime) {
  const auto attempt = [](double gigabytes_per_second, double cpu_share) {
    return PairFigures{.cpu_share = cpu_share,
                       .gigabytes_per_second = gigabytes_per_second,
                       .line_rate_percent = 2 * gigabytes_per_second};
  };
  const auto verdict_of = [&](double gigabytes_per_second, double cpu_share) {
    PairsBody body = healthy();
    set_speed(body.rows[3], 10, false);
    add_attempt(body.rows[3], attempt(gigabytes_per_second, cpu_share), true);
    const Report report = judge(body, {});
    EXPECT_EQ(says(doubts(report), "had a CPU for about"),
              body.rows[3].verdict == PairVerdict::unknown);
    return body.rows[3].verdict;
  };
  EXPECT_EQ(verdict_of(24, 0.5), PairVerdict::unknown);
  EXPECT_EQ(verdict_of(24, 1), PairVerdict::fail);
  EXPECT_EQ(verdict_of(24, 0.96), PairVerdict::fail);
  EXPECT_EQ(verdict_of(16, 0.5), PairVerdict::fail) << "slow anyway";
}

/// The share is an estimate: one attempt that would be fast is worth more than one that would not,
/// unless that one's ends ran all the time.
TEST(Judgement, ASlowPairIsConvictedByAnEstimateOnlyIfNoOtherSpeaksForIt) {
  const auto verdict_of = [&](std::initializer_list<std::pair<double, double>> attempts) {
    PairsBody body = healthy();
    set_speed(body.rows[3], 3, false);
    for (const auto& [gigabytes_per_second, cpu_share] : attempts) {
      add_attempt(body.rows[3],
                  {.cpu_share = cpu_share,
                   .gigabytes_per_second = gigabytes_per_second,
                   .line_rate_percent = 2 * gigabytes_per_second},
                  true);
    }
    (void)judge(body, {});
    return body.rows[3].verdict;
  };
  EXPECT_EQ(verdict_of({{24, 0.4}, {9, 0.55}}), PairVerdict::unknown);
  EXPECT_EQ(verdict_of({{9, 0.55}, {24, 0.4}}), PairVerdict::unknown);
  EXPECT_EQ(verdict_of({{24, 0.4}, {9, 1}}), PairVerdict::fail);
  EXPECT_EQ(verdict_of({{9, 0.5}, {9, 0.55}}), PairVerdict::fail);
}

/// Whichever attempts: one that was not disturbed is enough for a pair that never worked.
TEST(Judgement, APairThatFailedIsUnknownIfAProcessWasDescheduledInEveryAttempt) {
  const auto failure = [](const char* descheduled) {
    return PairFigures{.reason = "nothing was acknowledged for 3 s", .descheduled = descheduled};
  };
  PairsBody body = healthy();
  body.rows[3].figures = failure("the process on host1 was descheduled for 4000 ms");
  const Report report = judge(body, {});
  EXPECT_TRUE(says(doubts(report),
                   "unreachable (possible): nothing was acknowledged for 3 s; but "
                   "the process on host1 was descheduled for 4000 ms"));
  EXPECT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(body.rows[3].verdict, PairVerdict::unknown);
  EXPECT_EQ(suspects(body.rows, {}), std::vector<std::size_t>{3});

  add_attempt(body.rows[3], failure(""), true);
  const Report convicted = judge(body, {});
  EXPECT_EQ(body.rows[3].verdict, PairVerdict::fail);
  EXPECT_EQ(convicted.findings.size(), 1U);
  EXPECT_EQ(convicted.findings[0].cause, Cause::unreachable);
  EXPECT_EQ(errors(convicted).size(), 1U);
}

TEST(Judgement, OneSlowPairIsPossiblySlowUntilItWasAlone) {
  PairsBody body = healthy();
  set_speed(body.rows[3], 24, false);
  EXPECT_EQ(suspects(body.rows, {}), std::vector<std::size_t>{3});
  const Report suspect = judge(body, {});
  ASSERT_EQ(suspect.findings.size(), 1U);
  EXPECT_TRUE(says(doubts(suspect), "; but not retested; retest with more --retries"));
  EXPECT_EQ(outcome(suspect), Outcome::inconclusive);
  EXPECT_EQ(body.rows[3].verdict, PairVerdict::unknown);

  body.rows[3].alone = true;
  const Report report = judge(body, {});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(errors(report),
            Texts{"host0 mlx5_1 (rail 1) -> host1 mlx5_1 (rail 1): low bandwidth: bandwidth 24 "
                  "GB/s, expected 45 GB/s (90 % of line rate); check cable, transceiver and switch "
                  "port"});
  EXPECT_EQ(report.findings[0].evidence[0].rows_for, std::vector<std::uint64_t>{3});
  EXPECT_EQ(body.rows[3].remark, "bandwidth 24 GB/s, expected 45 GB/s (90 % of line rate)");
  EXPECT_EQ(outcome(report), Outcome::fail);
  EXPECT_EQ(count(body, PairVerdict::fail), 1U);
}

TEST(Judgement, ASuspectThatIsWellAlonePassesAndItsFirstFiguresStay) {
  PairsBody body = healthy();
  set_speed(body.rows[3], 24, false);
  add_attempt(body.rows[3], body.rows[0].figures, true);
  EXPECT_EQ(outcome_of(body), Outcome::pass);
  EXPECT_EQ(count(body, PairVerdict::pass), body.rows.size());
  ASSERT_EQ(body.rows[3].earlier.size(), 1U);
  EXPECT_EQ(body.rows[3].earlier[0].gigabytes_per_second, 24);
}

TEST(Judgement, WhatIsFasterAloneDoesNotMakeOthersLookSlow) {
  const Limits limits{.holds_line_rate = false};
  PairsBody body = healthy();
  for (std::size_t at = 0; at < 20; ++at) {
    PairFigures faster = body.rows[at].figures;
    set_bandwidth(faster, 10 * kHealthy);
    add_attempt(body.rows[at], faster, true);
  }
  body.rows[21].alone = true;
  EXPECT_TRUE(suspects(body.rows, limits).empty());
  EXPECT_TRUE(judge(body, limits).findings.empty());
}

/// And the median that is told is the one that they are held to: what is below half of it fails.
TEST(Judgement, TheSummaryHasTheMedianThatPairsAreHeldTo) {
  const Limits limits{.median_share = 0.5, .holds_line_rate = false};
  for (const double speed : {0.52 * kHealthy, 0.48 * kHealthy}) {
    PairsBody body = healthy();
    for (std::size_t at = 0; at < 20; ++at) {
      PairFigures faster = body.rows[at].figures;
      set_bandwidth(faster, 10 * kHealthy);
      add_attempt(body.rows[at], faster, true);
    }
    set_speed(body.rows[21], speed, true);
    const Report report = judge(body, limits);
    EXPECT_EQ(body.summary[0].median_gigabytes_per_second, kHealthy);
    EXPECT_EQ(body.summary[0].slowest_gigabytes_per_second, speed);
    const bool slow = speed < limits.median_share * *body.summary[0].median_gigabytes_per_second;
    EXPECT_EQ(body.rows[21].verdict, slow ? PairVerdict::fail : PairVerdict::pass);
    EXPECT_EQ(says(errors(report), "expected 48 GB/s (median of "), slow);
  }
}

/// The first attempt is then the one that counts, and the worse one was made alone.
TEST(Judgement, WhatIsSlowerAloneDoesNotMakeOthersLookFast) {
  PairsBody body = healthy();
  for (std::size_t at = 0; at < 20; ++at) {
    PairFigures slower = body.rows[at].figures;
    set_bandwidth(slower, kHealthy / 4);
    add_attempt(body.rows[at], slower, true);
  }
  (void)judge(body, {.holds_line_rate = false});
  EXPECT_EQ(body.summary[0].median_gigabytes_per_second, kHealthy);
}

TEST(Judgement, AWorseAttemptDoesNotCount) {
  PairRow row = healthy().rows.front();
  add_attempt(row, {.reason = "RETRY_EXC_ERR"}, true);
  EXPECT_EQ(row.figures.gigabytes_per_second, kHealthy);
  ASSERT_EQ(row.earlier.size(), 1U);
  EXPECT_EQ(row.earlier[0].reason, "RETRY_EXC_ERR");
}

TEST(Judgement, AFabricThatIsSlowEverywhereIsHeldToItsLine) {
  PairsBody body{.rows = Hosts(4, 2).rows(40)};
  EXPECT_EQ(suspects(body.rows, {}).size(), body.rows.size());
  // Devices that have no line are compared with each other only.
  EXPECT_TRUE(suspects(body.rows, {.holds_line_rate = false}).empty());
}

TEST(Judgement, TwoPairsWithoutALineHaveNothingToBeComparedWith) {
  PairsBody body{.rows = Hosts(2, 1).rows(10)};
  const Report report = judge(body, {.holds_line_rate = false});
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(count(body, PairVerdict::unknown), 2U);
  ASSERT_EQ(report.coverage.size(), 1U);
  EXPECT_EQ(report.coverage[0].planned, 2U);
  EXPECT_EQ(report.coverage[0].tested, 0U);
  EXPECT_EQ(report.coverage[0].skipped, Texts{kNothingToCompare});
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
}

/// A driver that does not know a link's speed tells a lower one; a broken cable would pass.
TEST(Judgement, WhatIsFasterThanItsLineIsUnknownAndHoldsNobodyToThatLine) {
  PairsBody body{.rows = Hosts(4, 1).rows(kHealthy)};
  for (PairRow& row : body.rows) row.figures.line_rate_percent = 960;  // of 40 Gb/s
  set_speed(body.rows[0], 4.8, true);
  body.rows[0].figures.line_rate_percent = 96;
  const Report report = judge(body, {});
  EXPECT_EQ(count(body, PairVerdict::pass), 0U);
  EXPECT_EQ(body.rows[0].verdict, PairVerdict::fail) << body.rows[0].remark;
  EXPECT_EQ(body.rows[1].verdict, PairVerdict::unknown);
  EXPECT_NE(body.rows[1].remark.find(kSpeedUnknown), std::string::npos) << body.rows[1].remark;
  EXPECT_EQ(report.coverage.at(0).skipped, Texts{kSpeedUnknown});
  EXPECT_EQ(report.coverage.at(0).tested, 1U);
}

TEST(Judgement, TheLineMayBeExceededByRounding) {
  PairsBody body{.rows = Hosts(4, 1).rows(kLineRate * 1.02)};
  EXPECT_EQ(outcome(judge(body, {})), Outcome::pass);
  for (PairRow& row : body.rows) row.figures.line_rate_percent = 103;
  EXPECT_EQ(outcome(judge(body, {})), Outcome::inconclusive);
  EXPECT_EQ(outcome(judge(body, {.holds_line_rate = false})), Outcome::pass) << "of software";
}

TEST(Judgement, ANicThatIsDeadIsNamedOnce) {
  PairsBody body = healthy();
  for (PairRow& row : body.rows) {
    if (is_of(row, "host1", 1) || (row.to.host == "host1" && row.to.rail == 1)) break_row(row);
  }
  const Report report = judge(body, {});
  EXPECT_EQ(errors(report), Texts{"host1 mlx5_1 (rail 1): unreachable: in 6 of 6, RETRY_EXC_ERR; "
                                  "check link state, routes and VLAN"});
  EXPECT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(body.summary[0].finished, 18U);
}

TEST(Judgement, ANicThatSendsSlowlyIsNamedOnceAndThoseThatReceiveAreNot) {
  PairsBody body = healthy();
  for (PairRow& row : body.rows) {
    if (is_of(row, "host2", 0)) set_speed(row, 20, true);
  }
  const Report report = judge(body, {});
  ASSERT_EQ(report.findings.size(), 1U);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.cause, Cause::bandwidth);
  EXPECT_EQ(finding.where.scope, Scope::port);
  EXPECT_EQ(finding.where.direction, Direction::transmit);
  EXPECT_EQ(finding.evidence[0].rows_for.size(), 3U);
  EXPECT_TRUE(says(errors(report),
                   "host2 mlx5_0 (rail 0) TX: low bandwidth: bandwidth 20 GB/s, expected 45 GB/s "
                   "(90 % of line rate), in 3 of 3, worst to host0 mlx5_0 (rail 0)"));
}

TEST(Judgement, ANicThatReceivesSlowlyIsNamedOnce) {
  PairsBody body = healthy();
  for (PairRow& row : body.rows) {
    if (row.to.host == "host2" && row.to.rail == 0) set_speed(row, 20, true);
  }
  const Report report = judge(body, {});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].where.direction, Direction::receive);
}

/// Half of a round trip has both directions in it.
TEST(Judgement, ANicOfHighLatencyIsNamedOnceForBothDirections) {
  PairsBody body = healthy();
  for (PairRow& row : body.rows) {
    const bool of_it = is_of(row, "host2", 0) || (row.to.host == "host2" && row.to.rail == 0);
    row.mode = "write";
    row.figures = {.time = measure::Summary{.n = 10, .p50_us = of_it ? 1500.0 : 80.0}};
    row.alone = of_it;
  }
  const Report report = judge(body, {});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].cause, Cause::latency);
  EXPECT_EQ(report.findings[0].where.direction, Direction::both);
  EXPECT_EQ(report.findings[0].evidence[0].rows_for.size(), 6U);
}

/// A busy cluster has thousands; rows have all of them.
TEST(Judgement, OfManySuspectsTheWorstAreToldOneByOne) {
  PairsBody body = healthy();
  for (std::size_t at = 0; at < body.rows.size(); at += 2) set_speed(body.rows[at], 24, false);
  const Report report = judge(body, {});
  EXPECT_EQ(report.findings.size(), 8U);
  EXPECT_EQ(doubts(report).size(), 8U);
  EXPECT_TRUE(
      says(doubts(report), "fabric: 5 more pairs (bandwidth) (possible); but not retested"));
  EXPECT_EQ(report.findings.back().evidence[0].rows_for.size(), 5U);
}

TEST(Judgement, OfManySuspectsOfOneNicTwoThatWereAloneAreEnough) {
  PairsBody body = healthy();
  int alone = 0;
  for (PairRow& row : body.rows) {
    if (is_of(row, "host2", 0)) set_speed(row, 20, alone++ < 2);
  }
  const Report report = judge(body, {});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(says(errors(report), "host2 mlx5_0 (rail 0) TX: low bandwidth"));
  EXPECT_EQ(report.findings[0].evidence[0].against, 3U);
  EXPECT_EQ(count(body, PairVerdict::unknown), 1U);
}

TEST(Judgement, LatenciesAreComparedTheOtherWayRound) {
  PairsBody body = healthy();
  for (PairRow& row : body.rows) {
    row.mode = "write";
    row.figures = {.time = measure::Summary{.n = 10, .p50_us = 2}};
  }
  EXPECT_TRUE(suspects(body.rows, {}).empty());
  body.rows[5].figures.time->p50_us = 1;  // faster is no fault
  EXPECT_TRUE(suspects(body.rows, {}).empty());
  body.rows[7].figures.time->p50_us = 3;
  body.rows[7].alone = true;
  EXPECT_EQ(suspects(body.rows, {}), std::vector<std::size_t>{7});
  const Report report = judge(body, {});
  EXPECT_TRUE(
      says(errors(report), "high latency: write latency 3 us, expected 2 us (median of 24"));
  EXPECT_EQ(body.summary[0].slowest_us, 3);
}

TEST(Judgement, PairsAcrossRailsAreAKindOfTheirOwn) {
  PairsBody body = healthy();
  for (std::size_t at = 0; at < 8; ++at) {
    body.rows[at].same_rail = false;
    set_speed(body.rows[at], 46, false);
  }
  EXPECT_TRUE(suspects(body.rows, {.line_rate_percent = 90, .median_share = 0.99}).empty());
  EXPECT_TRUE(judge(body, {}).findings.empty());
  EXPECT_EQ(body.summary.size(), 2U);
}

/// Latencies on three hosts of a leaf each and their neighbours: 6 of 24 paths over one switch.
PairsBody near_and_far(double near_us, double far_us) {
  PairsBody body = healthy();
  for (std::size_t at = 0; at < body.rows.size(); ++at) {
    body.rows[at].mode = "write";
    body.rows[at].switches = at < 6 ? 1 : 3;
    body.rows[at].figures = {.time =
                                 measure::Summary{.n = 10, .p50_us = at < 6 ? near_us : far_us}};
  }
  return body;
}

TEST(Judgement, PairsAreHeldToThoseOverAsManySwitches) {
  PairsBody body = near_and_far(1, 2);
  EXPECT_TRUE(suspects(body.rows, {}).empty());
  EXPECT_TRUE(judge(body, {}).findings.empty());
  EXPECT_EQ(count(body, PairVerdict::pass), body.rows.size());

  body.rows[2].figures.time->p50_us = 2;  // no slower than most, which have further to go
  body.rows[2].alone = true;
  EXPECT_EQ(suspects(body.rows, {}), std::vector<std::size_t>{2});
  EXPECT_TRUE(says(errors(judge(body, {})),
                   "write latency 2 us, expected 1 us (median of 5 fast pairs over 1 switch)"));
}

/// Which is no fault of a fabric that works: a warning.
TEST(Judgement, PairsThatFailedOnceAreTold) {
  PairsBody body = healthy();
  EXPECT_TRUE(judge(body, {}).findings.empty());
  PairFigures works = body.rows[3].figures;
  break_row(body.rows[3]);
  const std::string reason = body.rows[3].figures.reason;
  add_attempt(body.rows[3], works, true);
  const Report one = judge(body, {});
  ASSERT_EQ(one.findings.size(), 1U);
  EXPECT_TRUE(says(warnings(one), "failed intermittently (bandwidth): " + reason));
  EXPECT_EQ(outcome(one), Outcome::pass);
  body.rows[7].repetitions = {kHealthy, 0, kHealthy};
  EXPECT_TRUE(
      says(warnings(judge(body, {})), "failed intermittently (bandwidth), and 1 more pair"));
  EXPECT_EQ(outcome_of(body), Outcome::pass);
  break_row(body.rows[3]);  // that is an error
  const Report broken = judge(body, {});
  EXPECT_EQ(warnings(broken).size(), 1U);
  EXPECT_EQ(errors(broken).size(), 1U);
}

/// Of 24 paths over three switches: so many of a slow spine, the others as fast as they should be.
PairsBody over_spines(std::size_t slow, const std::string& mode) {
  PairsBody body = healthy();
  for (std::size_t at = 0; at < body.rows.size(); ++at) {
    PairRow& row = body.rows[at];
    row.mode = mode;
    row.switches = 3;
    row.alone = at < slow;
    const double speed = at < slow ? 6 : 48;
    row.figures = {};
    if (mode == "bandwidth") set_bandwidth(row.figures, speed);
    if (mode != "bandwidth") row.figures.time = measure::Summary{.n = 10, .p50_us = 96 / speed};
  }
  return body;
}

TEST(Judgement, AMajorityOfSlowPairsIsHeldToTheFastOnes) {
  const Limits limits{.median_share = 0.3, .holds_line_rate = false};
  for (const char* mode : {"bandwidth", "write"}) {
    for (const std::size_t slow : {std::size_t{0}, std::size_t{13}, std::size_t{20}}) {
      PairsBody body = over_spines(slow, mode);
      ASSERT_EQ(body.rows.size(), 24U);
      (void)judge(body, limits);
      EXPECT_EQ(count(body, PairVerdict::fail), slow) << mode;
      EXPECT_EQ(body.summary[0].median_gigabytes_per_second.value_or(48), 48) << "held to";
      EXPECT_EQ(body.summary[0].median_us.value_or(2), 2) << "held to";
    }
  }
}

/// From 38 to 50 GB/s: the median of all is 44, and of those that reach 80 % of 49 no other.
TEST(Judgement, AWideSpreadIsHealthy) {
  PairsBody body = over_spines(0, "bandwidth");
  for (std::size_t at = 0; at < body.rows.size(); ++at)
    set_bandwidth(body.rows[at].figures, 38.5 + static_cast<double>(at) / 2);
  EXPECT_TRUE(suspects(body.rows, {.holds_line_rate = false}).empty());
  (void)judge(body, {.holds_line_rate = false});
  EXPECT_NEAR(*body.summary[0].median_gigabytes_per_second, 44.5, 0.51);
}

/// One pair that is faster than all others proves nothing.
TEST(Judgement, OneFastPairMakesNoOtherSlow) {
  PairsBody body = over_spines(0, "bandwidth");
  set_bandwidth(body.rows[3].figures, 96);
  EXPECT_TRUE(suspects(body.rows, {.holds_line_rate = false}).empty());
}

/// A quarter of all latencies is of neighbours: of others nobody knows that they go further.
TEST(Judgement, LatenciesOverUnknownSwitchesAreHeldToAll) {
  PairsBody body = near_and_far(1, 2);
  for (const std::optional<int> unknown : {std::optional<int>{}, std::optional<int>{0}}) {
    for (PairRow& row : body.rows) row.switches = unknown;
    EXPECT_TRUE(suspects(body.rows, {}).empty());
    (void)judge(body, {});
    EXPECT_EQ(body.summary[0].median_us, 2);
  }
}

/// Which they would not pass if all were compared with each other.
TEST(Judgement, FarPairsAreNotSlowWhereMostAreNear) {
  PairsBody body = near_and_far(2, 1);
  EXPECT_TRUE(suspects(body.rows, {}).empty());
  for (PairRow& row : body.rows) row.switches.reset();
  EXPECT_EQ(suspects(body.rows, {}).size(), 6U);
}

TEST(Judgement, TooFewOverAsManySwitchesAreHeldToAllOfTheirKind) {
  PairsBody body = near_and_far(2, 2);
  for (std::size_t at = normal::kLeastOfCohort - 1; at < 6; ++at) body.rows[at].switches = 3;
  body.rows[0].figures.time->p50_us = 4;
  body.rows[0].alone = true;
  EXPECT_EQ(suspects(body.rows, {}), std::vector<std::size_t>{0});
  const Report report = judge(body, {});
  EXPECT_TRUE(says(errors(report), "4 us, expected 2 us (median of 24 pairs)"));
  ASSERT_EQ(body.summary[0].by_switches.size(), 1U);
  EXPECT_EQ(body.summary[0].by_switches[0].measured, 21U);
}

TEST(Judgement, TheSummaryHasAMedianForEachNumberOfSwitches) {
  PairsBody body = near_and_far(1, 2);
  body.rows[7].figures.time->p50_us = 2.25;
  (void)judge(body, {});
  ASSERT_EQ(body.summary.size(), 1U);
  EXPECT_EQ(body.summary[0].median_us, 2);
  ASSERT_EQ(body.summary[0].by_switches.size(), 2U);
  const auto& near = body.summary[0].by_switches[0];
  EXPECT_EQ(near.switches, 1);
  EXPECT_EQ(near.measured, 6U);
  EXPECT_EQ(near.median_us, 1);
  EXPECT_EQ(body.summary[0].by_switches[1].median_us, 2);
  EXPECT_EQ(body.summary[0].by_switches[1].slowest_us, 2.25);
}

/// Latency grows with every switch; bandwidth does not, and pairs are held to their like only.
TEST(Judgement, BandwidthThatIsLessOverMoreSwitchesIsAWarning) {
  const Limits limits{.holds_line_rate = false};
  PairsBody body = healthy();
  for (std::size_t at = 0; at < body.rows.size(); ++at) body.rows[at].switches = at < 6 ? 1 : 3;
  EXPECT_TRUE(judge(body, limits).findings.empty());
  for (std::size_t at = 6; at < body.rows.size(); ++at) set_speed(body.rows[at], 24, false);
  const Report report = judge(body, limits);
  EXPECT_EQ(warnings(report),
            Texts{"fabric: low bandwidth over 3 switches: median bandwidth 24 GB/s, expected 48 "
                  "GB/s (median of pairs over 1 switch); check links between switches for speed "
                  "and oversubscription"});
  EXPECT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(outcome(report), Outcome::pass);
}

TEST(Judgement, FailedPairsComeBeforeSlowOnes) {
  PairsBody body = healthy();
  set_speed(body.rows[1], 40, false);
  break_row(body.rows[9]);
  set_speed(body.rows[4], 10, false);
  EXPECT_EQ(suspects(body.rows, {}), (std::vector<std::size_t>{9, 4, 1}));
}

TEST(Judgement, OfRepetitionsTheMedianCounts) {
  PairRow row{.mode = "bandwidth"};
  std::vector<PairFigures> repetitions(3);
  repetitions[0].gigabytes_per_second = 30;
  repetitions[1].reason = "it broke";
  repetitions[2].gigabytes_per_second = 20;
  set_repetitions(row, repetitions);
  EXPECT_EQ(row.figures.gigabytes_per_second, 20);
  EXPECT_EQ(row.repetitions, (std::vector<double>{30, 0, 20}));
}

TEST(Limits, StandInRowsAndSummary) {
  struct Case {
    Limits limits;
    std::string summary;
  };
  const std::vector<Case> cases{
      {{}, "90 % of line rate, 80 % of the median"},
      {{.median_share = 0.3, .holds_line_rate = false}, "30 % of the median"},
      {{.line_rate_percent = 70, .median_share = 0.5}, "70 % of line rate, 50 % of the median"}};
  for (const Case& one : cases) {
    PairsBody body = healthy();
    (void)judge(body, one.limits);
    EXPECT_EQ(body.summary.at(0).limit, one.summary);
    EXPECT_EQ(body.rows.at(0).limit, one.summary + " of 24 fast pairs");
  }
}

TEST(Limits, OfLatencyAreTheInverse) {
  PairsBody body = healthy();
  for (PairRow& row : body.rows) {
    row.mode = "write";
    row.figures = {.time = measure::Summary{.p50_us = 2}};
  }
  (void)judge(body, {.median_share = 0.5});
  EXPECT_EQ(body.summary.at(0).limit, "200 % of the median");
}

TEST(Limits, AreNoneWhereNothingCanBeCompared) {
  PairsBody body{.rows = Hosts(2, 1).rows(kHealthy)};
  (void)judge(body, {.holds_line_rate = false});
  EXPECT_EQ(body.summary.at(0).limit, "");
  EXPECT_EQ(body.rows.at(0).limit, "");
}

}  // namespace
}  // namespace railgauge::pairs
