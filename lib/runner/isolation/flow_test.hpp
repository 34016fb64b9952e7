#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/probe_end.hpp"

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

/// One end of a test of a flow between two NICs, in one direction: writes of 8 bytes, one after the
/// other, then large writes for a while, then a word that it is done. Nothing but acknowledgements
/// goes back, so that the way back does not count.
class FlowTest : public ProbeEnd {
 public:
  enum class End : std::uint8_t { sends, receives };

  /// `nic` has to outlive it.
  FlowTest(ProbedNic& nic, End end, const FlowSettings& settings);

  [[nodiscard]] bool sends() const { return end_ == End::sends; }
  /// Whether it times single writes now, so that a late call would be taken for latency.
  [[nodiscard]] bool is_timing() const {
    return sends() && !is_over() && phase_ == Phase::small_writes;
  }
  [[nodiscard]] FlowOutcome outcome() const;

 private:
  enum class Phase : std::uint8_t { small_writes, stream, parting };

  void begin() override;
  void take(const verbs::Completion& completion, bool of_stream) override;
  void acknowledged();
  void write_small();
  void begin_stream();
  void go_on_streaming();
  void end_stream();

  End end_;
  FlowSettings settings_;
  Phase phase_ = Phase::small_writes;
  Clock::time_point posted_at_;
  std::vector<double> times_us_;  // of small writes
  Clock::time_point stream_began_;
  std::uint64_t posted_ = 0;       // writes of the stream
  std::uint64_t done_ = 0;         // of them, acknowledged
  std::uint64_t first_burst_ = 0;  // of them, when the clock of the rate was started
  Clock::time_point rate_began_;
  FlowOutcome outcome_;  // without the reason
};

}  // namespace railgauge::runner
