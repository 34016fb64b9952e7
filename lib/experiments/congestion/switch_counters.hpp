#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "congestion/observation.hpp"

namespace railgauge::runner {

/// What softswitch says at one moment (railgauge/fabric-counters/1).
struct SwitchReading {
  struct Line {
    std::string from{};
    std::string to{};
    int priority = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
    friend auto operator<=>(const Line&, const Line&) = default;
  };
  struct Counts {
    std::int64_t packets = 0;
    std::int64_t marks = 0;
    std::int64_t pauses_received = 0;
    std::int64_t pauses_sent = 0;
    std::map<std::string, std::int64_t> drops{};
  };
  std::map<Line, Counts> lines{};
  std::int64_t delivered = 0;
  std::int64_t late = 0;  // of them
  std::int64_t lost = 0;  // by the machine rather than the fabric
};

/// It was so at some moment between these, in seconds.
struct TimedReading {
  double asked_s = 0;
  double answered_s = 0;
  SwitchReading reading{};
};

/// Throws std::runtime_error for what is no such document.
[[nodiscard]] SwitchReading read_switch_counters(std::string_view json);

/// Readings at moments, as series, one for each line that carried or dropped anything. `hosts`: the
/// names of nodes that are hosts.
[[nodiscard]] std::vector<congestion::LinkSeries> series_of(
    const std::vector<TimedReading>& readings, const std::vector<std::string>& hosts);

/// Why the switches were too late for what was measured to be the fabric, a sentence; empty: they
/// kept up.
[[nodiscard]] std::string late_text(const SwitchReading& first, const SwitchReading& last);

/// What a softswitch answers to "congestion". Throws std::system_error.
[[nodiscard]] std::string ask_switch(const std::string& socket, std::chrono::milliseconds limit);

/// Asks again and again, in a thread of its own, from construction to stop().
class SwitchSampler {
 public:
  using Clock = std::chrono::steady_clock;

  /// Throws if there is no answer. Times of readings are seconds since `origin`. `interval`:
  /// between two readings, which are seldom enough not to be a load of the switches.
  SwitchSampler(std::string socket, std::chrono::milliseconds interval, Clock::time_point origin);
  ~SwitchSampler() { stop(); }
  SwitchSampler(const SwitchSampler&) = delete;
  SwitchSampler& operator=(const SwitchSampler&) = delete;

  /// After a last reading.
  void stop();
  [[nodiscard]] const std::vector<TimedReading>& readings() const { return readings_; }
  /// Why a reading failed, a sentence; empty: none did. After stop().
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  void loop();
  void take();

  std::string socket_;
  std::chrono::milliseconds interval_;
  Clock::time_point origin_;
  Clock::duration asking_{};
  std::vector<TimedReading> readings_;
  std::string failure_;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace railgauge::runner
