#include "experiments/congestion/telemetry_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace railgauge::runner {
namespace {

using std::chrono::milliseconds;
using Clock = TelemetryFile::Clock;

std::string event_now(int count, milliseconds ago = milliseconds(0)) {
  const auto at = std::chrono::system_clock::now() - ago;
  const auto ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count();
  return R"({"name": "a", "timestamp": )" + std::to_string(ns) +
         R"(, "tags": {"source": "leaf1:6030", "interface_interface-id": "Ethernet1", )"
         R"("queue_name": "3"}, "values": )"
         R"({"/qos/interfaces/interface/output/queues/queue/state/transmit-pkts": )" +
         std::to_string(count) + "}}\n";
}

class TelemetryFiles : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void append(const std::string& text) const { std::ofstream(path(), std::ios::app) << text; }
  [[nodiscard]] std::string path() const { return folder_ / "switches.json"; }
  /// The sentence that refuses it; empty: it is taken.
  static std::string refusal_of(const std::string& path) {
    try {
      const TelemetryFile file(path);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("telemetry." + std::to_string(getpid()));
};

TEST_F(TelemetryFiles, ThatCannotBeUsedAreRefusedWithTheReason) {
  EXPECT_EQ(refusal_of(path()), path() + ": No such file or socket");
  EXPECT_NE(refusal_of(folder_.string()).find("expected a control socket"), std::string::npos);
  append("");
  EXPECT_NE(refusal_of(path()).find("line 1 is the last, and no line has a known counter"),
            std::string::npos)
      << refusal_of(path());
  append("\nload: 3\n");
  EXPECT_TRUE(refusal_of(path()).starts_with(path() + ": line 2: expected events of gnmic"))
      << refusal_of(path());
}

TEST_F(TelemetryFiles, AreReadUntilTheSwitchHasCountedAfterTheStep) {
  append(event_now(10, milliseconds(600)) + event_now(20, milliseconds(300)));
  TelemetryFile file(path());
  const Clock::time_point begin = Clock::now();
  std::thread collector([&] {
    std::this_thread::sleep_for(milliseconds(200));
    append(event_now(70));
  });
  const auto counted = file.of_step(
      {.origin = begin - std::chrono::seconds(7), .begin = begin, .end = begin + milliseconds(20)},
      {"node0"}, milliseconds(60'000));
  collector.join();
  ASSERT_EQ(counted.links.size(), 1U);
  ASSERT_EQ(counted.links[0].samples.size(), 1U);
  EXPECT_EQ(counted.links[0].samples[0].packets, 50);
  EXPECT_NEAR(counted.links[0].samples[0].begin_s, 6.7, 0.1);
  EXPECT_GE(counted.links[0].samples[0].end_s, 7.19);
}

TEST_F(TelemetryFiles, AreNotWaitedForWithoutEnd) {
  append(event_now(10, milliseconds(600)) + event_now(20, milliseconds(300)));
  TelemetryFile file(path());
  const Clock::time_point begin = Clock::now();
  const auto counted =
      file.of_step({.origin = begin, .begin = begin, .end = begin}, {}, milliseconds(60'000));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(10)) << "three intervals, at least 1 s";
  EXPECT_TRUE(counted.links.empty());
  EXPECT_EQ(counted.notes.back(),
            "leaf1 did not deliver packets sent after the step: what it counts of them is not "
            "known");
}

TEST_F(TelemetryFiles, ThatAreMadeAgainAreReadFromTheirBegin) {
  append(event_now(10, milliseconds(600)) + event_now(20, milliseconds(300)) + R"({"torn": )");
  TelemetryFile file(path());
  std::filesystem::remove(path());
  const Clock::time_point begin = Clock::now() - milliseconds(100);
  append(event_now(25));
  const auto counted =
      file.of_step({.origin = begin, .begin = begin, .end = begin}, {}, milliseconds(60'000));
  ASSERT_EQ(counted.links.size(), 1U);
  EXPECT_EQ(counted.links[0].samples[0].packets, 5);
}

TEST(TelemetryFileOrSocket, IsToldByTheFile) {
  EXPECT_TRUE(is_telemetry_file("/nonexistent"));
  EXPECT_TRUE(is_telemetry_file("/dev/null"));
}

}  // namespace
}  // namespace railgauge::runner
