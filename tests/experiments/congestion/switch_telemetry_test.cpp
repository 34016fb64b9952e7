#include "experiments/congestion/switch_telemetry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace railgauge::runner {
namespace {

using congestion::LinkSeries;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kEpoch = 1'700'000'000 * kSecond;
/// A step of 2 s, which began at 5 s of the line.
constexpr TelemetryWindow kStep{.begin_ns = kEpoch, .end_ns = kEpoch + 2 * kSecond, .begin_s = 5};
constexpr std::int64_t kNow = kEpoch + 3 * kSecond;
const std::vector<std::string> kHosts{"node0", "node1"};

std::string event_of(const std::string& source, double at_s, const std::string& tags,
                     const std::string& values) {
  const std::int64_t ns = kEpoch + static_cast<std::int64_t>(at_s * 1e9);
  return R"({"name": "counters", "timestamp": )" + std::to_string(ns) +
         R"(, "tags": {"source": ")" + source + R"(", "subscription-name": "counters")" + tags +
         R"(}, "values": {)" + values + "}}\n";
}

std::string port(const std::string& name) {
  return R"(, "interface_name": ")" + name + '"';
}

std::string lldp(const std::string& source, const std::string& at, const std::string& neighbour) {
  return event_of(
      source, -9, port(at) + R"(, "neighbor_id": "1")",
      R"("/lldp/interfaces/interface/neighbors/neighbor/state/system-name": ")" + neighbour + '"');
}

/// A counter of a queue, as text, as EOS has it.
std::string eos(double at_s, const std::string& at, const std::string& leaf, int count) {
  return "[" +
         event_of("leaf1:6030", at_s,
                  R"(, "interface_interface-id": ")" + at + R"(", "queue_name": "3")",
                  "\"/qos/interfaces/interface/output/queues/queue/state/" + leaf + "\": \"" +
                      std::to_string(count) + '"') +
         "]\n";
}

/// A pause counter of priority 3, as a number, as Cumulus Linux has it.
std::string cumulus(double at_s, const std::string& at, const std::string& leaf, int count,
                    const std::string& source = "leaf1:6030") {
  return event_of(source, at_s,
                  R"(, "interface_interface-id": ")" + at + R"(", "switch-priority_priority": "3")",
                  "\"/qos/interfaces/interface/state/switch-priority/counters/" + leaf +
                      "\": " + std::to_string(count));
}

/// A counter at -1, 0.5, 1.5 and 2.5 s.
template <class Of>
std::string all(Of of, const std::vector<int>& counts) {
  std::string text;
  double at_s = -0.5;
  for (const int count : counts) text += of(at_s++, count);
  return text;
}

SwitchTelemetry telemetry_of(const std::string& text) {
  SwitchTelemetry telemetry;
  telemetry.read(text);
  return telemetry;
}

std::vector<LinkSeries> series_of_text(const std::string& text) {
  return telemetry_of(text).series(kStep, kHosts, kNow);
}

const LinkSeries* find(const std::vector<LinkSeries>& all, const std::string& from,
                       const std::string& to, int priority) {
  const auto found = std::ranges::find_if(all, [&](const LinkSeries& one) {
    return one.from == from && one.to == to && one.priority == priority;
  });
  return found == all.end() ? nullptr : &*found;
}

LinkSeries::Sample sum_of(const LinkSeries& series) {
  LinkSeries::Sample sum;
  for (const LinkSeries::Sample& one : series.samples) {
    sum.packets += one.packets;
    sum.marks += one.marks;
    sum.pauses_received += one.pauses_received;
    sum.pauses_sent += one.pauses_sent;
    sum.drops += one.drops;
  }
  return sum;
}

auto queue_of(const std::string& at, const std::string& leaf) {
  return [=](double at_s, int count) { return eos(at_s, at, leaf, count); };
}
auto pauses_of(const std::string& at, const std::string& leaf) {
  return [=](double at_s, int count) { return cumulus(at_s, at, leaf, count); };
}

/// leaf1 sends to node0, marks, and pauses node1.
std::string healthy() {
  return lldp("leaf1:6030", "Ethernet1", "Node0.example.org") +
         lldp("leaf1:6030", "Ethernet2", "node1") +
         all(queue_of("Ethernet1", "transmit-pkts"), {100, 200, 300, 400}) +
         all(queue_of("Ethernet1", "ecn-marked-pkts"), {7, 7, 17, 20}) +
         all(queue_of("Ethernet2", "transmit-pkts"), {5, 6, 7, 8}) +
         all(queue_of("Ethernet2", "ecn-marked-pkts"), {0, 0, 0, 0}) +
         all(pauses_of("Ethernet2", "out-pause-pkts"), {50, 50, 54, 55});
}

TEST(SwitchTelemetry, BecomesSeriesOfLinksToHosts) {
  const auto series = series_of_text(healthy());
  const LinkSeries* const to_receiver = find(series, "leaf1", "node0", 3);
  ASSERT_NE(to_receiver, nullptr);
  EXPECT_TRUE(to_receiver->to_host);
  EXPECT_TRUE(to_receiver->counts_marks);
  EXPECT_TRUE(to_receiver->has_marked);
  EXPECT_EQ(sum_of(*to_receiver).packets, 300);
  EXPECT_EQ(sum_of(*to_receiver).marks, 13);
  const LinkSeries* const from_sender = find(series, "node1", "leaf1", 3);
  ASSERT_NE(from_sender, nullptr);
  EXPECT_TRUE(from_sender->from_host);
  EXPECT_EQ(sum_of(*from_sender).pauses_sent, 5);
}

TEST(SwitchTelemetry, HasTheTimesOfItsReadings) {
  const auto series = series_of_text(healthy());
  const LinkSeries* const from_sender = find(series, "node1", "leaf1", 3);
  ASSERT_NE(from_sender, nullptr);
  ASSERT_EQ(from_sender->samples.size(), 3U);
  EXPECT_DOUBLE_EQ(from_sender->samples[1].begin_s, 5.5);
  EXPECT_DOUBLE_EQ(from_sender->samples[1].end_s, 6.5);
  EXPECT_EQ(from_sender->samples[1].pauses_sent, 4);
}

TEST(SwitchTelemetry, OutsideOfTheStepIsNotOfIt) {
  std::string text = lldp("leaf1:6030", "Ethernet1", "node0") +
                     all(queue_of("Ethernet1", "transmit-pkts"), {100, 200, 300, 400}) +
                     eos(3.5, "Ethernet1", "transmit-pkts", 900);
  text = eos(-1.5, "Ethernet1", "transmit-pkts", 10) + text;
  EXPECT_EQ(sum_of(series_of_text(text).front()).packets, 300);
}

/// Packets that came in at a port of leaf1, and pauses that a switch "spine1" counts.
std::string received(const std::string& neighbour) {
  const auto in = [](double at_s, int count) {
    return event_of("leaf1:6030", at_s, port("Ethernet1"),
                    R"("/interfaces/interface/state/counters/in-pkts": )" + std::to_string(count));
  };
  const auto spine = [](double at_s, int count) {
    return cumulus(at_s, "swp1", "out-pause-pkts", count, "spine1");
  };
  return lldp("leaf1:6030", "Ethernet1", neighbour) + all(in, {1, 2, 3, 4}) +
         all(spine, {1, 1, 1, 1});
}

TEST(SwitchTelemetry, OfReceivedPacketsAreThoseOfHosts) {
  const auto of_host = series_of_text(received("node1"));
  ASSERT_EQ(of_host.size(), 1U);
  EXPECT_EQ(of_host[0].from, "node1");
  EXPECT_EQ(sum_of(of_host[0]).packets, 3);
  EXPECT_TRUE(series_of_text(received("spine1")).empty()) << "that switch says what it sends";
}

TEST(SwitchTelemetry, OfTwoSwitchesKnowsTheirLink) {
  const auto spine = [](double at_s, int count) {
    return cumulus(at_s, "swp1", "in-pause-pkts", count, "10.0.0.9:9339");
  };
  const auto series = series_of_text(
      lldp("10.0.0.9:9339", "swp1", "leaf1.example.org") +
      lldp("leaf1:6030", "Ethernet49", "Spine1") +
      event_of("10.0.0.9:9339", -9, "", R"("/lldp/state/system-name": "spine1.example.org")") +
      all(spine, {1, 1, 4, 4}) + all(pauses_of("Ethernet49", "out-pause-pkts"), {0, 0, 3, 3}));
  ASSERT_EQ(series.size(), 2U);
  for (const LinkSeries& one : series) {
    EXPECT_EQ(one.from + " " + one.to, "spine1 leaf1");
    EXPECT_FALSE(one.from_host || one.to_host);
  }
  EXPECT_EQ(sum_of(series[0]).pauses_received + sum_of(series[1]).pauses_received, 3);
  EXPECT_EQ(sum_of(series[0]).pauses_sent + sum_of(series[1]).pauses_sent, 3);
}

TEST(SwitchTelemetry, OfSonicNeedsNoTags) {
  const auto sonic = [](double at_s, int count) {
    const std::string text = std::to_string(count);
    return event_of("leaf2:8080", at_s, R"(, "target": "COUNTERS_DB")",
                    R"("/COUNTERS/Ethernet*/Ethernet8/SAI_PORT_STAT_PFC_3_TX_PKTS": ")" + text +
                        R"(", "/COUNTERS/Ethernet*/Ethernet8/SAI_PORT_STAT_IF_OUT_DISCARDS": ")" +
                        text + R"(", "/COUNTERS/Ethernet*/Ethernet8/Notes": "none")");
  };
  const auto series =
      series_of_text(event_of("leaf2:8080", -9, "",
                              R"("/LLDP_ENTRY_TABLE/Ethernet8/lldp_rem_sys_name": "node1")") +
                     all(sonic, {0, 2, 4, 6}));
  const LinkSeries* const from_sender = find(series, "node1", "leaf2", 3);
  ASSERT_NE(from_sender, nullptr);
  EXPECT_EQ(sum_of(*from_sender).pauses_sent, 6);
  const LinkSeries* const to_sender = find(series, "leaf2", "node1", congestion::kEveryPriority);
  ASSERT_NE(to_sender, nullptr);
  EXPECT_EQ(to_sender->drops.at("out_discards"), 6);
}

TEST(SwitchTelemetry, OfSrLinuxCountsPortsWithoutPriorities) {
  const auto nokia = [](double at_s, int count) {
    return event_of("leaf3:57400", at_s, port("ethernet-1/1"),
                    R"("/srl_nokia-interfaces:interface/statistics/out-packets": ")" +
                        std::to_string(count) + '"');
  };
  const auto series = series_of_text(
      event_of("leaf3:57400", -9, port("ethernet-1/1"),
               R"("/srl_nokia-system:system/srl_nokia-lldp:lldp/interface/neighbor/system-name":
               "node0")") +
      all(nokia, {1, 2, 3, 4}));
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0].to, "node0");
  EXPECT_EQ(series[0].priority, congestion::kEveryPriority);
  EXPECT_FALSE(series[0].counts_marks);
}

TEST(SwitchTelemetry, WithoutACounterOfMarksDoesNotKnowThem) {
  const auto series =
      series_of_text(lldp("leaf1:6030", "Ethernet1", "node0") +
                     all(queue_of("Ethernet1", "transmit-pkts"), {100, 200, 300, 400}) +
                     all(pauses_of("Ethernet1", "out-pause-pkts"), {0, 9, 18, 27}));
  const LinkSeries* const to_host = find(series, "leaf1", "node0", 3);
  ASSERT_NE(to_host, nullptr);
  EXPECT_FALSE(to_host->counts_marks);
  EXPECT_FALSE(to_host->has_marked);
}

TEST(SwitchTelemetry, ThatBeginsAgainLeavesAGap) {
  const auto series =
      series_of_text(lldp("leaf1:6030", "Ethernet1", "node0") +
                     all(queue_of("Ethernet1", "transmit-pkts"), {100, 200, 300, 400}) +
                     all(queue_of("Ethernet1", "ecn-marked-pkts"), {900, 905, 2, 3}));
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(sum_of(series[0]).marks, 6) << "5 and 1; what came between is not known";
  EXPECT_FALSE(series[0].counts_marks);
}

TEST(SwitchTelemetry, OfAPortThatWasSeenOnceIsNothing) {
  EXPECT_TRUE(series_of_text(eos(0.5, "Ethernet1", "transmit-pkts", 100)).empty());
}

TEST(SwitchTelemetry, OfIdlePortsIsLeftOut) {
  EXPECT_TRUE(series_of_text(all(queue_of("Ethernet1", "transmit-pkts"), {4, 4, 4, 4})).empty());
}

TEST(SwitchTelemetry, OfAPortWithoutANeighbourNamesThePort) {
  const auto series = series_of_text(all(queue_of("Ethernet12", "transmit-pkts"), {1, 2, 3, 4}) +
                                     all(pauses_of("Ethernet12", "in-pause-pkts"), {1, 2, 3, 4}) +
                                     all(pauses_of("Ethernet12", "out-pause-pkts"), {1, 2, 3, 4}));
  const LinkSeries* const to = find(series, "leaf1", "leaf1:Ethernet12", 3);
  ASSERT_NE(to, nullptr);
  EXPECT_EQ(sum_of(*to).pauses_received, 0) << "a host's, or the fabric's?";
  ASSERT_NE(find(series, "leaf1:Ethernet12", "leaf1", 3), nullptr);
}

TEST(SwitchTelemetry, OfAPortToNobodyKnownThatCountsAllClassesIsLeftOut) {
  const auto management = [](double at_s, int count) {
    return event_of(
        "leaf1:6030", at_s, port("Management1"),
        R"("/interfaces/interface/state/counters/in-discards": )" + std::to_string(count));
  };
  EXPECT_TRUE(series_of_text(all(management, {1, 2, 3, 4})).empty());
  EXPECT_EQ(
      series_of_text(all(management, {1, 2, 3, 4}) + lldp("leaf1:6030", "Management1", "node1"))
          .size(),
      1U);
}

TEST(SwitchTelemetry, TakesTheNeighbourThatIsAHostOfTheRun) {
  const auto series = series_of_text(lldp("leaf1:6030", "Ethernet1", "a-nic") +
                                     lldp("leaf1:6030", "Ethernet1", "node1") +
                                     all(queue_of("Ethernet1", "transmit-pkts"), {1, 2, 3, 4}));
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0].to, "node1");
}

TEST(SwitchTelemetry, PrefersQueuesToTheirPortAndTheFirstOfTwoNames) {
  const auto port_counter = [](const std::string& leaf) {
    return [=](double at_s, int count) {
      return event_of(
          "leaf1:6030", at_s, port("Ethernet1"),
          "\"/interfaces/interface/state/counters/" + leaf + "\": " + std::to_string(count));
    };
  };
  const std::string of_port = lldp("leaf1:6030", "Ethernet1", "node0") +
                              all(port_counter("out-unicast-pkts"), {1, 2, 3, 4}) +
                              all(port_counter("out-pkts"), {10, 20, 30, 40});
  ASSERT_EQ(series_of_text(of_port).size(), 1U);
  EXPECT_EQ(sum_of(series_of_text(of_port)[0]).packets, 30);
  const auto series =
      series_of_text(of_port + all(queue_of("Ethernet1", "transmit-pkts"), {100, 200, 300, 400}));
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0].priority, 3);
  EXPECT_EQ(sum_of(series[0]).packets, 300);
}

TEST(SwitchTelemetry, DoubtsMarksWhereQueuesHaveOtherNumbersThanPriorities) {
  const std::string pauses = lldp("leaf1:6030", "Ethernet2", "node1") +
                             all(pauses_of("Ethernet2", "out-pause-pkts"), {50, 50, 54, 55}) +
                             all(queue_of("Ethernet2", "ecn-marked-pkts"), {0, 0, 0, 0});
  const auto counts = [&](const std::vector<int>& packets) {
    const auto series =
        series_of_text(pauses + all(queue_of("Ethernet2", "transmit-pkts"), packets));
    const LinkSeries* const line = find(series, "leaf1", "node1", 3);
    return line != nullptr && line->counts_marks;
  };
  EXPECT_TRUE(counts({1, 2, 3, 4}));
  EXPECT_FALSE(counts({4, 4, 4, 4})) << "what is paused leaves in another queue";
}

TEST(SwitchTelemetry, MayEndInTheMiddleOfAnEvent) {
  const std::string text = healthy();
  SwitchTelemetry telemetry;
  for (std::size_t at = 0; at < text.size(); at += 7) telemetry.read(text.substr(at, 7));
  telemetry.read(R"([{"name": "counters", "timest)");
  EXPECT_EQ(telemetry.series(kStep, kHosts, kNow).size(),
            telemetry_of(text).series(kStep, kHosts, kNow).size());
  EXPECT_EQ(telemetry.series(kStep, kHosts, kNow).size(), 3U);
}

/// The sentence that refuses it; empty: it is taken.
std::string refusal_of_events(const std::string& text) {
  try {
    (void)telemetry_of(text);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(SwitchTelemetry, OfSomethingElseIsRefusedWithTheLine) {
  const std::string good = eos(0, "Ethernet1", "transmit-pkts", 1) + "\n{\"sync-response\": true}";
  EXPECT_EQ(refusal_of_events(good), "");
  EXPECT_TRUE(refusal_of_events("counter 1\n").starts_with("line 1: expected events of gnmic"));
  EXPECT_TRUE(
      refusal_of_events("\n\n{\"source\": }\n").starts_with("line 3: expected events of gnmic"));
  // --format json
  EXPECT_TRUE(refusal_of_events("\n{\"source\": \"leaf1\", \"timestamp\": 1, \"updates\": []}")
                  .ends_with("found {\"source\":\"leaf1\",\"timestamp\":1,\"updates\":[]}"));
  EXPECT_NE(refusal_of_events("[1]"), "");
  EXPECT_NE(refusal_of_events(R"({"timestamp": "now", "tags": {"source": "a"}})"), "");
  EXPECT_NE(refusal_of_events(R"({"timestamp": 1, "tags": {}})"), "");
  EXPECT_EQ(refusal_of_events(R"({"timestamp": 1, "tags": {"source": "a"}, "deletes": ["/a"]})"),
            "");
  EXPECT_EQ(refusal_of_events(R"({"timestamp": 1, "tags": {"source": "a"}, "values": null})"), "");
}

TEST(SwitchTelemetry, WithoutKnownCountersHasNone) {
  EXPECT_FALSE(telemetry_of(event_of("leaf1", 0, port("Ethernet1"), R"("/a/b": 1)")).counts());
  EXPECT_FALSE(telemetry_of(lldp("leaf1", "Ethernet1", "node0")).counts());
  EXPECT_TRUE(telemetry_of(eos(0, "Ethernet1", "transmit-pkts", 1)).counts());
}

TEST(SwitchTelemetry, OfAnotherClockIsSaidAndNotUsed) {
  const SwitchTelemetry telemetry = telemetry_of(healthy());
  EXPECT_TRUE(telemetry.notes(kStep, kNow).empty());
  const std::int64_t behind = kStep.begin_ns - 3600 * kSecond;
  const auto ahead = telemetry.notes({behind, behind + 2 * kSecond, 5}, behind + 3 * kSecond);
  ASSERT_EQ(ahead.size(), 1U);
  EXPECT_TRUE(ahead[0].starts_with("leaf1: its newest event is 3600 s ahead")) << ahead[0];
  EXPECT_TRUE(
      telemetry.series({behind, behind + 2 * kSecond, 5}, kHosts, behind + 3 * kSecond).empty());
  const std::int64_t later = kStep.begin_ns + 300 * kSecond;
  const auto old = telemetry.notes({later, later + 2 * kSecond, 5}, later + 3 * kSecond);
  ASSERT_EQ(old.size(), 1U);
  EXPECT_NE(old[0].find("s older than the step"), std::string::npos) << old[0];
}

TEST(SwitchTelemetry, OfTheFutureIsNotUsed) {
  EXPECT_FALSE(telemetry_of(healthy()).series(kStep, kHosts, kNow).empty());
  EXPECT_TRUE(telemetry_of(healthy()).series(kStep, kHosts, kStep.begin_ns).empty());
}

TEST(SwitchTelemetry, TellsWhatDidNotComeAfterTheStep) {
  const std::string text = lldp("leaf1:6030", "Ethernet1", "node0") +
                           all(queue_of("Ethernet1", "transmit-pkts"), {100, 200, 300}) +
                           all(queue_of("Ethernet2", "transmit-pkts"), {1, 2, 3}) +
                           all(queue_of("Ethernet1", "ecn-marked-pkts"), {7, 7, 17});
  SwitchTelemetry telemetry = telemetry_of(text);
  EXPECT_EQ(telemetry.interval_ns(), kSecond);
  EXPECT_FALSE(telemetry.is_complete(kStep, kNow));
  ASSERT_EQ(telemetry.notes(kStep, kNow).size(), 2U);
  telemetry.read(eos(2.5, "Ethernet1", "transmit-pkts", 400));
  EXPECT_FALSE(telemetry.is_complete(kStep, kNow));
  ASSERT_EQ(telemetry.notes(kStep, kNow).size(), 1U) << "Ethernet2 may be as it was";
  EXPECT_EQ(telemetry.notes(kStep, kNow)[0],
            "leaf1 did not deliver ECN marks after the step: what it counts of them is not known");
  EXPECT_FALSE(telemetry.series(kStep, kHosts, kNow).front().counts_marks);
  telemetry.read(eos(2.5, "Ethernet1", "ecn-marked-pkts", 17) +
                 eos(2.5, "Ethernet2", "transmit-pkts", 4));
  EXPECT_TRUE(telemetry.is_complete(kStep, kNow));
  EXPECT_TRUE(telemetry.notes(kStep, kNow).empty());
}

TEST(SwitchTelemetry, WithoutNeighboursSaysSo) {
  const auto notes =
      telemetry_of(all(queue_of("Ethernet1", "transmit-pkts"), {1, 2, 3, 4})).notes(kStep, kNow);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].starts_with("no switch tells its LLDP neighbours"));
}

TEST(SwitchTelemetry, ForgetsWhatNoLaterStepNeeds) {
  SwitchTelemetry telemetry = telemetry_of(healthy());
  telemetry.forget_before(kStep.begin_ns);
  const auto series = telemetry.series(kStep, kHosts, kNow);
  ASSERT_NE(find(series, "leaf1", "node0", 3), nullptr);
  EXPECT_EQ(sum_of(*find(series, "leaf1", "node0", 3)).packets, 300);
  telemetry.forget_before(kNow);
  EXPECT_TRUE(telemetry.series({kNow, kNow + kSecond, 8}, kHosts, kNow + kSecond).empty());
  EXPECT_EQ(telemetry.interval_ns(), kSecond);
}

}  // namespace
}  // namespace railgauge::runner
