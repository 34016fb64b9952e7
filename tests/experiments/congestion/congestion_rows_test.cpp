#include "experiments/congestion/congestion_rows.hpp"

#include <gtest/gtest.h>

#include <array>

namespace railgauge::runner {
namespace {

using congestion::Signal;
using congestion::Step;
using telemetry::index_of;

/// host1 sends to host0 for a second, in ten samples.
Step overloaded() {
  Step step{.name = "1 sender, load 2", .load = 2};
  for (const char* host : {"host0", "host1"}) {
    congestion::PortSeries port{.port = {.host = host, .device = "soft0"},
                                .counted = telemetry::CountedSignals().set()};
    for (int at = 0; at < 10; ++at)
      port.samples.push_back(
          {.begin_s = 1 + 0.1 * at, .end_s = 1.1 + 0.1 * at, .packets_received = 10});
    step.ports.push_back(std::move(port));
  }
  step.flows.push_back({.from = step.ports[1].port, .to = step.ports[0].port});
  for (int at = 4; at < 10; ++at) {
    const auto sample = static_cast<std::size_t>(at);
    step.ports[0].samples[sample].counts[index_of(Signal::mark)] = 3;
    step.ports[0].samples[sample].counts[index_of(Signal::cnp_sent)] = 1;
    step.ports[1].samples[sample].counts[index_of(Signal::cnp_received)] = 1;
  }
  return step;
}

TEST(CongestionRow, SaysWhatWasCountedWhenAndByWhom) {
  const results::CongestionRow row = row_of(std::array{overloaded()}, {}, {});
  EXPECT_EQ(row.scenario, "incast");
  EXPECT_EQ(row.verdict, "ECN_ONLY");
  EXPECT_EQ(row.marks.count, 18);
  EXPECT_EQ(row.marks.observer, "NIC");
  EXPECT_DOUBLE_EQ(*row.marks.first_until_s, 1.5);
  EXPECT_EQ(row.marks.place, "host0 soft0");
  EXPECT_TRUE(row.pauses.counted);
  EXPECT_FALSE(row.pauses.first_until_s);
  EXPECT_EQ(row.cnps_sent, 6);
  EXPECT_EQ(row.cnps_received, 6);
  EXPECT_NEAR(row.seconds, 1, 1e-9);
}

TEST(CongestionRow, OfAVoidStepSaysWhy) {
  Step step = overloaded();
  step.void_because = "the switches were late";
  const results::CongestionRow row = row_of(std::array{step}, {}, {});
  EXPECT_EQ(row.verdict, "UNKNOWN");
  EXPECT_EQ(row.reason, "the switches were late");
}

TEST(Timeline, HasSoManyPartsAtMostAndLosesNothing) {
  for (const std::size_t most : {1U, 3U, 10U, 200U}) {
    const auto line = timeline_of(overloaded(), most);
    EXPECT_EQ(line.size(), std::min<std::size_t>(most, 10));
    std::int64_t marks = 0;
    std::int64_t packets = 0;
    for (const auto& part : line) {
      marks += part.marks;
      packets += part.packets;
    }
    EXPECT_EQ(marks, 18);
    EXPECT_EQ(packets, 100) << "of the receiver alone";
    EXPECT_NEAR(line.back().end_s, 2, 1e-9);
  }
  EXPECT_TRUE(timeline_of({}, 10).empty());
}

}  // namespace
}  // namespace railgauge::runner
