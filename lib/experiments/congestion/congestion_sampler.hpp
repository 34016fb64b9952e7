#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "congestion/observation.hpp"
#include "results/rank.hpp"
#include "telemetry/counters.hpp"

namespace railgauge::runner {

/// Waits for the interval between two readings, longer if one that costs so much would take more
/// than 1 / `most_share` of it.
void wait_for_next(std::chrono::milliseconds interval, std::chrono::nanoseconds cost,
                   int most_share);

/// What one port carries in each priority, from construction on.
class PriorityMeter {
 public:
  explicit PriorityMeter(const results::RankRail& rail);
  /// Until now; empty if the port does not count it, or began to count anew.
  [[nodiscard]] std::vector<std::int64_t> sent() const { return carried("tx"); }
  [[nodiscard]] std::vector<std::int64_t> received() const { return carried("rx"); }

 private:
  [[nodiscard]] telemetry::Counters read() const;
  [[nodiscard]] std::vector<std::int64_t> carried(const std::string& direction) const;

  const results::RankRail& rail_;
  telemetry::Counters before_;
};

/// Reads the counters of one port of this host again and again, in a thread of its own, from
/// construction to stop(), for at most a hundredth of a processor's time.
class CongestionSampler {
 public:
  using Clock = std::chrono::steady_clock;

  /// Times of samples are seconds since `origin`.
  CongestionSampler(const results::RankRail& rail, std::chrono::milliseconds interval,
                    Clock::time_point origin);
  ~CongestionSampler() { stop(); }
  CongestionSampler(const CongestionSampler&) = delete;
  CongestionSampler& operator=(const CongestionSampler&) = delete;

  /// After a last sample. From here on the rest may be asked for.
  void stop();
  [[nodiscard]] const std::vector<congestion::Sample>& samples() const { return samples_; }
  [[nodiscard]] telemetry::CountedSignals counted() const;
  /// Of one processor's time, that reading took.
  [[nodiscard]] double processor_share() const;

 private:
  void loop();
  void take();
  [[nodiscard]] telemetry::Counters read() const;
  [[nodiscard]] double seconds_since_origin() const;

  telemetry::CounterFiles files_;
  std::string netdev_;  // asked by ethtool; empty of software devices, which have it all in files
  std::chrono::milliseconds interval_;
  Clock::time_point origin_;
  double last_s_;  // when reading `last_` began
  telemetry::Counters last_;
  std::vector<congestion::Sample> samples_;
  std::chrono::nanoseconds cpu_time_{};  // of the thread
  std::size_t readings_ = 0;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace railgauge::runner
