#include "experiments/congestion/switch_counters.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::runner {
namespace {

constexpr const char* kAnswer = R"({
  "schema": "railgauge/fabric-counters/1",
  "lateness": {"kept_up": true, "late_packets": 3, "unread_packets": 1, "refused_packets": 2},
  "packets": {"received": 1000, "delivered": 990},
  "directions": [
    {"from": "leaf0", "to": "host0", "priorities": [
      {"priority": 3, "sent_packets": 900, "drops": {"buffer_full": 7}, "ce_marks": 40,
       "pauses_sent": 0, "pauses_received": 0}]},
    {"from": "host1", "to": "leaf0", "priorities": [
      {"priority": 3, "sent_packets": 500, "drops": {}, "ce_marks": 0, "pauses_sent": 12,
       "pauses_received": 11}]}]})";

TEST(SwitchCounters, AreReadByLineAndPriority) {
  const SwitchReading reading = read_switch_counters(kAnswer);
  ASSERT_EQ(reading.lines.size(), 2U);
  const auto& counts = reading.lines.at({"leaf0", "host0", 3});
  EXPECT_EQ(counts.marks, 40);
  EXPECT_EQ(counts.drops.at("buffer_full"), 7);
  EXPECT_EQ(reading.delivered, 990);
  EXPECT_EQ(reading.late, 3);
  EXPECT_EQ(reading.lost, 3);
}

TEST(SwitchCounters, OfSomethingElseAreRefused) {
  EXPECT_THROW((void)read_switch_counters("{}"), std::runtime_error);
  EXPECT_THROW((void)read_switch_counters("no JSON"), std::runtime_error);
}

TEST(SwitchCounters, BecomeSeriesOfWhatChanged) {
  SwitchReading first = read_switch_counters(kAnswer);
  first.lines.erase({"host1", "leaf0", 3});  // not used yet
  SwitchReading last = read_switch_counters(kAnswer);
  last.lines[{"leaf0", "host0", 3}].marks += 5;
  last.lines[{"leaf0", "host0", 3}].drops["buffer_full"] += 2;
  last.lines[{"leaf1", "host2", 3}] = {};
  const auto series = series_of({{1.0, 1.1, first}, {1.2, 1.3, last}}, {"host0", "host1", "host2"});
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].from, "host1");
  EXPECT_TRUE(series[0].from_host);
  EXPECT_EQ(series[0].samples.front().pauses_sent, 12);
  EXPECT_TRUE(series[1].to_host);
  ASSERT_EQ(series[1].samples.size(), 1U);
  EXPECT_EQ(series[1].samples[0].marks, 5);
  EXPECT_EQ(series[1].samples[0].drops, 2);
  EXPECT_EQ(series[1].samples[0].begin_s, 1.0) << "when it was asked before";
  EXPECT_EQ(series[1].samples[0].end_s, 1.3) << "when it answered";
  EXPECT_EQ(series[1].drops.at("buffer_full"), 2);
}

TEST(SwitchCounters, TellWhetherTheSwitchesKeptUp) {
  const SwitchReading first = read_switch_counters(kAnswer);
  SwitchReading last = first;
  last.delivered += 1000;
  last.late += 10;
  EXPECT_EQ(late_text(first, last), "");
  ++last.late;
  EXPECT_EQ(late_text(first, last),
            "this machine was too slow for the switches: 11 of 1000 packets late, 0 lost");
  last.late = first.late;
  ++last.lost;
  EXPECT_NE(late_text(first, last), "");
}

TEST(SwitchCounters, OfNobodyAreAnError) {
  EXPECT_THROW((void)ask_switch("/nonexistent/socket", std::chrono::milliseconds(100)),
               std::system_error);
  EXPECT_THROW((void)ask_switch(std::string(200, 'x'), std::chrono::milliseconds(100)),
               std::system_error);
}

}  // namespace
}  // namespace railgauge::runner
