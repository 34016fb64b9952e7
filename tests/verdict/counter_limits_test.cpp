#include "verdict/against.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

using telemetry::Counted;
using Deltas = std::map<std::string, std::int64_t>;

const Policy kTolerant{
    .name = "ours", .max_per_million_packets = {{Counted::loss, 1000}, {Counted::corruption, 0}}};

Rows judged(std::vector<Deltas> ports, const Policy& policy = kTolerant) {
  RunSet run_set;
  for (Deltas& deltas : ports) {
    run_set.ports.push_back(
        {.port = "port " + std::to_string(run_set.ports.size()), .deltas = std::move(deltas)});
  }
  return against_counter_limits(run_set, policy);
}

Outcome verdict_on(Deltas deltas) {
  return outcome_of(judged({std::move(deltas)}));
}

TEST(CounterLimits, AreSharesOfPackets) {
  EXPECT_EQ(verdict_on({{"to_retransmits", 99}, {"tx_pkts", 100'000}}), Outcome::pass);
  EXPECT_EQ(verdict_on({{"to_retransmits", 101}, {"tx_pkts", 100'000}}), Outcome::fail);
  EXPECT_EQ(verdict_on({{"to_retransmits", 50'000}, {"tx_pkts", 100'000}}), Outcome::fail);
}

TEST(CounterLimits, AreOfThePacketsThatACounterTellsAbout) {
  EXPECT_EQ(verdict_on({{"out_of_seq_request", 20}, {"tx_pkts", 1'000'000}, {"rx_pkts", 1000}}),
            Outcome::fail);
  EXPECT_EQ(verdict_on({{"out_of_seq_request", 20}, {"tx_pkts", 1000}, {"rx_pkts", 1'000'000}}),
            Outcome::pass);
}

TEST(CounterLimits, OfNothingForgiveNothing) {
  EXPECT_EQ(verdict_on({{"icrc_err", 1}, {"rx_pkts", 1'000'000'000}}), Outcome::fail);
  EXPECT_EQ(verdict_on({{"icrc_err", 1}}), Outcome::fail) << "however many packets there were";
  EXPECT_EQ(verdict_on({{"icrc_err", 0}, {"rx_pkts", 10}}), Outcome::pass);
}

/// A machine that stalled once, in a run of few packets.
TEST(CounterLimits, ForgiveAFewWhereSomeAreAllowed) {
  EXPECT_EQ(verdict_on({{"to_retransmits", 10}, {"tx_pkts", 20}}), Outcome::pass);
  EXPECT_EQ(verdict_on({{"to_retransmits", 11}, {"tx_pkts", 20}}), Outcome::fail);
}

TEST(CounterLimits, JudgeTheCounterThatMovedMost) {
  const Rows rows = judged({{{"seq_err_naks_rcvd", 200},
                             {"to_retransmits", 900},
                             {"icrc_err", 0},
                             {"tx_pkts", 100'000}}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].remark, "port 0 loss: to_retransmits 900 of 100000 packets");
  EXPECT_EQ(rows[0].criterion, "policy ours");
  EXPECT_DOUBLE_EQ(rows[0].ours.value_or(0), 9000);
  EXPECT_EQ(rows[0].theirs, 1000);
}

TEST(CounterLimits, NameEveryPortThatIsOver) {
  const Rows rows =
      judged({{{"icrc_err", 1}}, {{"icrc_err", 0}}, {{"icrc_err", 2}, {"rx_pkts", 100}}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].remark, "port 2 corruption: icrc_err 2 of 100 packets");
}

TEST(CounterLimits, WithoutPacketsAShareHasNoAnswer) {
  EXPECT_EQ(verdict_on({{"to_retransmits", 900}, {"icrc_err", 0}}), Outcome::inconclusive);
}

TEST(CounterLimits, OfPortsThatCannotCountHaveNoAnswer) {
  EXPECT_EQ(verdict_on({}), Outcome::inconclusive);
  EXPECT_EQ(verdict_on({{"unheard_of", 900}, {"tx_pkts", 100}}), Outcome::inconclusive);
  EXPECT_EQ(outcome_of(judged({})), Outcome::inconclusive);
  EXPECT_EQ(verdict_on({{"icrc_err", -4}}), Outcome::inconclusive) << "it was reset";
}

/// A packet that is not there is missing on a busy machine, too; one that is late is sent again.
TEST(CounterLimits, OfSoftwareDevicesForgiveWhatABusyMachineHas) {
  const Policy policy{.name = "ours",
                      .max_per_million_packets = {{Counted::loss, 0}, {Counted::repetition, 0}}};
  const auto verdict_of_kind = [&](Deltas deltas, bool software) {
    RunSet run_set{.ports = {{.port = "a", .deltas = std::move(deltas)}}};
    run_set.software = software;
    return outcome_of(against_counter_limits(run_set, policy));
  };
  const Deltas late{{"completer_retry_err", 30}, {"duplicate_request", 60}, {"rcvd_seq_err", 0}};
  EXPECT_EQ(verdict_of_kind(late, true), Outcome::pass);
  EXPECT_EQ(verdict_of_kind(late, false), Outcome::fail);
  EXPECT_EQ(verdict_of_kind({{"rcvd_seq_err", 1}}, true), Outcome::fail);
}

TEST(CounterLimits, AskNothingThatThePolicyDoesNot) {
  EXPECT_TRUE(judged({{{"icrc_err", 1}}}, {.name = "ours"}).empty());
  EXPECT_EQ(verdict_on({{"link_downed", 1}, {"icrc_err", 0}}), Outcome::pass);
}

}  // namespace
}  // namespace railgauge::verdict
