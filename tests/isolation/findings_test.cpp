#include "isolation/findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isolation/simulated_fabric.hpp"

namespace railgauge::isolation {
namespace {

using finding::Certainty;
using finding::Finding;
using finding::Outcome;
using finding::Report;
using Paths = SimulatedFabric::Paths;

const Component kLossyLink{Kind::link, 0, 6};  // leaf0 -> spine2

Evidence evidence() {
  Evidence one;
  for (int host = 0; host < 2; ++host) {
    const std::string name = "host" + std::to_string(host);
    one.nics.push_back({name, {.host = name, .device = "mlx5_1", .rail = 1}, 1});
  }
  one.switches = {"leaf0", "leaf1", "spine2"};
  one.tests.resize(10);
  return one;
}

/// Of a link that lost packets in six of seven tests, and was slow in two.
Suspect suspect() {
  Suspect one;
  one.component = {Kind::link, 0, 2};
  one.status = Status::named;
  one.rival = Component{Kind::spine, 2, 0};
  one.log_odds = 18;
  one.log_odds_to_rival = 5;
  one.bad = 6;
  one.tests = 7;
  one.symptoms = {.slow = 2, .lossy = 6};
  one.speak_for = {3, 4};
  one.speak_against = {9};
  return one;
}

Suspect alone(std::size_t bad, std::size_t tests, Suspect one = suspect()) {
  one.bad_alone = bad;
  one.tests_alone = tests;
  return one;
}

/// The only finding about it.
Finding of(const Suspect& one) {
  const Report report = report_of({.suspects = {one}}, evidence());
  EXPECT_EQ(report.findings.size(), 1U);
  return report.findings.at(0);
}

TEST(FindingOfASuspect, IsConfirmedOnceItFailedAlone) {
  const Finding found = of(alone(3, 3));
  EXPECT_EQ(found.certainty, Certainty::confirmed);
  EXPECT_EQ(sentence(found),
            "link leaf0 -> spine2: packet loss: failed in 6 of 7 tests, 6 lossy, 2 slow; failed in "
            "3 of 3 tests alone; check the port of leaf0 to spine2 and its peer (errors, FEC, "
            "discards, speed), then cable and transceiver");
  EXPECT_EQ(found.evidence[0].rows_for, (std::vector<std::uint64_t>{3, 4}));
  EXPECT_EQ(found.evidence[0].rows_against, (std::vector<std::uint64_t>{9}));
  EXPECT_NEAR(found.log10_odds.value(), 7.8, 0.1);
  EXPECT_EQ(in_words(found.next.value()), "switch spine2");
}

TEST(FindingOfASuspect, IsOnlyPossibleBeforeItsRetest) {
  const Finding found = of(suspect());
  EXPECT_EQ(found.certainty, Certainty::possible);
  EXPECT_EQ(found.excuses, (std::vector<std::string>{"not retested alone"}));
  EXPECT_EQ(found.remedy.find("retest it alone, then check"), 0U);
  EXPECT_EQ(of(alone(2, 2)).excuses, (std::vector<std::string>{"retested alone only in 2 tests"}));
}

TEST(FindingOfASuspect, NamesTheRivalThatIsNotExcluded) {
  Suspect close = alone(3, 3);
  close.status = Status::doubtful;
  close.log_odds_to_rival = 2;
  const Finding found = of(close);
  EXPECT_EQ(found.certainty, Certainty::possible);
  EXPECT_EQ(found.excuses, (std::vector<std::string>{"odds against switch spine2 are only 7 : 1"}));
}

TEST(FindingOfASuspect, IsClearedIfItWasGoodAlone) {
  Suspect gone = alone(0, 6);
  gone.status = Status::withdrawn;
  EXPECT_EQ(of(gone).certainty, Certainty::cleared);
  EXPECT_EQ(of(gone).remedy, "check for congestion: it failed only while other tests ran");
  gone.component = {Kind::uplinks, 0, 0};
  EXPECT_EQ(of(gone).certainty, Certainty::possible) << "the retest may have taken another path";
  EXPECT_EQ(in_words(of(gone).where), "link leaf0 -> ?");
}

TEST(FindingOfASuspect, OfAPartSaysSo) {
  Suspect part = suspect();
  part.of_part = true;
  part.status = Status::doubtful;
  part.rival.reset();
  EXPECT_EQ(of(part).excuses,
            (std::vector<std::string>{"only a part of its tests failed", "not retested alone"}));
}

TEST(FindingOfASuspect, HasTheWorstSymptomOfHalfItsTestsAsCause) {
  const auto cause_of = [](const SymptomCounts& symptoms) {
    Suspect one = suspect();
    one.symptoms = symptoms;
    return of(one).cause;
  };
  EXPECT_EQ(cause_of({.dead = 6}), finding::Cause::unreachable);
  EXPECT_EQ(cause_of({.dead = 1, .lossy = 6}), finding::Cause::packet_loss);
  EXPECT_EQ(cause_of({.slow = 6, .lossy = 1}), finding::Cause::bandwidth);
  EXPECT_EQ(cause_of({.late = 6}), finding::Cause::latency);
  EXPECT_EQ(cause_of({.dead = 1, .slow = 2, .lossy = 2, .late = 2}), finding::Cause::packet_loss)
      << "no half has any";
}

TEST(FindingOfASuspect, HasThoseThatNoTestSeparatesAsAlternatives) {
  Suspect one = alone(3, 3);
  one.component = {Kind::nic, 1, 0};
  one.alike = {{Kind::host, 1, 0}};
  EXPECT_EQ(headline(of(one)), "host1 mlx5_1 (rail 1) or host1: packet loss");
}

TEST(Findings, OfFailuresThatNothingExplainsArePossible) {
  const Report report =
      report_of({.tests = 40, .components = 9, .covered = 9, .unexplained_failures = 2}, {});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(sentence(report.findings[0]),
            "fabric: failed tests (possible): in 2 of 40 tests; but no component explains them; "
            "repeat the run: a link may have changed state meanwhile");
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
}

/// What was tested of a healthy fabric.
Verdict healthy() {
  return {.state = State::healthy, .tests = 400, .components = 200, .covered = 200};
}

TEST(Coverage, IsOfComponentsAndPaths) {
  EXPECT_EQ(outcome(report_of(healthy(), {})), Outcome::pass);
  Verdict few = healthy();
  few.covered = 197;
  EXPECT_EQ(in_short(report_of(few, {})),
            "components: tested 197 of 200: the rest has too few tests; increase --rounds");
  Verdict unknown = healthy();
  unknown.unknown_paths = 4;
  EXPECT_EQ(outcome(report_of(unknown, {})), Outcome::pass);
  unknown.unknown_paths = 5;
  EXPECT_EQ(in_short(report_of(unknown, {})),
            "paths of tests: tested 395 of 400: no switch answered on the paths of the rest");
}

TEST(Coverage, LacksWhatOnlyDescheduledTestsPass) {
  Verdict busy = healthy();
  busy.components = 1000;
  busy.covered = 999;
  busy.untested = 1;
  busy.starved = 12;
  EXPECT_EQ(in_short(report_of(busy, {})),
            "components of busy hosts: tested 0 of 1: 12 slow tests ignored: endpoint processes "
            "were descheduled");
}

TEST(Coverage, OfNoTestsIsNoPass) {
  EXPECT_EQ(outcome(report_of(judge({}), {})), Outcome::inconclusive);
}

/// What decides a verdict, said without findings.
Outcome expected_of(const Verdict& verdict) {
  if (std::ranges::any_of(verdict.suspects, is_confirmed)) return Outcome::fail;
  return verdict.state == State::healthy ? Outcome::pass : Outcome::inconclusive;
}

class Decides : public ::testing::TestWithParam<Paths> {};

INSTANTIATE_TEST_SUITE_P(AllPaths, Decides,
                         ::testing::Values(Paths::by_port, Paths::by_queue_pair, Paths::sprayed,
                                           Paths::silent));

/// Round by round, then through the retests, as a run goes on.
void expect_agreement(SimulatedFabric& fabric, const Plan& plan) {
  for (int round = 0; round < 8; ++round) {
    const Verdict verdict = judge(fabric.evidence());
    EXPECT_EQ(outcome(report_of(verdict, fabric.evidence())), expected_of(verdict)) << round;
    const bool rounds_left = round < 4;
    if (rounds_left) {
      fabric.test(round, matching(fabric.evidence(), round, plan), source_ports(round, plan));
    } else {
      fabric.test_alone(round, retests(fabric.evidence(), verdict));
    }
  }
}

TEST_P(Decides, AsTheVerdictDoes) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SimulatedFabric fabric({}, seed, GetParam());
    if (seed % 4 == 1) fabric.plant(fabric.any_link());
    if (seed % 4 == 2) fabric.plant(fabric.any_nic(Kind::nic_transmit));
    if (seed % 4 == 3) fabric.plant(fabric.any_nic(Kind::host));
    expect_agreement(fabric, {.cross_rail = seed % 2 == 0, .seed = seed});
  }
}

/// A spine that is down is on no path of this run; its twin is that an earlier run knew no more.
TEST(Findings, OfASwitchThatOnlyAnEarlierRunPassedArePossible) {
  for (const bool is_down : {true, false}) {
    SimulatedFabric fabric({}, 7);
    const IsolationRun run = isolate(fabric, {});
    Observation earlier = fabric.evidence().tests.front();
    earlier.earlier = true;
    earlier.hops = {0, 6, 1};
    fabric.evidence().tests.push_back(earlier);
    if (is_down) {
      fabric.evidence().switches.emplace_back("spine9");
      fabric.evidence().tests.back().hops[1] =
          static_cast<int>(fabric.evidence().switches.size() - 1);
    }
    const Report report = report_of(run.verdict, fabric.evidence());
    EXPECT_EQ(outcome(report), is_down ? Outcome::inconclusive : Outcome::pass);
    if (is_down) {
      EXPECT_EQ(headline(report.findings.at(0)),
                "switch spine9: on no path of this run (possible)");
    }
  }
}

TEST(Findings, OfManyBadTestsThatNothingExplainsArePossible) {
  Verdict noisy = healthy();
  for (const std::size_t bad : {101, 120, 400}) {
    noisy.unexplained = bad;
    EXPECT_EQ(outcome(report_of(noisy, {})), Outcome::inconclusive) << bad;
  }
  for (const std::size_t bad : {0, 1, 100}) {
    noisy.unexplained = bad;
    EXPECT_EQ(outcome(report_of(noisy, {})), Outcome::pass) << bad;
  }
}

/// One that loses packets, and its healthy twin.
TEST(Findings, OfALinkAreAtThatLinkAndOfItsTwinNowhere) {
  for (const bool bad : {true, false}) {
    SimulatedFabric fabric({}, 7);
    if (bad) fabric.plant(fabric.uplink(0, 2));
    const IsolationRun run = isolate(fabric, {.cross_rail = true});
    fabric.test_alone(run.rounds, retests(fabric.evidence(), run.verdict));
    const Report report = report_of(judge(fabric.evidence()), fabric.evidence());
    EXPECT_EQ(outcome(report), bad ? Outcome::fail : Outcome::pass);
    ASSERT_EQ(report.findings.size(), bad ? 1U : 0U);
    if (bad) {
      EXPECT_EQ(report.findings[0].where, location_of(kLossyLink, fabric.evidence()));
    }
  }
}

}  // namespace
}  // namespace railgauge::isolation
