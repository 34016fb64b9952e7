#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/probe.hpp"

namespace railgauge::runner {

/// What is sent, and by which way.
struct FlowSettings {
  std::uint32_t flow_label = 0;        ///< of the sender's queue pair: lib/paths/source_port.hpp
  std::uint8_t traffic_class = 0;      ///< DSCP << 2 | ECN
  std::chrono::milliseconds time{60};  ///< of large writes
};

/// What the sender saw.
struct FlowOutcome {
  std::string reason{};  ///< why it did not come to its end, a sentence; empty if it did
  std::optional<double> gigabytes_per_second{};
  std::optional<double> p50_us{}, p99_us{};  ///< of 8-byte writes, from post to completion
};

/// One end of a test between two NICs, in one direction, over a queue pair of its own: writes of 8
/// bytes, one after the other, then large writes for a while, then a word that it is done. Nothing
/// but acknowledgements goes back, so that the way back does not count. Nothing here waits, so that
/// one thread drives all NICs of a host; nothing throws either: whatever goes wrong is a result.
/// Both ends have to live until both are over.
class FlowTest {
 public:
  enum class End : std::uint8_t { sends, receives };

  /// `nic` has to outlive it.
  FlowTest(ProbedNic& nic, End end, const FlowSettings& settings);

  [[nodiscard]] ProbeOffer offer() const;
  /// Whether this end is connected now.
  bool connect(const ProbeOffer& peer);
  /// Once both ends have tried to connect.
  void start(bool peer_connected);
  /// Goes on as far as it can. False once it is over, one way or the other.
  bool advance();
  [[nodiscard]] bool sends() const { return end_ == End::sends; }
  /// Whether it times single writes now, so that a late call would be taken for latency.
  [[nodiscard]] bool is_timing() const { return sends() && phase_ == Phase::small_writes; }
  [[nodiscard]] const FlowOutcome& outcome() const { return outcome_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Phase : std::uint8_t { small_writes, stream, parting, over };

  void take(const verbs::Completion& completion);
  void acknowledged();
  void write_small();
  void begin_stream();
  void go_on_streaming();
  void end_stream();
  void say_done();
  void check_time();
  void fail(const std::string& reason);
  void post(std::uint32_t bytes);

  ProbedNic& nic_;
  End end_;
  FlowSettings settings_;
  std::uint64_t number_;  // among the tests of this NIC
  std::optional<verbs::PendingQueuePair> pending_;
  std::optional<verbs::QueuePair> pair_;
  verbs::RemoteSlice there_{};
  Phase phase_ = Phase::small_writes;
  Clock::time_point began_;
  Clock::time_point progress_;  // when something last happened
  Clock::time_point posted_at_;
  std::vector<double> times_us_;  // of small writes
  Clock::time_point stream_began_;
  std::uint64_t posted_ = 0;       // writes of the stream
  std::uint64_t done_ = 0;         // of them, acknowledged
  std::uint64_t first_burst_ = 0;  // of them, when the clock of the rate was started
  Clock::time_point rate_began_;
  FlowOutcome outcome_;
};

}  // namespace railgauge::runner
